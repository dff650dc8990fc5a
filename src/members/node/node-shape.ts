/** The nodes a simulated cluster begins with. Pure. */
import { createHash } from 'node:crypto';
import type { Node, NodeStatus } from '#gen/kube/types.ts';
import { defined } from '../defined.ts';
import type { Addresses } from '../addresses.ts';

/** What the machines of a simulated cluster are like. */
export interface NodeShape {
  readonly count: number;
  readonly cpu: string;
  readonly memory: string;
  readonly region?: string;
  readonly zone?: string;
  readonly provider?: string;
}

/** The n-th node of a cluster, counted from 1, before anybody has said that it is ready. */
export function nodeOf(cluster: string, n: number, shape: NodeShape, addresses: Addresses, version: string): Node {
  const name = `${cluster}-node-${n}`;
  const podCIDR = addresses.podNetwork(n);
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: {
        'beta.kubernetes.io/arch': 'amd64',
        'beta.kubernetes.io/os': 'linux',
        'kubernetes.io/arch': 'amd64',
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        ...defined({ 'topology.kubernetes.io/region': shape.region, 'topology.kubernetes.io/zone': shape.zone }),
      },
    },
    spec: {
      podCIDR,
      podCIDRs: [podCIDR],
      ...defined({ providerID: shape.provider && `${shape.provider}://${shape.zone ?? ''}/${name}` }),
    },
    status: {
      ...resourcesOf(shape),
      addresses: [
        { type: 'InternalIP', address: addresses.nodeAddress(n) },
        { type: 'Hostname', address: name },
      ],
      nodeInfo: nodeInfo(name, version),
    },
  };
}

function resourcesOf({ cpu, memory }: NodeShape): Pick<NodeStatus, 'capacity' | 'allocatable'> {
  const resources = {
    cpu,
    memory,
    pods: '110',
    'ephemeral-storage': '100Gi',
    'hugepages-1Gi': '0',
    'hugepages-2Mi': '0',
  };
  return { capacity: resources, allocatable: resources };
}

/** What a node says of itself; a node somebody made by hand is given the same. */
export function nodeInfo(name: string, version: string): NonNullable<NodeStatus['nodeInfo']> {
  const id = createHash('sha256').update(name).digest('hex');
  const uuid = `${id.slice(0, 8)}-${id.slice(8, 12)}-4${id.slice(13, 16)}-8${id.slice(17, 20)}-${id.slice(20, 32)}`;
  return {
    machineID: id.slice(0, 32),
    systemUUID: uuid,
    bootID: uuid,
    kernelVersion: 'simulated',
    osImage: 'Kairship simulated node',
    containerRuntimeVersion: 'simulated://1',
    kubeletVersion: version,
    kubeProxyVersion: '',
    operatingSystem: 'linux',
    architecture: 'amd64',
  };
}
