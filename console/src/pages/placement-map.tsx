/** The placement map: workloads against clusters, one cell for each pair. */
import { useQuery } from '@connectrpc/connect-query';
import { Tooltip } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { SearchService } from '#gen/proto/kairship/api/search/v1alpha1/search_service_pb.ts';
import { clusterState, isCordoned, useClusters, useLost } from '../api/clusters.ts';
import { WORKLOADS } from '../api/kinds.ts';
import type { Binding } from '../api/objects.ts';
import { countIn, type Placed, placedOf } from '../api/placed.ts';
import { Panel } from '../parts/page.tsx';
import { Answer, Empty } from '../parts/problems.tsx';
import { StateIcon } from '../parts/status.tsx';

const MOST = 60;

interface Line {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly placed: readonly Placed[];
}

export function PlacementMap({ instance, only }: { readonly instance: string; readonly only?: string }) {
  const { t } = useTranslation();
  const clusters = useClusters(instance);
  const lost = useLost(instance);
  const bindings = useQuery(SearchService.method.search, {
    instance,
    query: 'kind:resourcebinding',
    includeObjects: true,
    pageSize: MOST,
  });
  return (
    <Panel title={only === undefined ? t('map.title') : t('map.titleOf', { cluster: only })} flush>
      <Answer of={bindings}>
        {({ items, pagination }) => {
          const lines = items
            .flatMap(({ object }) => lineOf(object as unknown as Bound, lost))
            .filter(({ placed }) => only === undefined || placed.some(({ cluster }) => cluster === only));
          const columns = (clusters.data?.items ?? []).filter(
            ({ metadata }) => only === undefined || metadata?.name === only,
          );
          if (lines.length === 0) return <Empty title={t('map.empty')}>{t('map.emptyHint')}</Empty>;
          return (
            <>
              <table className="grid matrix">
                <thead>
                  <tr>
                    <th scope="col">{t('map.workload')}</th>
                    {columns.map((cluster) => (
                      <th key={cluster.metadata?.name} scope="col">
                        <Link
                          to="/i/$instance/clusters/$cluster"
                          params={{ instance, cluster: cluster.metadata?.name ?? '' }}
                        >
                          <span
                            className="status"
                            data-state={isCordoned(cluster) ? 'degraded' : clusterState(cluster)}
                          >
                            <StateIcon state={isCordoned(cluster) ? 'degraded' : clusterState(cluster)} size={12} />
                            {cluster.metadata?.name}
                          </span>
                        </Link>
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {lines.map((line) => (
                    <MapLine
                      key={`${line.kind}${line.namespace}${line.name}`}
                      instance={instance}
                      line={line}
                      clusters={columns.map(({ metadata }) => metadata?.name ?? '')}
                    />
                  ))}
                </tbody>
              </table>
              {(pagination?.total ?? 0) > MOST && (
                <div className="soft" style={{ padding: '8px 12px', fontSize: 12 }}>
                  {t('map.more', { count: (pagination?.total ?? 0) - MOST })}
                </div>
              )}
            </>
          );
        }}
      </Answer>
    </Panel>
  );
}

function MapLine({
  instance,
  line,
  clusters,
}: {
  readonly instance: string;
  readonly line: Line;
  readonly clusters: readonly string[];
}) {
  const { t } = useTranslation();
  const { kind, namespace, name, placed } = line;
  return (
    <tr data-app={`${namespace}/${name}`}>
      <td>
        <Link
          to="/i/$instance/workloads/$kind/$namespace/$name/{-$tab}"
          params={{ instance, kind, namespace, name }}
          style={{ fontWeight: 550 }}
        >
          {name}
        </Link>
        <div className="soft" style={{ fontSize: 12 }}>
          {kind} · {namespace} ·{' '}
          <Link
            to="/i/$instance/workloads/$kind/$namespace/$name/{-$tab}"
            params={{ instance, kind, namespace, name, tab: 'topology' }}
            title={t('topology.of', { name })}
          >
            {t('workload.tab.topology')}
          </Link>
        </div>
      </td>
      {clusters.map((cluster) => {
        const here = placed.find((one) => one.cluster === cluster);
        const note = here?.state === 'unknown' ? t('cluster.silent') : (here?.note ?? '');
        return (
          <td key={cluster}>
            {here ? (
              <Tooltip label={note} disabled={!note}>
                <span className="cellmark" data-state={here.state} data-placed-on={cluster}>
                  <StateIcon state={here.state} size={12} />
                  {countIn(here)}
                </span>
              </Tooltip>
            ) : (
              <span className="soft" aria-hidden>
                ·
              </span>
            )}
          </td>
        );
      })}
    </tr>
  );
}

interface Bound extends Binding {
  readonly spec: Binding['spec'] & {
    readonly resource?: { readonly kind: string; readonly namespace?: string; readonly name: string };
  };
}

/** Only what runs: config maps and roles are placed, too, but nobody looks for them here. */
function lineOf(binding: Bound | undefined, lost: ReadonlySet<string>): readonly Line[] {
  const resource = binding?.spec.resource;
  if (!binding || !resource || !WORKLOADS.some(({ kind }) => kind === resource.kind)) return [];
  const { kind, namespace = '', name } = resource;
  return [{ kind, namespace, name, placed: placedOf(binding, lost) }];
}
