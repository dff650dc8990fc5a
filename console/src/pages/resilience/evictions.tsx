/** What is on its way out of a cluster right now, and why. */
import { useQuery } from '@connectrpc/connect-query';
import { useTranslation } from 'react-i18next';
import { SearchService } from '#gen/proto/kairship/api/search/v1alpha1/search_service_pb.ts';
import { engineSays } from '../../i18n/language.ts';
import { Panel } from '../../parts/page.tsx';
import { Answer, Empty } from '../../parts/problems.tsx';
import { When } from '../../parts/when.tsx';

interface BindingLike {
  readonly spec?: {
    readonly resource?: { readonly kind?: string; readonly namespace?: string; readonly name?: string };
    readonly gracefulEvictionTasks?: readonly {
      readonly fromCluster: string;
      readonly reason?: string;
      readonly message?: string;
      readonly replicas?: number;
      readonly creationTimestamp?: string;
    }[];
  };
}

export function Evictions({ instance }: { readonly instance: string }) {
  const { t } = useTranslation();
  const asked = useQuery(
    SearchService.method.search,
    { instance, query: 'kind:resourcebinding', includeObjects: true, pageSize: 500 },
    { refetchInterval: 5_000 },
  );
  return (
    <Panel title={t('eviction.title')} flush>
      <Answer of={asked}>
        {({ items }) => {
          const tasks = items.flatMap(({ object }) => {
            const { spec } = (object ?? {}) as BindingLike;
            return (spec?.gracefulEvictionTasks ?? []).map((task) => ({ ...task, resource: spec?.resource }));
          });
          if (tasks.length === 0) return <Empty title={t('eviction.none')}>{t('eviction.noneHint')}</Empty>;
          return (
            <table className="grid">
              <thead>
                <tr>
                  <th scope="col">{t('map.workload')}</th>
                  <th scope="col">{t('eviction.leaves')}</th>
                  <th scope="col">{t('why.reason')}</th>
                  <th scope="col">{t('event.when')}</th>
                </tr>
              </thead>
              <tbody>
                {tasks.map(({ resource, fromCluster, replicas, reason, message, creationTimestamp }, index) => (
                  <tr key={`${resource?.namespace}/${resource?.name}/${fromCluster}/${index}`}>
                    <td>
                      {resource?.kind} {resource?.namespace}/{resource?.name}
                    </td>
                    <td>
                      {fromCluster} {replicas !== undefined && <span className="soft">{replicas}</span>}
                    </td>
                    <td>{engineSays(message || reason || '')}</td>
                    <td className="soft">
                      <When at={Date.parse(creationTimestamp ?? '')} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          );
        }}
      </Answer>
    </Panel>
  );
}
