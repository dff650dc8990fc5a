/**
 * How endpoints are spread over EndpointSlices. Pure.
 *
 * An endpoint stays in the slice it is in, new ones fill the slices there are, and only then is another made: a change of
 * one pod is a change of one slice.
 */
import type { Endpoint, EndpointSlice, Service } from '#gen/kube/types.ts';
import { jsonEqual } from '#base/json.ts';
import type { Unnamed } from '#kube/client/kube-client.ts';
import { controlledBy, namespaceOf } from '../owners.ts';
import type { EndpointGroup } from './endpoints.ts';

export const SERVICE_NAME = 'kubernetes.io/service-name';
export const MANAGED_BY = 'endpointslice.kubernetes.io/managed-by';
export const MANAGER = 'endpointslice-controller.k8s.io';
const HEADLESS = 'service.kubernetes.io/headless';
const MAX_ENDPOINTS = 100;

export interface SlicePlan {
  readonly create: readonly Unnamed<EndpointSlice>[];
  readonly update: readonly EndpointSlice[];
  readonly remove: readonly EndpointSlice[];
}

export function planSlices(
  service: Service,
  groups: readonly EndpointGroup[],
  existing: readonly EndpointSlice[],
): SlicePlan {
  // A Service that has no pods still has a slice, which says so.
  const wanted = groups.length > 0 ? groups : [{ ports: [], endpoints: [] }];
  const left = new Set(existing);
  const create: Unnamed<EndpointSlice>[] = [];
  const update: EndpointSlice[] = [];
  for (const group of wanted) {
    const fitting = [...left].filter(({ ports = [] }) => jsonEqual(ports, group.ports));
    const { filled, rest } = refill(group.endpoints, fitting);
    for (const [slice, endpoints] of filled) {
      if (endpoints.length === 0 && (filled.size > 1 || wanted.length > 1)) continue;
      left.delete(slice);
      const next = { ...slice, metadata: { ...slice.metadata, labels: labelsOf(service) }, endpoints };
      if (!jsonEqual(next, slice)) update.push(next);
    }
    const isEmpty = group.endpoints.length === 0 && filled.size === 0;
    for (const endpoints of isEmpty ? [[]] : chunks(rest)) create.push(newSlice(service, group, endpoints));
  }
  return { create, update, remove: [...left] };
}

function refill(endpoints: readonly Endpoint[], slices: readonly EndpointSlice[]) {
  const byPod = new Map(endpoints.map((endpoint) => [podOf(endpoint), endpoint]));
  const filled = new Map<EndpointSlice, Endpoint[]>();
  for (const slice of slices) {
    const kept = slice.endpoints.flatMap((known) => {
      const endpoint = byPod.get(podOf(known));
      byPod.delete(podOf(known));
      return endpoint ? [endpoint] : [];
    });
    filled.set(slice, kept);
  }
  const rest = [...byPod.values()];
  for (const kept of filled.values()) kept.push(...rest.splice(0, MAX_ENDPOINTS - kept.length));
  return { filled, rest };
}

const podOf = ({ targetRef, addresses }: Endpoint) => targetRef?.uid ?? addresses.join();

function chunks(endpoints: readonly Endpoint[]): readonly (readonly Endpoint[])[] {
  return Array.from({ length: Math.ceil(endpoints.length / MAX_ENDPOINTS) }, (_, index) =>
    endpoints.slice(index * MAX_ENDPOINTS, (index + 1) * MAX_ENDPOINTS),
  );
}

function newSlice(service: Service, { ports }: EndpointGroup, endpoints: readonly Endpoint[]): Unnamed<EndpointSlice> {
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      generateName: `${service.metadata.name}-`,
      namespace: namespaceOf(service),
      labels: labelsOf(service),
      ownerReferences: [controlledBy(service)],
    },
    addressType: 'IPv4',
    endpoints,
    ports,
  };
}

function labelsOf({ metadata, spec }: Service): Record<string, string> {
  return {
    ...metadata.labels,
    [SERVICE_NAME]: metadata.name,
    [MANAGED_BY]: MANAGER,
    ...(spec?.clusterIP === 'None' ? { [HEADLESS]: '' } : {}),
  };
}
