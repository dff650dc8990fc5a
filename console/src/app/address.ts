/** Where the console shows an object. */
import type { Found } from '#gen/proto/kairship/api/search/v1alpha1/search_service_pb.ts';
import { POLICIES, RESOURCES, WORKLOADS } from '../api/kinds.ts';

interface Shown {
  readonly instance: string;
  /** Empty for the control plane. */
  readonly cluster: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** The page of an object; undefined for what has none. */
export function placeOf({ instance, cluster, kind, namespace, name }: Shown): string | undefined {
  const at = `/i/${instance}`;
  if (WORKLOADS.some((known) => known.kind === kind))
    return `${at}/workloads/${kind}/${namespace}/${name}${cluster ? '/clusters' : ''}`;
  if (!cluster && POLICIES.some((known) => known.kind === kind))
    return `${at}/policies/${kind}/${namespace || '-'}/${name}`;
  if (!cluster && kind === 'Cluster') return `${at}/clusters/${name}`;
  if (!cluster && RESOURCES.some((known) => known.kind === kind))
    return `${at}/resources/${kind}/${namespace || '-'}/${name}`;
  if (cluster && kind === 'Pod') return `${at}/pods?${new URLSearchParams({ q: name, cluster, ns: namespace })}`;
  return undefined;
}

/** Of something a search has found: what has no page is shown by the search itself, opened. */
export function addressOf({ instance, cluster, resource }: Found): string {
  const { kind = '', namespace = '', name = '' } = resource ?? {};
  return (
    placeOf({ instance, cluster, kind, namespace, name }) ??
    `/search?q=${encodeURIComponent(`kind:${kind.toLowerCase()} name:${name}`)}&instance=${instance}`
  );
}
