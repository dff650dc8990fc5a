/** Objects by name, and what becomes of each. */
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ObjectReference } from '#gen/proto/kairship/api/types/v1alpha1/reference_pb.ts';

export interface ListedObject {
  readonly resource: ObjectReference | undefined;
  readonly replicas: number;
  readonly told: ReactNode;
  readonly by?: string;
}

/** More than these are only counted. */
const SHOWN = 200;

export function ObjectList({ label, of }: { readonly label: string; readonly of: readonly ListedObject[] }) {
  const { t } = useTranslation();
  if (of.length === 0) return null;
  const withPolicy = of.some(({ by }) => by);
  return (
    <div className="panel" style={{ maxHeight: 260, overflow: 'auto' }} tabIndex={0} role="region" aria-label={label}>
      <table className="grid">
        <thead>
          <tr>
            <th scope="col">{t('field.name')}</th>
            <th scope="col">{t('cluster.becomes')}</th>
            {withPolicy && <th scope="col">{t('workload.placedBy')}</th>}
            <th scope="col" className="num">
              {t('field.replicas')}
            </th>
          </tr>
        </thead>
        <tbody>
          {of.slice(0, SHOWN).map(({ resource, replicas, told, by }) => (
            <tr key={`${resource?.kind}/${resource?.namespace}/${resource?.name}`} data-object={resource?.name}>
              <td>
                <b>{resource?.name}</b>{' '}
                <span className="soft">{[resource?.kind, resource?.namespace].filter(Boolean).join(' · ')}</span>
              </td>
              <td>{told}</td>
              {withPolicy && <td className="soft">{by}</td>}
              <td className="num">{replicas || '–'}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {of.length > SHOWN && <p className="soft">{t('map.more', { count: of.length - SHOWN })}</p>}
    </div>
  );
}
