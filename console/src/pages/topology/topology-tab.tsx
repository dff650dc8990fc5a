/** From template to pods: as a graph to look at, and as a table to read. */
import { useQuery } from '@connectrpc/connect-query';
import { SegmentedControl, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Found, SearchService } from '#gen/proto/kairship/api/search/v1alpha1/search_service_pb.ts';
import { useLost } from '../../api/clusters.ts';
import { WORKLOADS } from '../../api/kinds.ts';
import { type ObjectRef, type Thing, useBinding } from '../../api/objects.ts';
import { CommandLine } from '../../parts/command.tsx';
import { inNamespace } from '../../parts/object-dialogs.tsx';
import { Panel } from '../../parts/page.tsx';
import { Answer, Waiting } from '../../parts/problems.tsx';
import { Status } from '../../parts/status.tsx';
import { When } from '../../parts/when.tsx';
import { useResource } from '../resources/resource-object.ts';
import { type Copy, type GraphNode, graphOf, podLabels } from './graph.ts';

const TopologyGraph = lazy(async () => ({ default: (await import('./topology-graph.tsx')).TopologyGraph }));

const MOST = 500;

export function TopologyTab({ of }: { readonly of: ObjectRef }) {
  const object = useResource(of);
  return <Answer of={object}>{(template) => <Topology of={of} template={template} />}</Answer>;
}

type View = 'graph' | 'table';

function Topology({ of, template }: { readonly of: ObjectRef; readonly template: Thing }) {
  const { t } = useTranslation();
  const [view, setView] = useState<View>('graph');
  const graph = useGraph(of, template);
  const { kind, name } = of;
  return (
    <Stack gap={14}>
      <Panel
        title={t('topology.title')}
        flush
        aside={
          <SegmentedControl
            aria-label={t('topology.view')}
            value={view}
            onChange={(next) => setView(next)}
            data={(['graph', 'table'] as const).map((value) => ({ value, label: t(`topology.${value}`) }))}
          />
        }
      >
        {!graph ? (
          <Waiting rows={6} />
        ) : view === 'graph' ? (
          <Suspense fallback={<Waiting rows={8} />}>
            <TopologyGraph of={of} graph={graph} />
          </Suspense>
        ) : (
          <TopologyTable of={of} nodes={graph.nodes} />
        )}
      </Panel>
      <CommandLine
        line={
          WORKLOADS.some((one) => one.kind === kind.kind)
            ? `kairship describe ${kind.kind.toLowerCase()}/${name} ${inNamespace(of)}`.trim()
            : `kubectl ${inNamespace(of)}get ${kind.resource} ${name} -o yaml`
        }
      />
    </Stack>
  );
}

/** Four answers for any number of clusters; undefined until the first three are there. */
function useGraph(of: ObjectRef, template: Thing) {
  const { instance, kind, namespace, name } = of;
  const binding = useBinding(of);
  const label = `${kind.namespaced ? 'resourcebinding' : 'clusterresourcebinding'}.karmada.io/permanent-id`;
  const id = binding.data?.metadata.labels?.[label] ?? '';
  const at = namespace ? `namespace:${namespace}` : '';
  const works = useFound(instance, `kind:works.work.karmada.io cluster:- label:${label}=${id}`, id !== '');
  const copies = useFound(
    instance,
    `kind:${kind.group ? `${kind.resource}.${kind.group}` : kind.kind.toLowerCase()} name:${name} ${at}`,
    id !== '',
  );
  const labels = podLabels(template);
  const lost = useLost(instance);
  const pods = useFound(
    instance,
    `kind:pod ${at} ${labels.map((one) => `label:${one}`).join(' ')}`,
    id !== '' && labels.length > 0,
  );
  if (!binding.data && !binding.error) return undefined;
  if (id !== '' && (!works.data || !copies.data)) return undefined;
  return graphOf({
    template,
    binding: binding.error ? undefined : binding.data,
    works: objectsOf(works.data).map(({ object }) => object),
    copies: objectsOf(copies.data).filter(({ cluster, object }) => cluster !== '' && object.kind === template.kind),
    pods: objectsOf(pods.data),
    lost,
  });
}

function useFound(instance: string, query: string, enabled: boolean) {
  return useQuery(
    SearchService.method.search,
    { instance, query, includeObjects: true, pageSize: MOST },
    { enabled, placeholderData: (before) => before },
  );
}

function objectsOf(answer: { readonly items: readonly Found[] } | undefined): readonly Copy[] {
  return (answer?.items ?? []).flatMap(({ cluster, object }) =>
    object ? [{ cluster, object: object as unknown as Thing }] : [],
  );
}

function TopologyTable({ of, nodes }: { readonly of: ObjectRef; readonly nodes: readonly GraphNode[] }) {
  const { t } = useTranslation();
  return (
    <table className="grid" aria-label={t('topology.title')}>
      <thead>
        <tr>
          <th scope="col">{t('topology.stageOf')}</th>
          <th scope="col">{t('field.cluster')}</th>
          <th scope="col">{t('field.name')}</th>
          <th scope="col">{t('field.status')}</th>
          <th scope="col">{t('topology.since')}</th>
        </tr>
      </thead>
      <tbody>
        {nodes.map((node) => (
          <tr key={node.id}>
            <td>{t(`topology.stage.${node.stage}`)}</td>
            <td>{node.cluster || '–'}</td>
            <td>
              <NodeLink of={of} node={node}>
                {node.title}
              </NodeLink>
            </td>
            <td>
              <Status state={node.state} />
              {node.note && <div className="soft">{node.note}</div>}
              {node.clusters !== undefined && (
                <div className="soft">{t('topology.placedOn', { count: node.clusters })}</div>
              )}
            </td>
            <td className="soft">
              <When at={node.at} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Where a node leads: to the page that knows most of it. */
export function NodeLink({
  of: { instance, kind, namespace, name },
  node,
  children,
}: {
  readonly of: ObjectRef;
  readonly node: GraphNode;
  readonly children: ReactNode;
}) {
  const isWorkload = WORKLOADS.some((one) => one.kind === kind.kind);
  const at = { instance, kind: kind.kind, namespace, name };
  switch (node.stage) {
    case 'policy':
      return (
        <Link
          to="/i/$instance/policies/$kind/$namespace/$name"
          params={{ instance, kind: node.kind, namespace: node.namespace || '-', name: node.title }}
        >
          {children}
        </Link>
      );
    case 'binding':
      return isWorkload ? (
        <Link to="/i/$instance/workloads/$kind/$namespace/$name/{-$tab}" params={{ ...at, tab: 'placement' }}>
          {children}
        </Link>
      ) : (
        <Link to="/i/$instance/engine" params={{ instance }} search={{ tab: 'bindings', q: name }}>
          {children}
        </Link>
      );
    case 'work':
      return (
        <Link
          to="/i/$instance/engine"
          params={{ instance }}
          search={{ tab: 'works', cluster: node.cluster, q: node.title }}
        >
          {children}
        </Link>
      );
    case 'object':
      return (
        <Link to="/i/$instance/clusters/$cluster" params={{ instance, cluster: node.cluster }}>
          {children}
        </Link>
      );
    case 'pod':
      return isWorkload ? (
        <Link to="/i/$instance/workloads/$kind/$namespace/$name/{-$tab}" params={{ ...at, tab: 'pods' }}>
          {children}
        </Link>
      ) : (
        <>{children}</>
      );
    default:
      return <>{children}</>;
  }
}
