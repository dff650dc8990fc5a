/**
 * Reads the metrics of an autoscaler from the members its workload runs in, all at once.
 *
 * Resource metrics come from metrics.k8s.io, metrics of pods and objects from custom.metrics.k8s.io, external ones from
 * external.metrics.k8s.io. Values of the same thing in several members are summed. A member that does not serve an API
 * or does not answer is named; only when none answers the reading has failed.
 */
import { hasReason } from '#base/status-error.ts';
import type { MetricIdentifier, MetricSpec, ObjectMetricSource } from '#gen/kube/types.ts';
import type { Member } from '#karmada/cluster/index.ts';
import { type Gvr, groupResource, parseApiVersion } from '#kube/meta/gvk.ts';
import { selectorOf } from '#kube/meta/label-selector.ts';
import { decodeMetricValues, decodePodMetrics, type MetricValue, type PodMetrics, sampleOf } from './decode-metrics.ts';
import type { Reading } from './evaluate-metric.ts';
import type { Sample } from './pod-groups.ts';

type MetricsMember = Pick<Member, 'name' | 'client' | 'mapper'>;

export interface MemberMetricsInput {
  readonly members: readonly MetricsMember[];
  readonly namespace: string;
  /** Of the workload's pods. */
  readonly selector: string;
  readonly signal: AbortSignal;
}

const POD_METRICS: Gvr = { group: 'metrics.k8s.io', version: 'v1beta1', resource: 'pods' };
const CUSTOM = { group: 'custom.metrics.k8s.io', versions: ['v1beta2', 'v1beta1'] } as const;
const EXTERNAL = { group: 'external.metrics.k8s.io', versions: ['v1beta1'] } as const;

/** The reading of one metric; pods are asked for once, however many metrics are read from them. */
export function memberMetrics(input: MemberMetricsInput): (spec: MetricSpec) => Promise<Reading> {
  const { members, namespace, selector, signal } = input;
  const podMetrics = new Map<string, Promise<readonly PodMetrics[]>>();

  function podMetricsOf({ name, client }: MetricsMember): Promise<readonly PodMetrics[]> {
    let asked = podMetrics.get(name);
    if (!asked) {
      asked = client
        .list(POD_METRICS, { namespace, labelSelector: selector, signal })
        .then(({ items }) => items.map(decodePodMetrics));
      podMetrics.set(name, asked);
    }
    return asked;
  }

  async function ofPods(
    api: string,
    ask: (member: MetricsMember) => Promise<readonly (readonly [pod: string, sample: Sample])[]>,
  ): Promise<Reading> {
    const { answers, silent } = await askAll(members, api, ask);
    if (answers.length === 0) return failed(api, silent);
    const samples = new Map(
      answers.flatMap(({ name, answer }) => answer.map(([pod, sample]) => [`${name}/${pod}`, sample])),
    );
    return samples.size > 0 ? { type: 'samples', samples, silent } : nothing(api);
  }

  async function ofValues(
    api: string,
    ask: (member: MetricsMember) => Promise<readonly MetricValue[]>,
  ): Promise<Reading> {
    const { answers, silent } = await askAll(members, api, ask);
    const values = answers.flatMap(({ answer }) => answer.map(({ sample }) => sample.value));
    if (answers.length === 0) return failed(api, silent);
    return values.length > 0 ? { type: 'value', value: values.reduce((a, b) => a + b, 0), silent } : nothing(api);
  }

  const resource = (name: string, container?: string) =>
    ofPods(POD_METRICS.group, async (member) => samplesOf(await podMetricsOf(member), namespace, name, container));

  return async (spec) => {
    if (spec.resource) return resource(spec.resource.name);
    if (spec.containerResource) return resource(spec.containerResource.name, spec.containerResource.container);
    if (spec.pods) {
      const { metric } = spec.pods;
      const query = queryOf({ labelSelector: selector, metricLabelSelector: selectorText(metric) });
      const path = `namespaces/${namespace}/pods/*/${metric.name}${query}`;
      return ofPods(CUSTOM.group, async (member) =>
        (await valuesAt(member, CUSTOM, path, signal)).flatMap(({ name, sample }) => (name ? [[name, sample]] : [])),
      );
    }
    if (spec.object) {
      const { object } = spec;
      return ofValues(CUSTOM.group, async (member) =>
        valuesAt(member, CUSTOM, await objectPath(member, namespace, object), signal),
      );
    }
    if (spec.external) {
      const { metric } = spec.external;
      const path = `namespaces/${namespace}/${metric.name}${queryOf({ labelSelector: selectorText(metric) })}`;
      return ofValues(EXTERNAL.group, (member) => valuesAt(member, EXTERNAL, path, signal));
    }
    return { type: 'failed', message: 'the metric has no source' };
  };
}

