/** `kairship top`: how much pods and nodes of every member use, and how much of each cluster is given away. */
import type { Cluster } from '#karmada/apis/index.ts';
import { CLUSTER } from '#karmada/apis/resources.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { addQuantities, parseQuantity, quantityMilliValue, quantityValue, ZERO } from '#kube/meta/quantity.ts';
import { connected } from '../cli/connection.ts';
import { CommandFailure, EXIT, usageFailure } from '../cli/failure.ts';
import { askAll, nameOf, type Target, targetsOf } from '../cli/fan-out.ts';
import { type Column, type Listed, type ListOptions, printList } from '../cli/output.ts';
import { waiting } from '../cli/screen.ts';
import type { MemberOptions } from './get.ts';
import { bytes, nodesText, readyText, share } from './words.ts';

interface Usage {
  readonly cpu: string;
  readonly memory: string;
}

interface Measured extends KubeObject {
  readonly usage?: Usage;
  readonly containers?: readonly { readonly usage: Usage }[];
}

interface Row {
  readonly cluster: string;
  readonly metadata: KubeObject['metadata'];
  readonly millis: number;
  readonly bytes: number;
}

const METRICS = (resource: string) => ({ group: 'metrics.k8s.io', version: 'v1beta1', resource });

export interface TopOptions extends MemberOptions, ListOptions {
  readonly sortBy: 'cpu' | 'memory' | 'name';
}

export function top(what: string, name: string | undefined, options: TopOptions): Promise<void> {
  if (/^clusters?$/.test(what)) return topClusters(options);
  const isPods = /^(po|pods?)$/.test(what);
  if (!isPods && !/^(no|nodes?)$/.test(what))
    throw usageFailure(`nothing is known of "${what}"`, 'pods, nodes and clusters are measured', 'kairship top pods');
  return connected(options, async (on) => {
    const { members } = await targetsOf(on, options.clusters);
    const resource = METRICS(isPods ? 'pods' : 'nodes');
    const within = isPods && !options.allNamespaces ? { namespace: options.namespace } : {};
    const work = async ({ client }: Target, signal: AbortSignal) =>
      (await client.list<Measured>(resource, { ...within, signal })).items;
    const answers = await waiting('asking the clusters', askAll(members, work, options.memberTimeout));
    const rows = answers
      .flatMap(({ target, value }) => value.map((each) => rowOf(nameOf(target), each)))
      .filter(({ metadata }) => name === undefined || metadata.name === name)
      .toSorted(ORDER[options.sortBy]);
    if (name !== undefined && rows.length === 0) throw notMeasured(isPods ? 'pod' : 'node', name, answers.length);
    printList(
      listed(isPods ? 'pod' : 'node', isPods && options.allNamespaces === true),
      rows,
      options,
      `No metrics of ${what} found.`,
    );
  });
}

function notMeasured(kind: string, name: string, clusters: number): CommandFailure {
  return new CommandFailure(`no metrics of ${kind} "${name}"`, {
    why: `none of ${clusters} ${clusters === 1 ? 'cluster' : 'clusters'} that answered measures it`,
    next: `kairship top ${kind}s -A`,
    code: EXIT.notFound,
  });
}

function rowOf(cluster: string, { metadata, usage, containers }: Measured): Row {
  const all = usage ? [usage] : (containers ?? []).map((each) => each.usage);
  const sum = (of: keyof Usage) => all.map((each) => parseQuantity(each[of])).reduce(addQuantities, ZERO);
  return { cluster, metadata, millis: quantityMilliValue(sum('cpu')), bytes: quantityValue(sum('memory')) };
}

const ORDER = {
  cpu: (a: Row, b: Row) => b.millis - a.millis,
  memory: (a: Row, b: Row) => b.bytes - a.bytes,
  name: (a: Row, b: Row) => (a.metadata.name < b.metadata.name ? -1 : 1),
} as const;

const listed = (kind: string, namespaces: boolean): Listed<Row> => ({
  kind,
  name: ({ metadata }) => metadata.name,
  where: ({ cluster }) => cluster,
  labels: ({ metadata }) => metadata.labels ?? {},
  object: ({ cluster, metadata, millis, bytes: memory }) => ({
    cluster,
    ...(metadata.namespace ? { namespace: metadata.namespace } : {}),
    name: metadata.name,
    cpuMillis: millis,
    memoryBytes: memory,
  }),
  columns: [
    ...(namespaces
      ? [{ head: 'NAMESPACE', of: ({ metadata }) => metadata.namespace ?? '' } satisfies Column<Row>]
      : []),
    { head: 'CLUSTER', of: ({ cluster }) => cluster },
    { head: 'NAME', of: ({ metadata }) => metadata.name },
    { head: 'CPU', of: ({ millis }) => `${millis}m` },
    { head: 'MEMORY', of: (row) => bytes(row.bytes) },
  ],
});

function topClusters(options: TopOptions): Promise<void> {
  return connected(options, async (on) => {
    const { items } = await on.kube(await on.theInstance()).list<Cluster>(CLUSTER);
    const shown = items.filter(({ metadata }) => options.clusters?.includes(metadata.name) ?? true);
    printList(CLUSTERS, shown, options, 'There are no clusters.');
  });
}

const CLUSTERS: Listed<Cluster> = {
  kind: 'cluster',
  name: ({ metadata }) => metadata.name,
  labels: ({ metadata }) => metadata.labels ?? {},
  object: ({ metadata, status }) => ({ name: metadata.name, ...status?.resourceSummary }),
  columns: [
    { head: 'CLUSTER', of: ({ metadata }) => metadata.name },
    { head: 'READY', of: readyText },
    { head: 'NODES', of: nodesText },
    { head: 'CPU GIVEN AWAY', of: (cluster) => share(cluster, 'cpu') },
    { head: 'MEMORY GIVEN AWAY', of: (cluster) => share(cluster, 'memory') },
  ],
};
