import type { Node } from '#gen/kube/types.ts';
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import { jsonEqual } from '#base/json.ts';
import { duplicate, forbidden, goJson, invalid, invalidAll } from '#kube/meta/field-error.ts';
import { labelValueProblems, qualifiedNameProblems } from '#kube/meta/names.ts';
import { ageColumn, column, nameColumn, wideColumn } from '../columns.ts';
import { cidr } from '../checks.ts';
import { type Errors, type Given, kind, type Making } from '../kind.ts';
import { resourceAmount } from '../pod/resource-rules.ts';
import { taintEffect } from '../pod/scheduling-rules.ts';

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
    validate: nodeRules,
    validateUpdate: nodeUpdate,
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

function defaultNode({ spec, status }: Making<Node>): void {
  if (status?.capacity && !status.allocatable) status.allocatable = { ...status.capacity };
  if (spec) agreeOnRange(spec);
}

/** The range stands alone, for old clients, and in a list: where they differ, the one that stands alone counts. */
function agreeOnRange(spec: NonNullable<Making<Node>['spec']>): void {
  const first = spec.podCIDRs?.[0];
  if (spec.podCIDR && spec.podCIDR !== first) spec.podCIDRs = [spec.podCIDR];
  else if (first) spec.podCIDR = first;
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

function* nodeRules(node: Given<Node>): Errors {
  yield* taintRules(node);
  yield* amounts(node);
  for (const [at, range] of (node.spec?.podCIDRs ?? []).entries()) yield* cidr(range, `spec.podCIDRs[${at}]`);
}

/** Kubernetes tells of taints as if they were metadata. */
function* taintRules({ spec }: Given<Node>): Errors {
  const seen = new Set<string>();
  for (const [index, taint] of (spec?.taints ?? []).entries()) {
    const { key = '', value = '', effect } = taint;
    const at = `metadata.taints[${index}]`;
    yield* invalidAll(`${at}.key`, key, qualifiedNameProblems(key));
    const problems = labelValueProblems(value);
    if (problems.length > 0) yield invalid(`${at}.value`, value, problems.join(';'));
    yield* taintEffect(effect, `${at}.effect`);
    if (seen.has(`${effect}/${key}`)) {
      const message = `Duplicate value: ${goJson(taint)}: taints must be unique by key and effect pair`;
      yield { ...duplicate(at, taint), message };
    }
    seen.add(`${effect}/${key}`);
  }
}

function* amounts({ status }: Given<Node>): Errors {
  for (const list of ['capacity', 'allocatable'] as const) {
    for (const [name, value = ''] of Object.entries(status?.[list] ?? {})) {
      yield* resourceAmount(name, value, `status.${list}.${name}`);
    }
  }
}

function* nodeUpdate(node: Given<Node>, old: Given<Node>): Errors {
  yield* amounts(node);
  const ranges = old.spec?.podCIDRs ?? [];
  if (ranges.length > 0 && !jsonEqual(node.spec?.podCIDRs, ranges)) {
    yield forbidden('spec.podCIDRs', 'node updates may not change podCIDR except from "" to valid');
  }
  if (old.spec?.providerID && node.spec?.providerID !== old.spec.providerID) {
    yield forbidden('spec.providerID', 'node updates may not change providerID except from "" to valid');
  }
  yield* taintRules(node);
}
