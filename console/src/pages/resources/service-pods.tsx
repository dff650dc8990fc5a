/** The pods behind a service, in each cluster where it is. */
import { useQuery } from '@connectrpc/connect-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { SearchService } from '#gen/proto/kairship/api/search/v1alpha1/search_service_pb.ts';
import { clustersOf, type ObjectRef, type Thing, useBinding } from '../../api/objects.ts';
import { Panel } from '../../parts/page.tsx';
import { Answer, Empty } from '../../parts/problems.tsx';
import { Status } from '../../parts/status.tsx';
import { type PodLike, readyOf } from '../pods/pod-facts.ts';

const MOST = 200;

export function ServicePods({ of, object }: { readonly of: ObjectRef; readonly object: Thing }) {
  const { t } = useTranslation();
  const { instance, namespace } = of;
  const selector = Object.entries((object.spec?.['selector'] ?? {}) as Readonly<Record<string, string>>);
  const binding = useBinding(of);
  const where = binding.data ? clustersOf(binding.data) : [];
  const asked = useQuery(
    SearchService.method.search,
    {
      instance,
      query: [
        `kind:pod namespace:${namespace}`,
        `label:${selector.map(([key, value]) => `${key}=${value}`).join(',')}`,
        // A service leads to pods of its own cluster only.
        ...where.map((cluster) => `cluster:${cluster}`),
      ].join(' '),
      includeObjects: true,
      pageSize: MOST,
    },
    { enabled: selector.length > 0 && where.length > 0, refetchInterval: 10_000 },
  );
  if (selector.length === 0 || where.length === 0) return null;
  return (
    <Panel title={t('resourceUse.behind')} flush>
      <Answer of={asked}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title={t('resourceUse.nothingBehind')}>{t('resource.selectorHint')}</Empty>
          ) : (
            <table className="grid">
              <tbody>
                {items.map(({ cluster, resource, status, object: pod }) => (
                  <tr key={`${cluster}/${resource?.name}`} data-pod={resource?.name}>
                    <td>{cluster}</td>
                    <td className="mono">
                      <Link
                        to="/i/$instance/pods"
                        params={{ instance }}
                        search={{ q: resource?.name ?? '', cluster, ns: namespace }}
                      >
                        {resource?.name}
                      </Link>
                    </td>
                    <td>
                      <Status state={status === 'Running' ? 'healthy' : 'progressing'} word={status || '–'} />
                    </td>
                    <td className="num">{readyOf(pod as PodLike | undefined).ready}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Answer>
    </Panel>
  );
}
