/** The pods that are meant: by name, by the workload they belong to, or by labels, in every cluster that was asked. */
import { isObject } from '#base/json.ts';
import { restMapper } from '#kube/client/rest-mapper.ts';
import { formatLabelSelector, type Labels } from '#kube/meta/label-selector.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { CommandFailure, EXIT, usageFailure } from './failure.ts';
import { askAll, type Target } from './fan-out.ts';
import { isReference, referenceOf } from './reference.ts';

export const PODS = { group: '', version: 'v1', resource: 'pods' };

export interface Pod extends KubeObject {
  readonly spec: { readonly containers: readonly { readonly name: string }[] };
  readonly status?: {
    readonly phase?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

export interface PodIn {
  readonly target: Target;
  readonly pod: Pod;
}

export interface PodQuery {
  readonly namespace: string;
  readonly selector?: string;
  readonly memberTimeout: number;
}

export async function podsOf(
  members: readonly Target[],
  reference: string | undefined,
  query: PodQuery,
): Promise<readonly PodIn[]> {
  if (reference === undefined && query.selector === undefined)
    throw usageFailure('which pods?', 'a pod, a workload or labels are needed', 'say deployment/NAME, or -l app=NAME');
  const { cluster, kind, name } = reference === undefined ? ALL : parsed(reference);
  const asked = cluster === undefined ? members : members.filter((one) => one.cluster === cluster);
  const answers = await askAll(
    asked,
    async ({ client }, signal): Promise<readonly Pod[]> => {
      const { namespace } = query;
      if (kind === 'pod') return [await client.get<Pod>(PODS, { namespace, name }, { signal })];
      const labelSelector = kind === '' ? query.selector : await selectorOf(client, kind, name, namespace);
      return (await client.list<Pod>(PODS, { namespace, ...(labelSelector ? { labelSelector } : {}), signal })).items;
    },
    query.memberTimeout,
  );
  const found = answers.flatMap(({ target, value }) => value.map((pod) => ({ target, pod })));
  if (found.length > 0) return found;
  throw new CommandFailure(`no pods of ${reference ?? query.selector ?? ''}`, {
    why: `none of ${asked.map((one) => one.cluster).join(', ')} has one in namespace ${query.namespace}`,
    next: reference === undefined ? 'kairship get pods -A' : `kairship why ${reference}`,
    code: EXIT.notFound,
  });
}

const ALL = { cluster: undefined, kind: '', name: '' };

/** A bare name is a pod's. */
function parsed(reference: string) {
  if (!isReference(reference)) return { cluster: undefined, kind: 'pod', name: reference };
  const { cluster, kind, name } = referenceOf(reference, 'kairship logs');
  return { cluster, kind: /^(po|pods?)$/.test(kind) ? 'pod' : kind, name };
}

async function selectorOf(client: Target['client'], word: string, name: string, namespace: string): Promise<string> {
  const resource = await restMapper(client).byName(word);
  const { spec } = await client.get(resource, resource.namespaced ? { namespace, name } : { name });
  const selector = isObject(spec) ? spec['selector'] : undefined;
  if (!isObject(selector))
    throw usageFailure(
      `${word}/${name} has no pods`,
      `a ${resource.kind} selects none`,
      'say deployment/NAME or -l app=NAME',
    );
  // Services select by labels alone, workloads in a selector.
  const isPlain = !('matchLabels' in selector) && !('matchExpressions' in selector);
  return formatLabelSelector(isPlain ? { matchLabels: selector as Labels } : selector);
}

export const isReadyPod = ({ pod }: PodIn) =>
  pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true;
