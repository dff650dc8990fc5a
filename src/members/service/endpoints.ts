/** Which pods stand behind a Service, and under which ports. Pure. */
import type { DiscoveryV1EndpointPort as EndpointPort, Endpoint, Node, Pod, Service } from '#gen/kube/types.ts';
import { defined } from '../defined.ts';
import { namespaceOf } from '../owners.ts';
import { isOver, isPodReady } from '../workload/pod-state.ts';

/** Endpoints that have the same ports: pods may call different numbers by one name. */
export interface EndpointGroup {
  readonly ports: readonly EndpointPort[];
  readonly endpoints: readonly Endpoint[];
}

export function endpointGroups(
  service: Service,
  pods: readonly Pod[],
  nodeOf: (name: string) => Node | undefined,
): readonly EndpointGroup[] {
  const groups = new Map<string, { readonly ports: readonly EndpointPort[]; readonly endpoints: Endpoint[] }>();
  for (const pod of pods) {
    if (isOver(pod) || !pod.status?.podIP || !pod.spec?.nodeName) continue;
    const ports = portsOf(service, pod);
    const key = JSON.stringify(ports);
    const group = groups.get(key) ?? { ports, endpoints: [] };
    groups.set(key, group);
    group.endpoints.push(endpointOf(service, pod, nodeOf(pod.spec.nodeName)));
  }
  return [...groups.values()];
}

export function isSelecting({ spec }: Service, pod: Pod): boolean {
  const wanted = Object.entries(spec?.selector ?? {});
  return wanted.length > 0 && wanted.every(([key, value]) => pod.metadata.labels?.[key] === value);
}

function endpointOf(service: Service, pod: Pod, node: Node | undefined): Endpoint {
  const serving = isPodReady(pod);
  const terminating = pod.metadata.deletionTimestamp !== undefined;
  const published = service.spec?.publishNotReadyAddresses === true;
  const isNamed = pod.spec?.hostname && pod.spec.subdomain === service.metadata.name;
  const { name, uid } = pod.metadata;
  return {
    addresses: [pod.status?.podIP ?? ''],
    conditions: { ready: published || (serving && !terminating), serving, terminating },
    ...(isNamed ? { hostname: pod.spec?.hostname ?? '' } : {}),
    targetRef: { kind: 'Pod', namespace: namespaceOf(pod), name, ...defined({ uid }) },
    ...defined({ nodeName: pod.spec?.nodeName, zone: node?.metadata.labels?.['topology.kubernetes.io/zone'] }),
  };
}

function portsOf({ spec }: Service, pod: Pod): readonly EndpointPort[] {
  return (spec?.ports ?? []).flatMap(({ name = '', protocol = 'TCP', port, targetPort = port, appProtocol }) => {
    const number = typeof targetPort === 'number' ? targetPort || port : namedPort(pod, targetPort, protocol);
    return number === undefined ? [] : [{ name, port: number, protocol, ...defined({ appProtocol }) }];
  });
}

function namedPort({ spec }: Pod, wanted: string, wantedProtocol: string): number | undefined {
  for (const { ports = [] } of spec?.containers ?? []) {
    const found = ports.find(({ name, protocol = 'TCP' }) => name === wanted && protocol === wantedProtocol);
    if (found) return found.containerPort;
  }
  return undefined;
}
