import type { Node } from '#gen/kube/types.ts';
import { type Clock, rfc3339 } from '#base/clock.ts';
import { hasReason } from '#base/status-error.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { NODES } from '../resources.ts';

/** What the machines of a simulated cluster are like. */
export interface NodeShape {
  readonly count: number;
  readonly cpu: string;
  readonly memory: string;
  readonly region?: string;
  readonly zone?: string;
  readonly provider?: string;
}

/** Makes the cluster's nodes at start; nodes that exist, and what people did to them, are left alone. */
export async function ensureNodes(
  client: KubeClient,
  clock: Clock,
  cluster: string,
  shape: NodeShape,
  version: string,
): Promise<void> {
  for (let n = 1; n <= shape.count; n += 1) {
    const { status, ...node } = nodeOf(`${cluster}-node-${n}`, shape, rfc3339(clock.now()), version);
    try {
      await client.create<Node>(NODES, node);
    } catch (error) {
      if (!hasReason(error, 'AlreadyExists')) throw error;
    }
    const created = await client.get<Node>(NODES, node.metadata);
    if (created.status?.conditions !== undefined) continue;
    const ready = await client.update<Node>(
      NODES,
      { ...created, ...(status ? { status } : {}) },
      { subresource: 'status' },
    );
    await admit(client, ready);
  }
}

/** A new node is tainted until it is known to be ready; lifting that is the node lifecycle controller's work. */
async function admit(client: KubeClient, node: Node): Promise<void> {
  const taints = node.spec?.taints?.filter(({ key }) => key !== NOT_READY) ?? [];
  await client.update<Node>(NODES, { ...node, spec: { ...node.spec, taints } });
}

const NOT_READY = 'node.kubernetes.io/not-ready';

function nodeOf(name: string, shape: NodeShape, now: string, version: string): Node {
  const resources = { cpu: shape.cpu, memory: shape.memory, pods: '110', 'ephemeral-storage': '100Gi' };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: {
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        'kubernetes.io/arch': 'amd64',
        ...(shape.region === undefined ? {} : { 'topology.kubernetes.io/region': shape.region }),
        ...(shape.zone === undefined ? {} : { 'topology.kubernetes.io/zone': shape.zone }),
      },
    },
    spec: shape.provider === undefined ? {} : { providerID: `${shape.provider}://${name}` },
    status: {
      capacity: resources,
      allocatable: resources,
      conditions: [
        {
          type: 'Ready',
          status: 'True',
          reason: 'KubeletReady',
          message: 'simulated node is ready',
          lastHeartbeatTime: now,
          lastTransitionTime: now,
        },
      ],
      addresses: [{ type: 'Hostname', address: name }],
      nodeInfo: {
        machineID: name,
        systemUUID: name,
        bootID: name,
        kernelVersion: 'simulated',
        osImage: 'Kairship simulated node',
        containerRuntimeVersion: 'simulated://1',
        kubeletVersion: version,
        kubeProxyVersion: '',
        operatingSystem: 'linux',
        architecture: 'amd64',
      },
    },
  };
}
