import type { Node } from '#gen/kube/types.ts';
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import { ageColumn, column, nameColumn, wideColumn } from '../columns.ts';
import { type Given, kind, type Making } from '../kind.ts';

const ROLE_PREFIX = 'node-role.kubernetes.io/';
const NOT_READY = 'node.kubernetes.io/not-ready';

/** Nodes register themselves, status and all. */
export const nodes: ResourceDefinition = kind<Node>(
  { group: '', version: 'v1', kind: 'Node' },
  {
    shortNames: ['no'],
    keepsStatus: true,
    defaults: defaultNode,
    create: taintUntilReady,
    fields: { 'spec.unschedulable': ({ spec }) => String(spec?.unschedulable ?? false) },
    columns: [
      nameColumn,
      column<Node>('Status', 'Whether the node is ready and takes new pods.', statusOf),
      column<Node>('Roles', 'Roles, from labels.', rolesOf),
      ageColumn,
      column<Node>('Version', 'The version of the kubelet.', ({ status }) => status?.nodeInfo?.kubeletVersion ?? ''),
      wideColumn<Node>('Internal-IP', 'The address inside the cluster.', (node) => addressOf(node, 'InternalIP')),
      wideColumn<Node>('External-IP', 'The address from outside.', (node) => addressOf(node, 'ExternalIP')),
      wideColumn<Node>('OS-Image', 'The operating system.', ({ status }) => status?.nodeInfo?.osImage || '<unknown>'),
      wideColumn<Node>('Kernel-Version', 'The kernel.', ({ status }) => status?.nodeInfo?.kernelVersion || '<unknown>'),
      wideColumn<Node>(
        'Container-Runtime',
        'The container runtime.',
        ({ status }) => status?.nodeInfo?.containerRuntimeVersion || '<unknown>',
      ),
    ],
  },
);

function defaultNode({ status }: Making<Node>): void {
  if (status?.capacity && !status.allocatable) status.allocatable = { ...status.capacity };
}

/** No pod should land on a node before it has said that it is ready. */
function taintUntilReady(node: Making<Node>): void {
  const spec = (node.spec ??= {});
  const tainted = (spec.taints ?? []).some(({ key, effect }) => key === NOT_READY && effect === 'NoSchedule');
  if (!tainted) (spec.taints ??= []).push({ key: NOT_READY, effect: 'NoSchedule' });
}

function statusOf({ spec, status }: Given<Node>): string {
  const ready = (status?.conditions ?? []).findLast(({ type }) => type === 'Ready');
  const state = !ready ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady';
  return spec?.unschedulable ? `${state},SchedulingDisabled` : state;
}

function rolesOf({ metadata }: Given<Node>): string {
  const labels = Object.entries(metadata?.labels ?? {});
  const roles = labels.flatMap(([key, value = '']) => {
    if (key.startsWith(ROLE_PREFIX)) return [key.slice(ROLE_PREFIX.length)];
    return key === 'kubernetes.io/role' ? [value] : [];
  });
  const named = [...new Set(roles.filter((role) => role !== ''))];
  return named.sort().join(',') || '<none>';
}

function addressOf({ status }: Given<Node>, wanted: string): string {
  return (status?.addresses ?? []).find(({ type }) => type === wanted)?.address ?? '<none>';
}