function samplesOf(
  metrics: readonly PodMetrics[],
  namespace: string,
  resource: string,
  container: string | undefined,
): readonly (readonly [pod: string, sample: Sample])[] {
  return metrics.flatMap((each) => {
    const sample = sampleOf(each, resource, container);
    if (sample === 'absent') {
      throw new Error(`container ${container} not present in metrics for pod ${namespace}/${each.pod}`);
    }
    return sample ? [[each.pod, sample] as const] : [];
  });
}

interface Answers<T> {
  readonly answers: readonly { readonly name: string; readonly answer: T }[];
  /** Who did not answer, and why. */
  readonly silent: readonly string[];
}

async function askAll<T>(
  members: readonly MetricsMember[],
  api: string,
  ask: (member: MetricsMember) => Promise<T>,
): Promise<Answers<T>> {
  const results = await Promise.allSettled(members.map(ask));
  const answers: { name: string; answer: T }[] = [];
  const silent: string[] = [];
  for (const [at, { name }] of members.entries()) {
    const result = results[at];
    if (result?.status === 'fulfilled') answers.push({ name, answer: result.value });
    else silent.push(`cluster ${name}: ${whyNot(result?.reason, api)}`);
  }
  return { answers, silent };
}

function whyNot(error: unknown, api: string): string {
  const message = error instanceof Error ? error.message : String(error);
  return hasReason(error, 'NotFound') ? `does not serve it from ${api} (${message})` : message;
}

function failed(api: string, silent: readonly string[]): Reading {
  return { type: 'failed', message: `unable to fetch metrics from ${NAMES[api]}: ${silent.join('; ')}` };
}

function nothing(api: string): Reading {
  return { type: 'failed', message: `no metrics returned from ${NAMES[api]}` };
}

const NAMES: Readonly<Record<string, string>> = {
  [POD_METRICS.group]: 'resource metrics API',
  [CUSTOM.group]: 'custom metrics API',
  [EXTERNAL.group]: 'external metrics API',
};

interface MetricsApi {
  readonly group: string;
  readonly versions: readonly string[];
}

/** In the newest version the member serves. */
async function valuesAt(
  member: MetricsMember,
  { group, versions }: MetricsApi,
  path: string,
  signal: AbortSignal,
): Promise<readonly MetricValue[]> {
  const [newest = '', ...older] = versions;
  try {
    return decodeMetricValues(JSON.parse(await member.client.getText(`/apis/${group}/${newest}/${path}`, signal)));
  } catch (error) {
    if (older.length === 0 || !hasReason(error, 'NotFound')) throw error;
    return valuesAt(member, { group, versions: older }, path, signal);
  }
}

async function objectPath(
  { mapper }: MetricsMember,
  namespace: string,
  { describedObject, metric }: ObjectMetricSource,
): Promise<string> {
  const { apiVersion = 'v1', kind, name } = describedObject;
  const query = queryOf({ metricLabelSelector: selectorText(metric) });
  if (kind === 'Namespace') return `namespaces/${namespace}/metrics/${metric.name}${query}`;
  const resource = groupResource(await mapper.byKind({ ...parseApiVersion(apiVersion), kind }));
  return `namespaces/${namespace}/${resource}/${encodeURIComponent(name)}/${metric.name}${query}`;
}

function selectorText({ selector }: MetricIdentifier): string {
  return selector ? String(selectorOf(selector)) : '';
}

function queryOf(parameters: Readonly<Record<string, string>>): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== '');
  return given.length > 0 ? `?${new URLSearchParams(given).toString()}` : '';
}
