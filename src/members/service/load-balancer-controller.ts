/**
 * Stands in for the cloud in front of a cluster: gives Services of type LoadBalancer, and Ingresses, an address.
 *
 * All Ingresses share the one of a controller that is not there. Nothing answers at any of them.
 */
import type { Ingress, Service, ServiceStatus } from '#gen/kube/types.ts';
import { jsonEqual } from '#base/json.ts';
import { hasReason } from '#base/status-error.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { keyOf } from '#kube/meta/object.ts';
import { type Controller, done, type Outcome, type Reconcile } from '#kube/runtime/controller.ts';
import type { EventRecorder } from '#kube/runtime/events.ts';
import type { Addresses } from '../addresses.ts';
import type { ClusterView } from '../cluster-view.ts';
import { INGRESS_CLASSES, INGRESSES, SERVICES } from '../resources.ts';

interface Deps {
  readonly client: KubeClient;
  readonly view: ClusterView;
  readonly events: EventRecorder;
  readonly addresses: Addresses;
}

/** The address of all Ingresses, as that of a load balancer of this name. */
const INGRESS = 'kube-system/ingress';

export function loadBalancerController({ client, view, events, addresses }: Deps): Controller {
  async function reconcile({ key }: Reconcile): Promise<Outcome> {
    const service = view.services.get(key);
    if (!service || service.metadata.deletionTimestamp !== undefined) return done;
    // A class of its own is somebody else's to serve.
    if (service.spec?.type === 'LoadBalancer' && service.spec.loadBalancerClass !== undefined) return done;
    const wanted = statusOf(service);
    if (jsonEqual(wanted.loadBalancer ?? {}, service.status?.loadBalancer ?? {})) return done;
    const isNew = wanted.loadBalancer?.ingress !== undefined;
    if (isNew) events.event(service, 'Normal', 'EnsuringLoadBalancer', 'Ensuring load balancer');
    await client.update<Service>(SERVICES, { ...service, status: wanted }, { subresource: 'status' });
    if (isNew) events.event(service, 'Normal', 'EnsuredLoadBalancer', 'Ensured load balancer');
    return done;
  }

  function statusOf(service: Service): ServiceStatus {
    if (service.spec?.type !== 'LoadBalancer') return { ...service.status, loadBalancer: {} };
    const known = service.status?.loadBalancer?.ingress?.[0]?.ip;
    const ip = service.spec.loadBalancerIP || known || addresses.balancerAddress(keyOf(service), taken());
    return { ...service.status, loadBalancer: { ingress: [{ ip, ipMode: 'VIP' }] } };
  }

  const taken = () => new Set(view.services.list().flatMap(addressesOf).concat(ingressAddress(addresses)));

  // One at a time: an address is free only as long as nobody else has been given it.
  return { name: 'service', concurrency: 1, watches: [{ gvr: SERVICES }], reconcile };
}

const addressesOf = ({ status }: Service) => (status?.loadBalancer?.ingress ?? []).flatMap(({ ip }) => ip ?? []);

const ingressAddress = (addresses: Addresses) => addresses.balancerAddress(INGRESS, new Set());

export function ingressController({ client, addresses }: Pick<Deps, 'client' | 'addresses'>): Controller {
  const loadBalancer = { ingress: [{ ip: ingressAddress(addresses) }] };

  async function reconcile({ key }: Reconcile): Promise<Outcome> {
    const [namespace = '', name = ''] = key.split('/');
    const ingress = await client.get<Ingress>(INGRESSES, { namespace, name }).catch(ifGone);
    if (!ingress || jsonEqual(ingress.status?.loadBalancer, loadBalancer)) return done;
    await client.update<Ingress>(INGRESSES, { ...ingress, status: { loadBalancer } }, { subresource: 'status' });
    return done;
  }
  return { name: 'ingress', concurrency: 4, watches: [{ gvr: INGRESSES }], reconcile };
}

function ifGone(error: unknown): undefined {
  if (!hasReason(error, 'NotFound')) throw error;
}

/** What clusters have from their first day: the API server's own Service and a class of Ingresses. */
export async function ensureNetwork(client: KubeClient): Promise<void> {
  const ignoreExisting = (error: unknown) => {
    if (!hasReason(error, 'AlreadyExists')) throw error;
  };
  await client
    .create<Service>(SERVICES, {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: {
        name: 'kubernetes',
        namespace: 'default',
        labels: { component: 'apiserver', provider: 'kubernetes' },
      },
      spec: {
        type: 'ClusterIP',
        clusterIP: '10.96.0.1',
        ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: 6443 }],
      },
    })
    .catch(ignoreExisting);
  await client
    .create(INGRESS_CLASSES, {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'IngressClass',
      metadata: { name: 'standard', annotations: { 'ingressclass.kubernetes.io/is-default-class': 'true' } },
      spec: { controller: 'members.kairship.io/simulated' },
    })
    .catch(ignoreExisting);
}
