/**
 * How something gets from its template to its pods, as a graph: template → policy → binding → works → objects → pods.
 *
 * Pure, and of any kind: what is not known is drawn as not known, so that a chain that ends early says where.
 */
import type { Binding, Condition, Thing } from '../../api/objects.ts';
import { countIn, placedOf } from '../../api/placed.ts';
import type { State } from '../../parts/status.tsx';

export const STAGES = ['template', 'policy', 'binding', 'work', 'object', 'pod'] as const;
export type Stage = (typeof STAGES)[number];

export interface GraphNode {
  readonly id: string;
  readonly stage: Stage;
  readonly title: string;
  /** What to say of it: a count, a phase, an error. */
  readonly note: string;
  readonly state: State;
  readonly cluster: string;
  /** Milliseconds since 1970; 0 where nothing is known. */
  readonly at: number;
  readonly kind: string;
  readonly namespace: string;
  /** On how many something was placed. */
  readonly clusters?: number;
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
}

export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

export interface Copy {
  readonly cluster: string;
  readonly object: Thing;
}

export interface GraphFacts {
  readonly template: Thing;
  readonly binding: Binding | undefined;
  readonly works: readonly Thing[];
  /** As the index last heard of them. */
  readonly copies: readonly Copy[];
  readonly pods: readonly Copy[];
  /** The clusters that do not answer: whatever was heard of them is drawn, and its state is unknown. */
  readonly lost: ReadonlySet<string>;
}

/** More pods than that are told as one for each cluster. */
const MOST_PODS = 24;

export function graphOf({ template, binding, works, copies, pods, lost }: GraphFacts): Graph {
  const nodes: GraphNode[] = [templateNode(template)];
  const edges: GraphEdge[] = [];
  const add = (from: string, node: GraphNode) => {
    nodes.push(lost.has(node.cluster) ? { ...node, state: 'unknown' } : node);
    edges.push({ from, to: node.id });
  };
  const policy = policyNode(template);
  if (policy) add('template', policy);
  if (!binding) return { nodes, edges };
  add(policy ? policy.id : 'template', bindingNode(binding));
  const placed = new Map(placedOf(binding, lost).map((one) => [one.cluster, one]));
  const workIn = new Map(works.map((work) => [clusterOf(work), work]));
  const copyIn = new Map(copies.map(({ cluster, object }) => [cluster, object]));
  const each = pods.length <= MOST_PODS;
  for (const cluster of new Set([...placed.keys(), ...workIn.keys()])) {
    add('binding', workNode(cluster, workIn.get(cluster)));
    const copy = copyIn.get(cluster);
    const here = placed.get(cluster);
    add(
      `work/${cluster}`,
      objectNode({ template, cluster, copy, state: here?.state ?? 'unknown', count: here ? countIn(here) : '' }),
    );
    const own = pods.filter((pod) => pod.cluster === cluster);
    for (const node of each ? own.map(podNode) : summary(cluster, own)) add(`object/${cluster}`, node);
  }
  return { nodes, edges };
}

function templateNode({ kind, metadata }: Thing): GraphNode {
  const { name, namespace = '', deletionTimestamp } = metadata;
  return {
    id: 'template',
    stage: 'template',
    title: name,
    note: kind,
    state: deletionTimestamp ? 'progressing' : 'healthy',
    cluster: '',
    at: timeOf(metadata.creationTimestamp),
    kind,
    namespace,
  };
}

function policyNode({ metadata: { annotations = {} } }: Thing): GraphNode | undefined {
  const own = annotations['propagationpolicy.karmada.io/name'];
  const name = own ?? annotations['clusterpropagationpolicy.karmada.io/name'];
  if (name === undefined) return undefined;
  const kind = own === undefined ? 'ClusterPropagationPolicy' : 'PropagationPolicy';
  return {
    id: 'policy',
    stage: 'policy',
    title: name,
    note: kind,
    state: 'healthy',
    cluster: '',
    at: 0,
    kind,
    namespace: own === undefined ? '' : (annotations['propagationpolicy.karmada.io/namespace'] ?? ''),
  };
}

function bindingNode({ metadata, spec, status }: Binding): GraphNode {
  const scheduled = status?.conditions?.find(({ type }) => type === 'Scheduled');
  const clusters = spec.clusters?.length ?? 0;
  const failed = scheduled?.status === 'False';
  return {
    id: 'binding',
    stage: 'binding',
    title: metadata.name,
    note: failed ? (scheduled.message ?? '') : '',
    clusters,
    state: failed ? 'blocked' : clusters > 0 ? 'healthy' : 'progressing',
    cluster: '',
    at: timeOf(scheduled?.lastTransitionTime ?? metadata.creationTimestamp),
    kind: metadata.namespace ? 'ResourceBinding' : 'ClusterResourceBinding',
    namespace: metadata.namespace ?? '',
  };
}

