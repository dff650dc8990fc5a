/**
 * What is taken on each node, kept up to date change by change, so that a decision never counts all pods again.
 *
 * A pod that was decided on is booked at once ({@link Ledger.book}); the decision after it sees that, though the binding
 * is still being written. Pure but for its own memory.
 */
import type { Node, Pod } from '#gen/kube/types.ts';
import { keyOf } from '#kube/meta/object.ts';
import { controllerOf } from '../owners.ts';
import { add, type Amounts, amountsOf, requestsOf } from '../pod-requests.ts';
import { isOver } from '../workload/pod-state.ts';

export interface NodeAccount {
  readonly node: Node;
  readonly allocatable: Amounts;
  readonly used: Amounts;
  /** The pods on it, by key. */
  readonly pods: ReadonlyMap<string, Pod>;
  /** Those of them that refuse neighbours. */
  readonly wary: ReadonlyMap<string, Pod>;
  /** How many pods of a controller it has, by the controller's uid. */
  readonly siblings: ReadonlyMap<string, number>;
}

export interface Ledger {
  nodes(): Iterable<NodeAccount>;
  nodeCount(): number;
  node(name: string): NodeAccount | undefined;
  setNode(node: Node): void;
  dropNode(name: string): void;
  /** A pod as it is stored now. */
  setPod(pod: Pod): void;
  dropPod(key: string): void;
  /** A pod that is about to be bound. */
  book(pod: Pod, node: string): void;
}

interface Account extends NodeAccount {
  node: Node;
  allocatable: Amounts;
  readonly used: Record<string, number>;
  readonly pods: Map<string, Pod>;
  readonly wary: Map<string, Pod>;
  readonly siblings: Map<string, number>;
}

export function ledger(): Ledger {
  const accounts = new Map<string, Account>();
  /** Pods on nodes that are not, or no longer, known: they count again should the node come back. */
  const homeless = new Map<string, Map<string, Pod>>();
  const places = new Map<string, string>();

  function put(key: string, pod: Pod, place: string): void {
    const account = accounts.get(place);
    places.set(key, place);
    if (account) return enter(account, key, pod);
    homeless.set(place, (homeless.get(place) ?? new Map<string, Pod>()).set(key, pod));
  }

  function dropPod(key: string): void {
    const place = places.get(key);
    if (place === undefined) return;
    places.delete(key);
    const account = accounts.get(place);
    if (account) leave(account, key);
    else homeless.get(place)?.delete(key);
  }

  return {
    nodes: () => accounts.values(),
    nodeCount: () => accounts.size,
    node: (name) => accounts.get(name),
    setNode(node) {
      const { name } = node.metadata;
      const allocatable = amountsOf(node.status?.allocatable ?? node.status?.capacity);
      const account = accounts.get(name);
      if (account) return void Object.assign(account, { node, allocatable });
      const opened: Account = { node, allocatable, used: {}, pods: new Map(), wary: new Map(), siblings: new Map() };
      accounts.set(name, opened);
      for (const [key, pod] of homeless.get(name) ?? []) enter(opened, key, pod);
      homeless.delete(name);
    },
    dropNode(name) {
      const account = accounts.get(name);
      if (!account) return;
      accounts.delete(name);
      if (account.pods.size > 0) homeless.set(name, account.pods);
    },
    setPod(pod) {
      const key = keyOf(pod);
      const place = pod.spec?.nodeName;
      if (isOver(pod)) return dropPod(key);
      // Not bound yet: should it be booked, that stays.
      if (!place) return;
      dropPod(key);
      put(key, pod, place);
    },
    dropPod,
    book(pod, node) {
      dropPod(keyOf(pod));
      put(keyOf(pod), pod, node);
    },
  };
}

function enter(account: Account, key: string, pod: Pod): void {
  account.pods.set(key, pod);
  if (pod.spec?.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution) account.wary.set(key, pod);
  count(account, pod, 1);
}

function leave(account: Account, key: string): void {
  const pod = account.pods.get(key);
  if (!pod) return;
  account.pods.delete(key);
  account.wary.delete(key);
  count(account, pod, -1);
}

function count({ used, siblings }: Account, pod: Pod, sign: 1 | -1): void {
  add(used, requestsOf(pod), sign);
  const owner = controllerOf(pod)?.uid;
  if (owner === undefined) return;
  const left = (siblings.get(owner) ?? 0) + sign;
  if (left === 0) siblings.delete(owner);
  else siblings.set(owner, left);
}
