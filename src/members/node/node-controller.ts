/** Keeps nodes alive: says how they are, taints those that are not well, renews their leases. */
import type { Lease, Node } from '#gen/kube/types.ts';
import { type Clock, rfc3339, rfc3339Micro } from '#base/clock.ts';
import { jsonEqual } from '#base/json.ts';
import { hasReason } from '#base/status-error.ts';
import { KUBERNETES_VERSION } from '#kube/apiserver/version.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { type Controller, done, type Outcome, type Reconcile, retryIn } from '#kube/runtime/controller.ts';
import type { EventRecorder } from '#kube/runtime/events.ts';
import type { Addresses } from '../addresses.ts';
import type { ClusterView } from '../cluster-view.ts';
import { requestedHealth } from '../requests.ts';
import { LEASES, NODES } from '../resources.ts';
import { healthTaints, healthyStatus } from './node-health.ts';
import { nodeOf, type NodeShape } from './node-shape.ts';

const VERSION = KUBERNETES_VERSION.gitVersion;
const LEASE_NAMESPACE = 'kube-node-lease';
const LEASE_SECONDS = 40;

/** Makes the cluster's nodes at start; nodes that exist, and what people did to them, are left alone. */
export async function ensureNodes(
  client: KubeClient,
  cluster: string,
  shape: NodeShape,
  addresses: Addresses,
): Promise<void> {
  const nodes = Array.from({ length: shape.count }, (_, index) =>
    nodeOf(cluster, index + 1, shape, addresses, VERSION),
  );
  await Promise.all(
    nodes.map((node) =>
      client.create<Node>(NODES, node).catch((error: unknown) => {
        if (!hasReason(error, 'AlreadyExists')) throw error;
      }),
    ),
  );
}

export function nodeController({
  client,
  clock,
  view,
  events,
  leaseMs,
}: {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly view: ClusterView;
  readonly events: EventRecorder;
  /** How often leases are renewed. */
  readonly leaseMs: number;
}): Controller {
  const renewedAt = new Map<string, number>();

  async function reconcile({ key }: Reconcile): Promise<Outcome> {
    const node = view.nodes.get(key);
    if (!node) {
      renewedAt.delete(key);
      return done;
    }
    const health = requestedHealth(node);
    const reported = await report(node);
    await taint(reported);
    if (health === 'gone') return done;
    return renew(reported);
  }

  async function report(node: Node): Promise<Node> {
    const status = healthyStatus(node, requestedHealth(node), VERSION, rfc3339(clock.now()));
    if (jsonEqual(status, node.status)) return node;
    const written = await client.update<Node>(NODES, { ...node, status }, { subresource: 'status' });
    if (readiness(node) !== readiness(written)) tell(written);
    return written;
  }

  function tell(node: Node): void {
    const reason = readiness(node) === 'True' ? 'NodeReady' : 'NodeNotReady';
    events.event(node, 'Normal', reason, `Node ${node.metadata.name} status is now: ${reason}`);
  }

  async function taint(node: Node): Promise<void> {
    const taints = healthTaints(node, requestedHealth(node), rfc3339(clock.now()));
    if (jsonEqual(taints, node.spec?.taints ?? [])) return;
    await client.update<Node>(NODES, { ...node, spec: { ...node.spec, taints } });
  }

  async function renew(node: Node): Promise<Outcome> {
    const { name } = node.metadata;
    const left = (renewedAt.get(name) ?? -leaseMs) + leaseMs - clock.now();
    if (left > 0) return retryIn(left, 'then its lease is renewed');
    renewedAt.set(name, clock.now());
    const renewTime = rfc3339Micro(clock.now());
    const body = { spec: { renewTime } };
    await client
      .patch(LEASES, { namespace: LEASE_NAMESPACE, name }, { type: 'merge', body })
      .catch((error: unknown) => {
        if (!hasReason(error, 'NotFound')) throw error;
        return client.create<Lease>(LEASES, leaseOf(node, renewTime));
      });
    return retryIn(leaseMs, 'then its lease is renewed');
  }

  return {
    name: 'node-lifecycle',
    concurrency: 8,
    watches: [{ gvr: NODES }],
    reconcile,
  };
}

const readiness = ({ status }: Node) => status?.conditions?.find(({ type }) => type === 'Ready')?.status;

function leaseOf({ metadata }: Node, renewTime: string): Lease {
  const { name, uid = '' } = metadata;
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: {
      name,
      namespace: LEASE_NAMESPACE,
      ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name, uid }],
    },
    spec: { holderIdentity: name, leaseDurationSeconds: LEASE_SECONDS, renewTime },
  };
}
