/** Where the console shows an object. */
import type { Found } from '#gen/proto/kairship/api/search/v1alpha1/search_service_pb.ts';
import { POLICIES, RESOURCES, WORKLOADS } from '../api/kinds.ts';

export function addressOf({ instance, cluster, resource }: Found): string {
  const { kind = '', namespace = '', name = '' } = resource ?? {};
  const at = `/i/${instance}`;
  if (WORKLOADS.some((known) => known.kind === kind))
    return `${at}/workloads/${kind}/${namespace}/${name}${cluster ? '/clusters' : ''}`;
  if (!cluster && POLICIES.some((known) => known.kind === kind))
    return `${at}/policies/${kind}/${namespace || '-'}/${name}`;
  if (!cluster && kind === 'Cluster') return `${at}/clusters/${name}`;
  if (!cluster && RESOURCES.some((known) => known.kind === kind))
    return `${at}/resources/${kind}/${namespace || '-'}/${name}`;
  if (cluster && kind === 'Pod') return `${at}/pods?${new URLSearchParams({ q: name, cluster, ns: namespace })}`;
  // Anything else is shown by the search itself, opened.
  return `/search?q=${encodeURIComponent(`kind:${kind.toLowerCase()} name:${name}`)}&instance=${instance}`;
}
