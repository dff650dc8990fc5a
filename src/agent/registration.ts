/**
 * How an agent takes up its cluster: the Cluster waits in the control plane since the token was made, and learns here
 * which cluster it is and where.
 *
 * A Cluster that is not there was removed, and is not brought back: whoever removed it meant it.
 */
import { hasReason, StatusError } from '#base/status-error.ts';
import { type Cluster, CLUSTER } from '#karmada/apis/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';

export interface ClusterFacts {
  readonly provider?: string;
  readonly region?: string;
  readonly zones?: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
  /** Where the member is for those near it; nobody connects there from the control plane. */
  readonly apiEndpoint?: string;
}

const NAMESPACE = { group: '', version: 'v1', resource: 'namespaces' };

export async function register(
  control: KubeClient,
  member: KubeClient,
  name: string,
  { labels, ...where }: ClusterFacts,
): Promise<Cluster> {
  const id = (await member.get(NAMESPACE, { name: 'kube-system' })).metadata.uid ?? '';
  const cluster = await control.get<Cluster>(CLUSTER, { name }).catch((error: unknown) => {
    throw hasReason(error, 'NotFound') ? removed(name) : error;
  });
  refuseAnother(cluster, id);
  const spec = { ...(id === '' ? {} : { id }), ...where };
  const body = { spec, ...(labels ? { metadata: { labels } } : {}) };
  return control.patch<Cluster>(CLUSTER, { name }, { type: 'merge', body });
}

export function removed(name: string): StatusError {
  return new StatusError('Gone', `cluster "${name}" is no member any more: a new token makes it one again`);
}

function refuseAnother({ metadata: { name }, spec }: Cluster, id: string): void {
  if (spec.syncMode !== 'Pull')
    throw new StatusError(
      'Conflict',
      `cluster "${name}" is pushed to: it must leave before an agent may answer for it`,
    );
  if (spec.id !== undefined && spec.id !== '' && spec.id !== id)
    throw new StatusError(
      'Conflict',
      `"${name}" is another cluster: its kube-system is ${spec.id}, here it is ${id === '' ? 'unknown' : id}`,
    );
}
