/** `kairship why`: the decision behind a placement, read from the instance that made it. */
import pc from 'picocolors';
import { hasReason } from '#base/status-error.ts';
import type { ResourceBinding } from '#karmada/apis/index.ts';
import { CLUSTER_RESOURCE_BINDING, RESOURCE_BINDING } from '#karmada/apis/resources.ts';
import { ANNOTATIONS } from '#karmada/apis/well-known.ts';
import { type Why, type WhyCluster, why as whyOf, whyCluster } from '#karmada/explain/index.ts';
import { bindingName } from '#karmada/names/index.ts';
import type { Explanation } from '#karmada/scheduler/index.ts';
import { type HttpClient, httpClient } from '#kube/client/http-client.ts';
import { loadKubeconfig } from '#kube/client/load-config.ts';
import { restMapper } from '#kube/client/rest-mapper.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { connected, type ConnectionOptions } from '../cli/connection.ts';
import { CommandFailure, EXIT } from '../cli/failure.ts';
import { type Format, printValue, write } from '../cli/output.ts';
import { referenceOf } from '../cli/reference.ts';
import { table } from '../cli/table.ts';

export interface WhyOptions extends ConnectionOptions {
  readonly namespace: string;
  /** An instance's own kubeconfig, instead of the platform. */
  readonly kubeconfig?: string;
  readonly cluster?: string;
  readonly output?: Format;
}

interface ExplanationObject extends KubeObject {
  readonly explanation: Explanation;
}

const EXPLANATIONS = { group: 'placement.kairship.io', version: 'v1alpha1', resource: 'explanations' };
const CLUSTER_EXPLANATIONS = { ...EXPLANATIONS, resource: 'clusterexplanations' };

export function why(reference: string, options: WhyOptions): Promise<void> {
  const { kubeconfig } = options;
  if (kubeconfig !== undefined) return withKubeconfig(kubeconfig, (client) => explain(client, reference, options));
  return connected(options, async (on) => explain(on.kube(await on.theInstance()), reference, options));
}

async function withKubeconfig(path: string, work: (client: HttpClient) => Promise<void>): Promise<void> {
  const config = await loadKubeconfig(path).catch((cause: unknown) => {
    const found = cause instanceof Error ? cause.message : String(cause);
    throw new CommandFailure(`cannot use ${path}`, { why: found, next: 'check --kubeconfig', cause });
  });
  const client = httpClient({ ...config, userAgent: 'kairship' });
  try {
    await work(client);
  } finally {
    client.close();
  }
}

async function explain(client: HttpClient, reference: string, options: WhyOptions): Promise<void> {
  const { kind: word, name } = referenceOf(reference, 'kairship why');
  const { kind, namespaced } = await restMapper(client).byName(word);
  const namespace = namespaced ? options.namespace : undefined;
  const key = { ...(namespace === undefined ? {} : { namespace }), name: bindingName(kind, name) };
  const binding = await find<ResourceBinding>(client, namespaced ? RESOURCE_BINDING : CLUSTER_RESOURCE_BINDING, key);
  if (!binding) throw unbound(reference, namespace);
  const object = await find<ExplanationObject>(client, namespaced ? EXPLANATIONS : CLUSTER_EXPLANATIONS, key);
  if (!object) throw undecided(reference);
  const { output } = options;
  if (output && output.type !== 'table' && output.type !== 'name') return printValue(object.explanation, output);
  write(render(reference, binding, object.explanation, options));
}

function render(
  reference: string,
  binding: ResourceBinding,
  explanation: Explanation,
  { cluster, namespace }: WhyOptions,
): string {
  if (cluster === undefined) return summary(reference, namespace, binding, whyOf(explanation));
  const about = whyCluster(explanation, cluster);
  if (about) return everything(cluster, about);
  throw new CommandFailure(`cluster "${cluster}" was not considered`, {
    why: 'the instance did not know it when this was decided',
    next: 'kairship cluster list',
    code: EXIT.notFound,
  });
}

async function find<T extends KubeObject>(
  client: HttpClient,
  gvr: typeof EXPLANATIONS,
  key: { namespace?: string; name: string },
) {
  try {
    return await client.get<T>(gvr, key);
  } catch (error) {
    if (hasReason(error, 'NotFound')) return undefined;
    throw error;
  }
}

