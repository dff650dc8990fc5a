/** Where a workload runs, one line a cluster. */
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { type ObjectRef, useBinding } from '../../api/objects.ts';
import { useLost } from '../../api/clusters.ts';
import { countIn, type Placed, placedOf } from '../../api/placed.ts';
import { engineSays } from '../../i18n/language.ts';
import { Panel } from '../../parts/page.tsx';
import { Empty } from '../../parts/problems.tsx';
import { Status } from '../../parts/status.tsx';

export function PlacedTable({ of }: { readonly of: ObjectRef }) {
  const { t } = useTranslation();
  const { instance } = of;
  const { data } = useBinding(of);
  const lost = useLost(instance);
  const placed = data ? placedOf(data, lost) : [];
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
            {placed.map((one) => (
              <tr key={one.cluster} data-placed-on={one.cluster}>
                <td>
                  <Link to="/i/$instance/clusters/$cluster" params={{ instance, cluster: one.cluster }}>
                    {one.cluster}
                  </Link>
                </td>
                <td>
                  <Status state={one.state} />
                  {lost.has(one.cluster) && <div className="soft">{t('cluster.silent')}</div>}
                  {one.note && <div className="soft">{engineSays(one.note)}</div>}
                </td>
                {counted && (
                  <>
                    <td className="num">{countIn(one) || '–'}</td>
                    <td style={{ width: '34%' }}>
                      <Share of={one} all={placed.reduce((sum, { wanted }) => sum + wanted, 0)} />
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

function Share({ of, all }: { readonly of: Placed; readonly all: number }) {
  if (all === 0) return null;
  const { ready, wanted, unheard } = of;
  const part = (count: number) => `${(count / all) * 100}%`;
  return (
    <div className="strip" role="img" aria-label={countIn(of)} style={{ marginTop: 5 }}>
      <i style={{ width: part(Math.min(ready, wanted)), background: 'var(--k-healthy)' }} />
      <i style={{ width: part(Math.max(0, wanted - ready - unheard)), background: 'var(--k-degraded)' }} />
      <i style={{ width: part(unheard), background: 'var(--k-unknown)' }} />
    </div>
  );
}
