/**
 * Where a pod runs: the best among the nodes that take it, or why none does. Pure.
 *
 * A node takes a pod when it is schedulable, the pod tolerates its taints and matches its labels, its ports are free,
 * its requests fit into what is allocatable, and its neighbours agree. Among those, free room, siblings elsewhere and
 * preferred labels decide. What is not looked at: preferred pod affinity, devices, volume zones, and what could be
 * preempted.
 */
import type { Pod } from '#gen/kube/types.ts';
import { controllerOf } from '../owners.ts';
import { matchesNode, preferenceFor } from '../node/node-affinity.ts';
import { tolerates, untolerated } from '../node/taints.ts';
import { type Amounts, requestsOf } from '../pod-requests.ts';
import type { NodeAccount } from './ledger.ts';
import { neighbourRules } from './neighbours.ts';

export type Placement =
  | { readonly node: string }
  /** Worded as the Kubernetes scheduler words it, for the PodScheduled condition and the event. */
  | { readonly unschedulable: string };

export function placePod(pod: Pod, nodes: Iterable<NodeAccount>): Placement {
  const accounts = [...nodes];
  if (accounts.length === 0) return { unschedulable: 'no nodes available to schedule pods' };
  const asked = requestsOf(pod);
  const rules = neighbourRules(pod, accounts);
  const refusals: Refusal[] = [];
  let best: { readonly name: string; readonly score: number } | undefined;
  for (const account of accounts) {
    const refusal = refusalOf(pod, account, asked) ?? firstOf(rules, account);
    if (refusal) {
      refusals.push(refusal);
      continue;
    }
    const score = scoreOf(pod, account, asked);
    if (!best || score > best.score) best = { name: account.node.metadata.name, score };
  }
  return best ? { node: best.name } : { unschedulable: worded(refusals) };
}

interface Refusal {
  readonly reasons: readonly string[];
  /** Whether it might help if other pods made room. */
  readonly isHopeless: boolean;
}

const hopeless = (reason: string): Refusal => ({ reasons: [reason], isHopeless: true });

const UNSCHEDULABLE = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

function refusalOf(pod: Pod, account: NodeAccount, asked: Amounts): Refusal | undefined {
  const { node } = account;
  const { spec } = pod;
  if (node.spec?.unschedulable === true && !tolerates(spec?.tolerations, UNSCHEDULABLE))
    return hopeless('node(s) were unschedulable');
  if (untolerated(node.spec?.taints, spec?.tolerations, ['NoSchedule', 'NoExecute']))
    return hopeless('node(s) had untolerated taint(s)');
  if (!matchesNode(spec, node)) return hopeless("node(s) didn't match Pod's node affinity/selector");
  if (!hasFreePorts(pod, account))
    return { reasons: ["node(s) didn't have free ports for the requested pod ports"], isHopeless: false };
  return noRoom(account, asked);
}

function noRoom({ allocatable, used, pods }: NodeAccount, asked: Amounts): Refusal | undefined {
  const lacking = Object.entries(asked).filter(([name, amount]) => {
    const left = (allocatable[name] ?? 0) - (used[name] ?? 0);
    return amount > 0 && amount > left;
  });
  const full = pods.size + 1 > (allocatable['pods'] ?? 0) / 1000;
  if (lacking.length === 0 && !full) return undefined;
  const reasons = [...(full ? ['Too many pods'] : []), ...lacking.map(([name]) => `Insufficient ${name}`)];
  return { reasons, isHopeless: lacking.some(([name, amount]) => amount > (allocatable[name] ?? 0)) };
}

function hasFreePorts(pod: Pod, { pods }: NodeAccount): boolean {
  const wanted = hostPorts(pod);
  if (wanted.length === 0) return true;
  const taken = new Set([...pods.values()].flatMap(hostPorts));
  return !wanted.some((port) => taken.has(port));
}

function hostPorts({ spec }: Pod): readonly string[] {
  return (spec?.containers ?? []).flatMap(({ ports = [] }) =>
    ports.filter(({ hostPort }) => hostPort).map(({ hostPort, protocol = 'TCP' }) => `${protocol}/${hostPort}`),
  );
}

function firstOf(rules: ReturnType<typeof neighbourRules>, { node }: NodeAccount): Refusal | undefined {
  for (const rule of rules) {
    const reason = rule(node);
    if (reason !== undefined) return { reasons: [reason], isHopeless: false };
  }
  return undefined;
}

/** Pods that ask for nothing still use something; without this they would all go to the first node. */
const ASSUMED: Amounts = { cpu: 100, memory: 200 * 1024 * 1024 * 1000 };

function scoreOf(pod: Pod, account: NodeAccount, asked: Amounts): number {
  const { allocatable, used, pods, siblings, node } = account;
  const shares = Object.entries(ASSUMED).map(([name, assumed]) => {
    const total = allocatable[name] ?? 0;
    const taken = Math.max(used[name] ?? 0, pods.size * assumed) + (asked[name] ?? assumed);
    return total === 0 ? 0 : Math.max(0, 1 - taken / total);
  });
  const room = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  const alike = siblings.get(controllerOf(pod)?.uid ?? '') ?? 0;
  const unwelcome = untolerated(node.spec?.taints, pod.spec?.tolerations, ['PreferNoSchedule']) ? 1 : 0;
  return room + 2 / (1 + alike) + 2 * preferenceFor(pod.spec, node) - 3 * unwelcome;
}

function worded(refusals: readonly Refusal[]): string {
  const hopeless = refusals.filter(({ isHopeless }) => isHopeless).length;
  const preemption = [
    ...Array.from({ length: hopeless }, () => 'Preemption is not helpful for scheduling'),
    ...Array.from({ length: refusals.length - hopeless }, () => 'No preemption victims found for incoming pod'),
  ];
  const none = `0/${refusals.length} nodes are available:`;
  const reasons = histogram(refusals.flatMap((refusal) => refusal.reasons));
  return `${none} ${reasons}. preemption: ${none} ${histogram(preemption)}.`;
}

function histogram(reasons: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts]
    .map(([reason, count]) => `${count} ${reason}`)
    .sort()
    .join(', ');
}