function unbound(reference: string, namespace: string | undefined): CommandFailure {
  const [where, policy, flag] =
    namespace === undefined
      ? ['', 'ClusterPropagationPolicy', '']
      : [` in namespace ${namespace}`, 'PropagationPolicy', ` -n ${namespace}`];
  const policies = namespace === undefined ? 'clusterpropagationpolicies' : 'propagationpolicies';
  return new CommandFailure(`${reference}${where} is not distributed`, {
    why: `it does not exist, or no ${policy} selects it`,
    next: `kairship get ${reference} ${policies} --scope instance${flag}`,
    code: EXIT.notFound,
  });
}

function undecided(reference: string): CommandFailure {
  return new CommandFailure(`nothing has been decided about ${reference} yet`, {
    why: 'the scheduler has not come to it, or scheduling is suspended',
    next: 'ask again in a moment',
    code: EXIT.notFound,
  });
}

function summary(reference: string, namespace: string, binding: ResourceBinding, decided: Why): string {
  const { name } = binding.spec.resource;
  const rows = decided.rows.map(({ cluster, verdict, replicas, capacity, reason, moreReasons }) => [
    cluster,
    paint(verdict),
    replicas === undefined ? '–' : String(replicas),
    capacity === undefined ? '–' : String(capacity),
    moreReasons.length === 0 ? reason : `${reason} (${moreReasons.length} more: --cluster ${cluster})`,
  ]);
  const { columns } = process.stdout;
  return [
    [
      pc.bold(name),
      readiness(binding, decided),
      `on ${decided.placedOn} of ${decided.clusters} clusters`,
      byPolicy(binding),
    ]
      .filter(Boolean)
      .join('  '),
    '',
    table(['CLUSTER', 'VERDICT', 'REPLICAS', 'CAPACITY', 'REASON'], rows, columns ? { width: columns } : {}),
    '',
    ...(decided.outcome.type === 'scheduled' ? [] : [pc.red(decided.outcome.message)]),
    ...passedOver(decided),
    [
      `Decided ${age(decided.decidedAt)}${decided.because ? `, because ${decided.because}` : ''} (binding generation ${decided.generation}).`,
      `Would it differ now?  ${pc.cyan(`kairship plan ${reference}${namespace === 'default' ? '' : ` -n ${namespace}`}`)}`,
    ].join('  '),
  ].join('\n');
}

/** Groups of clusters that were tried before the one that was taken. */
function passedOver({ passedOver: groups, affinityName }: Why): readonly string[] {
  if (groups.length === 0) return [];
  return [
    ...groups.map((group) => `Cluster group ${group.affinityName} was passed over: ${group.message}`),
    `Cluster group ${affinityName ?? ''} was taken.`,
  ];
}

function everything(cluster: string, { row, steps }: WhyCluster): string {
  const lines = steps.map(({ name, mark, text }) => [name, mark, text]);
  return [
    `${pc.bold(cluster)}  ${paint(row.verdict)}  ${row.reason}`,
    '',
    table(['STEP', 'VERDICT', 'DETAIL'], lines),
  ].join('\n');
}

function readiness(binding: ResourceBinding, { placedReplicas }: Why): string {
  if (placedReplicas === 0) return '';
  const statuses = binding.status?.aggregatedStatus ?? [];
  const ready = statuses.reduce(
    (sum, { status }) => sum + ((status as { readyReplicas?: number } | undefined)?.readyReplicas ?? 0),
    0,
  );
  return `${ready}/${placedReplicas} ready`;
}

function byPolicy({ metadata }: ResourceBinding): string {
  const { annotations = {} } = metadata;
  const name = annotations[ANNOTATIONS.propagationPolicyName];
  if (name !== undefined)
    return `by PropagationPolicy ${annotations[ANNOTATIONS.propagationPolicyNamespace] ?? ''}/${name}`;
  const cluster = annotations[ANNOTATIONS.clusterPropagationPolicyName];
  return cluster === undefined ? '' : `by ClusterPropagationPolicy ${cluster}`;
}

function paint(verdict: string): string {
  if (verdict === 'placed') return pc.green(verdict);
  return verdict === 'refused' ? pc.red(verdict) : pc.dim(verdict);
}

function age(at: string): string {
  const seconds = Math.max(0, Math.round((Date.now() - Date.parse(at)) / 1000));
  if (seconds < 120) return `${seconds} s ago`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min ago`;
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} h ago` : `${Math.round(seconds / 86_400)} days ago`;
}
