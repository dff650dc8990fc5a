/** What an override policy changes now, with the way to what becomes of it in each cluster. */
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { ObjectRef, Thing } from '../../api/objects.ts';
import { placeOf } from '../../app/address.ts';
import { Panel } from '../../parts/page.tsx';
import { Empty } from '../../parts/problems.tsx';
import { useDescribed } from './described.ts';

export function OverrideChanges({ of, policy }: { readonly of: ObjectRef; readonly policy: Thing }) {
  const { t } = useTranslation();
  const { instance } = of;
  const described = useDescribed(of, policy);
  return (
    <Panel title={t('override.changes')} flush>
      {described.length === 0 ? (
        <Empty title={t('ladder.describesNothing')} />
      ) : (
        <table className="grid">
          <tbody>
            {described.map(({ kind, metadata: { namespace = '', name } }) => {
              const to = placeOf({ instance, cluster: '', kind, namespace, name });
              const rendered: string = `${to}/clusters`;
              return (
                <tr key={`${kind}/${namespace}/${name}`} data-changes={name}>
                  <td>{kind}</td>
                  <td>{to === undefined ? name : <Link to={to}>{name}</Link>}</td>
                  <td>{namespace || '–'}</td>
                  <td>{to !== undefined && <Link to={rendered}>{t('override.result')}</Link>}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
    </Panel>
  );
}
