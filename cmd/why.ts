/** `kairship why`: the decision behind a placement, read from the instance that made it. */
import pc from 'picocolors';
import { stringify } from 'yaml';
import { hasReason } from '#base/status-error.ts';
import { ANNOTATIONS, CLUSTER_RESOURCE_BINDING, RESOURCE_BINDING, type ResourceBinding } from '#karmada/apis/index.ts';
import { type Why, type WhyCluster, why as whyOf, whyCluster } from '#karmada/explain/index.ts';
import { bindingName } from '#karmada/names/index.ts';
import type { Explanation } from '#karmada/scheduler/index.ts';
import type { HttpClient } from '#kube/client/http-client.ts';
import { restMapper } from '#kube/client/rest-mapper.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { CommandFailure, EXIT } from './cli/failure.ts';
import { instanceClient } from './cli/local-platform.ts';
import { table } from './cli/table.ts';

export interface WhyOptions {
  readonly dataDir: string;
  readonly namespace: string;
  readonly kubeconfig?: string;
  readonly cluster?: string;
  readonly output?: 'json' | 'yaml';
}

interface ExplanationObject extends KubeObject {
  readonly explanation: Explanation;
}

const EXPLANATIONS = { group: 'placement.kairship.io', version: 'v1alpha1', resource: 'explanations' };
const CLUSTER_EXPLANATIONS = { ...EXPLANATIONS, resource: 'clusterexplanations' };

export async function why(reference: string, options: WhyOptions): Promise<void> {
  const client = await instanceClient(options);
  try {
    const { kind, name, namespaced } = await resolve(client, reference);
    const namespace = namespaced ? options.namespace : undefined;
    const key = { ...(namespace === undefined ? {} : { namespace }), name: bindingName(kind, name) };
    const binding = await find<ResourceBinding>(client, namespaced ? RESOURCE_BINDING : CLUSTER_RESOURCE_BINDING, key);
    if (!binding) throw unbound(reference, namespace);
    const object = await find<ExplanationObject>(client, namespaced ? EXPLANATIONS : CLUSTER_EXPLANATIONS, key);
    if (!object) throw undecided(reference);
    process.stdout.write(`${render(name, binding, object.explanation, options)}\n`);
  } finally {
    client.close();
  }
}

function render(
  name: string,
  binding: ResourceBinding,
  explanation: Explanation,
  { cluster, output }: WhyOptions,
): string {
  if (output === 'json') return JSON.stringify(explanation, undefined, 2);
  if (output === 'yaml') return stringify(explanation).trimEnd();
  if (cluster === undefined) return summary(name, binding, whyOf(explanation));
  const about = whyCluster(explanation, cluster);
  if (about) return everything(cluster, about);
  throw new CommandFailure(`cluster "${cluster}" was not considered`, {
    why: 'the instance did not know it when this was decided',
    next: 'kubectl get clusters',
    code: EXIT.notFound,
  });
}

/** `deployment/nginx`, `deploy/nginx`: the kind as kubectl takes it, and the name. */
async function resolve(
  client: HttpClient,
  reference: string,
): Promise<{ kind: string; name: string; namespaced: boolean }> {
  const [type = '', name = ''] = reference.split('/');
  if (type === '' || name === '') {
    throw new CommandFailure(`"${reference}" names no object`, {
      why: 'a kind and a name are needed',
      next: 'kairship why deployment/NAME',
      code: EXIT.usage,
    });
  }
  const { kind, namespaced } = await restMapper(client).byName(type);
  return { kind, name, namespaced };
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
    next: `kubectl get ${reference.replace('/', ' ')}${flag}; kubectl get ${policies}${flag}`,
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

function summary(name: string, binding: ResourceBinding, decided: Why): string {
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
    `Decided ${age(decided.decidedAt)} at generation ${decided.generation}${decided.because ? `, because ${decided.because}` : ''}.`,
  ].join('\n');
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
