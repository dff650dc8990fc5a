/** The Endpoints object of a Service, which EndpointSlices have replaced and old clients still read. Pure. */
import type { CoreV1EndpointPort, Endpoint, EndpointAddress, Endpoints, Service } from '#gen/kube/types.ts';
import { defined } from '../defined.ts';
import { controlledBy, namespaceOf } from '../owners.ts';
import type { EndpointGroup } from './endpoints.ts';

/** More than that were never listed here; slices list them all. */
const MAX_ADDRESSES = 1000;

export function legacyEndpoints(service: Service, groups: readonly EndpointGroup[]): Endpoints {
  const { name, labels } = service.metadata;
  return {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: {
      name,
      namespace: namespaceOf(service),
      labels: { ...labels, 'endpoints.kubernetes.io/managed-by': 'endpoint-controller' },
      ownerReferences: [controlledBy(service)],
    },
    subsets: groups
      .map(({ ports, endpoints }) => subsetOf(ports as readonly CoreV1EndpointPort[], endpoints))
      .filter(({ addresses, notReadyAddresses }) => addresses ?? notReadyAddresses),
  };
}

function subsetOf(ports: readonly CoreV1EndpointPort[], endpoints: readonly Endpoint[]) {
  const listed = endpoints.slice(0, MAX_ADDRESSES).toSorted(byAddress);
  const ready = listed.filter(({ conditions }) => conditions?.ready === true).map(addressOf);
  const others = listed.filter(({ conditions }) => conditions?.ready !== true && conditions?.terminating !== true);
  return defined({
    addresses: ready.length > 0 ? ready : undefined,
    notReadyAddresses: others.length > 0 ? others.map(addressOf) : undefined,
    ports: ports.length > 0 ? ports.map(({ name, ...port }) => ({ ...(name ? { name } : {}), ...port })) : undefined,
  });
}

const byAddress = (a: Endpoint, b: Endpoint) => ((a.addresses[0] ?? '') < (b.addresses[0] ?? '') ? -1 : 1);

function addressOf({ addresses, nodeName, targetRef, hostname }: Endpoint): EndpointAddress {
  return { ip: addresses[0] ?? '', ...defined({ hostname, nodeName, targetRef }) };
}
