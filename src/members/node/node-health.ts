/**
 * What is said of a node's health, and the taints that follow from it. Pure.
 *
 * As the kubelet and the node lifecycle controller of Kubernetes say it, but at once: a real cluster waits most of a
 * minute before it takes a silent node for gone.
 */
import type { Node, NodeCondition, NodeStatus, Taint } from '#gen/kube/types.ts';
import type { NodeHealth } from '../requests.ts';
import { nodeInfo } from './node-shape.ts';

export const NOT_READY = 'node.kubernetes.io/not-ready';
export const UNREACHABLE = 'node.kubernetes.io/unreachable';
const UNSCHEDULABLE = 'node.kubernetes.io/unschedulable';
const OWN_TAINTS = [NOT_READY, UNREACHABLE, UNSCHEDULABLE];

type Said = Pick<NodeCondition, 'status' | 'reason' | 'message'>;

const READY: Readonly<Record<NodeHealth, Said>> = {
  ready: { status: 'True', reason: 'KubeletReady', message: 'kubelet is posting ready status' },
  'not ready': { status: 'False', reason: 'KubeletNotReady', message: 'the node was asked not to be ready' },
  gone: { status: 'Unknown', reason: 'NodeStatusUnknown', message: 'Kubelet stopped posting node status.' },
};

const PRESSURES: readonly (readonly [type: string, reason: string, message: string])[] = [
  ['MemoryPressure', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
  ['DiskPressure', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ['PIDPressure', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
];

/** The status as it should be; the times of conditions move only with them. */
export function healthyStatus(node: Node, health: NodeHealth, version: string, at: string): NodeStatus {
  const said = [
    ...PRESSURES.map(([type, reason, message]) => ({
      type,
      ...(health === 'gone' ? READY.gone : { status: 'False', reason, message }),
    })),
    { type: 'Ready', ...READY[health] },
  ];
  const before = node.status?.conditions ?? [];
  const conditions = said.map((condition) => stamped(condition, before, at));
  const others = before.filter(({ type }) => !said.some((condition) => condition.type === type));
  const { allocatable = node.status?.capacity } = node.status ?? {};
  return {
    ...node.status,
    ...(allocatable ? { allocatable } : {}),
    conditions: [...others, ...conditions],
    nodeInfo: node.status?.nodeInfo?.kubeletVersion ? node.status.nodeInfo : nodeInfo(node.metadata.name, version),
  };
}

function stamped(next: NodeCondition, before: readonly NodeCondition[], at: string): NodeCondition {
  const old = before.find(({ type }) => type === next.type);
  if (old?.status === next.status && old.reason === next.reason && old.message === next.message) return old;
  const since = old?.status === next.status ? (old.lastTransitionTime ?? at) : at;
  return { ...next, lastHeartbeatTime: at, lastTransitionTime: since };
}

/** The node's taints as they should be; those that are right stay, with the time since when. */
export function healthTaints(node: Node, health: NodeHealth, at: string): readonly Taint[] {
  const key = health === 'gone' ? UNREACHABLE : NOT_READY;
  const wanted: Taint[] = [
    ...(node.spec?.unschedulable === true ? [{ key: UNSCHEDULABLE, effect: 'NoSchedule', timeAdded: at }] : []),
    ...(health === 'ready'
      ? []
      : [
          { key, effect: 'NoSchedule', timeAdded: at },
          { key, effect: 'NoExecute', timeAdded: at },
        ]),
  ];
  const before = node.spec?.taints ?? [];
  const known = (taint: Taint) => before.find((old) => old.key === taint.key && old.effect === taint.effect);
  return [
    ...before.filter((taint) => !OWN_TAINTS.includes(taint.key)),
    ...wanted.map((taint) => known(taint) ?? taint),
  ];
}
