/** What is in a namespace, counted by kind, with the way to each. */
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { POLICIES, WORKLOADS } from '../../api/kinds.ts';
import type { ObjectRef } from '../../api/objects.ts';
import { Panel } from '../../parts/page.tsx';
import { Empty, Waiting } from '../../parts/problems.tsx';
import { useAround } from './delete-resource.tsx';

export function NamespaceInside({ of }: { readonly of: ObjectRef }) {
  const { t } = useTranslation();
  const { instance, name } = of;
  const inside = useAround(of);
  const kinds = [...Map.groupBy(inside ?? [], ({ kind }) => kind)];
  return (
    <Panel
      title={t('resourceUse.inIt')}
      aside={
        <Link to="/i/$instance/events" params={{ instance }} search={{ ns: name }}>
          {t('events.ofNamespace')}
        </Link>
      }
      flush
    >
      {!inside && <Waiting rows={2} />}
      {inside?.length === 0 && <Empty title={t('resourceUse.empty')} />}
      {kinds.length > 0 && (
        <table className="grid">
          <tbody>
            {kinds.map(([kind, found]) => (
              <tr key={kind}>
                <td>
                  <Link to={listOf(instance, kind, name)}>{kind}</Link>
                </td>
                <td className="num">{found.length}</td>
                <td className="soft">{found.map(({ metadata }) => metadata.name).join(', ')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}

function listOf(instance: string, kind: string, namespace: string): string {
  const isOf = (kinds: typeof WORKLOADS) => kinds.some((one) => one.kind === kind);
  const page = isOf(WORKLOADS) ? 'workloads' : isOf(POLICIES) ? 'policies' : 'resources';
  return `/i/${instance}/${page}?${new URLSearchParams({ kind, ns: namespace })}`;
}
