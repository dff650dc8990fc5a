/** Where a workload runs, one line a cluster. */
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { type ObjectRef, useBinding } from '../../api/objects.ts';
import { placedOf } from '../../api/placed.ts';
import { Panel } from '../../parts/page.tsx';
import { Empty } from '../../parts/problems.tsx';
import { Status } from '../../parts/status.tsx';

export function PlacedTable({ of }: { readonly of: ObjectRef }) {
  const { t } = useTranslation();
  const { instance } = of;
  const { data } = useBinding(of);
  const placed = data ? placedOf(data) : [];
  const counted = placed.some(({ wanted }) => wanted > 0);
  return (
    <Panel title={t(counted || placed.length === 0 ? 'workload.whereItRuns' : 'resource.whereItIs')} flush>
      {placed.length === 0 ? (
        <Empty title={t('workload.nowhere')} />
      ) : (
        <table className="grid">
          <thead>
            <tr>
              <th scope="col">{t('field.cluster')}</th>
              <th scope="col">{t('field.status')}</th>
              {counted && (
                <>
                  <th scope="col" className="num">
                    {t('field.ready')}
                  </th>
                  <th scope="col">{t('workload.share')}</th>
                </>
              )}
            </tr>
          </thead>
          <tbody>
            {placed.map(({ cluster, state, ready, wanted, note }) => (
              <tr key={cluster} data-placed-on={cluster}>
                <td>
                  <Link to="/i/$instance/clusters/$cluster" params={{ instance, cluster }}>
                    {cluster}
                  </Link>
                </td>
                <td>
                  <Status state={state} />
                  {note && <div className="soft">{note}</div>}
                </td>
                {counted && (
                  <>
                    <td className="num">{wanted > 0 ? `${ready}/${wanted}` : '–'}</td>
                    <td style={{ width: '34%' }}>
                      <Share ready={ready} wanted={wanted} all={placed.reduce((sum, one) => sum + one.wanted, 0)} />
                    </td>
                  </>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}

function Share({ ready, wanted, all }: { readonly ready: number; readonly wanted: number; readonly all: number }) {
  if (all === 0) return null;
  const part = (count: number) => `${(count / all) * 100}%`;
  return (
    <div className="strip" role="img" aria-label={`${ready}/${wanted}`} style={{ marginTop: 5 }}>
      <i style={{ width: part(Math.min(ready, wanted)), background: 'var(--k-healthy)' }} />
      <i style={{ width: part(Math.max(0, wanted - ready)), background: 'var(--k-degraded)' }} />
    </div>
  );
}