/** `karmada-es-frankfurt` holds the works of frankfurt. */
export function clusterOf({ metadata: { namespace = '' } }: Pick<Thing, 'metadata'>): string {
  return namespace.replace(/^karmada-es-/, '');
}

/** How far a work has come, with the last error if there is one. */
export function workState(work: Thing | undefined): {
  readonly state: State;
  readonly note: string;
  readonly at: number;
} {
  const conditions = (work?.status?.['conditions'] ?? []) as readonly Condition[];
  const applied = conditions.find(({ type }) => type === 'Applied');
  const at = timeOf(applied?.lastTransitionTime ?? work?.metadata.creationTimestamp);
  if (applied?.status === 'True') return { state: 'healthy', note: '', at };
  if (applied) return { state: 'blocked', note: applied.message ?? '', at };
  return { state: work ? 'progressing' : 'unknown', note: '', at };
}

function workNode(cluster: string, work: Thing | undefined): GraphNode {
  return {
    id: `work/${cluster}`,
    stage: 'work',
    title: work?.metadata.name ?? cluster,
    ...workState(work),
    cluster,
    kind: 'Work',
    namespace: work?.metadata.namespace ?? '',
  };
}

interface ObjectFacts {
  readonly template: Thing;
  readonly cluster: string;
  readonly copy: Thing | undefined;
  readonly state: State;
  readonly count: string;
}

function objectNode({ template, cluster, copy, state, count }: ObjectFacts): GraphNode {
  return {
    id: `object/${cluster}`,
    stage: 'object',
    title: cluster,
    note: count,
    state: copy ? state : state === 'blocked' ? 'blocked' : 'progressing',
    cluster,
    at: timeOf(copy?.metadata.creationTimestamp),
    kind: template.kind,
    namespace: template.metadata.namespace ?? '',
  };
}

function podNode({ cluster, object }: Copy): GraphNode {
  return {
    id: `pod/${cluster}/${object.metadata.name}`,
    stage: 'pod',
    title: object.metadata.name,
    note: phaseOf(object),
    state: podState(object),
    cluster,
    at: timeOf(object.metadata.creationTimestamp),
    kind: 'Pod',
    namespace: object.metadata.namespace ?? '',
  };
}

function summary(cluster: string, pods: readonly Copy[]): readonly GraphNode[] {
  if (pods.length === 0) return [];
  const states = pods.map(({ object }) => podState(object));
  const ready = states.filter((state) => state === 'healthy').length;
  return [
    {
      id: `pod/${cluster}`,
      stage: 'pod',
      title: `${ready}/${pods.length}`,
      note: '',
      state: ready === pods.length ? 'healthy' : states.includes('blocked') ? 'blocked' : 'degraded',
      cluster,
      at: Math.max(...pods.map(({ object }) => timeOf(object.metadata.creationTimestamp))),
      kind: 'Pod',
      namespace: pods[0]?.object.metadata.namespace ?? '',
    },
  ];
}

const phaseOf = ({ status }: Thing): string => (typeof status?.['phase'] === 'string' ? status['phase'] : '');

function podState(pod: Thing): State {
  const phase = phaseOf(pod);
  if (phase === 'Failed') return 'blocked';
  if (phase === 'Succeeded') return 'healthy';
  const conditions = (pod.status?.['conditions'] ?? []) as readonly Condition[];
  if (conditions.some(({ type, status }) => type === 'Ready' && status === 'True')) return 'healthy';
  return phase === 'Running' ? 'degraded' : 'progressing';
}

function timeOf(time: string | undefined): number {
  return time === undefined ? 0 : Date.parse(time) || 0;
}

/** What finds the pods of a template: its own selector, or the label that jobs give theirs. */
export function podLabels({ kind, metadata, spec }: Thing): readonly string[] {
  if (kind === 'Job') return [`batch.kubernetes.io/job-name=${metadata.name}`];
  const { matchLabels } = (spec?.['selector'] ?? {}) as { readonly matchLabels?: Readonly<Record<string, string>> };
  return Object.entries(matchLabels ?? {}).map(([key, value]) => `${key}=${value}`);
}
