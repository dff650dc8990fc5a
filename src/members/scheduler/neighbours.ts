/**
 * What a pod asks about its neighbours: affinity, anti-affinity and topology spread, and what neighbours ask about it.
 * Pure; the pods of the cluster are looked through once for each pod that asks, and not at all for one that does not.
 */
import type { Node, Pod, PodAffinityTerm, TopologySpreadConstraint } from '#gen/kube/types.ts';
import { selectorOf } from '#kube/meta/label-selector.ts';
import { untolerated } from '../node/taints.ts';
import { matchesNode } from '../node/node-affinity.ts';
import type { NodeAccount } from './ledger.ts';

/** Why the pod cannot go to a node because of others; undefined when it can. */
export type NeighbourRule = (node: Node) => string | undefined;

export function neighbourRules(pod: Pod, accounts: readonly NodeAccount[]): readonly NeighbourRule[] {
  const { podAffinity, podAntiAffinity } = pod.spec?.affinity ?? {};
  const near = podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  const far = podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  const spread = (pod.spec?.topologySpreadConstraints ?? []).filter(
    ({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule',
  );
  return [
    ...spread.map((constraint) => spreadRule(pod, constraint, accounts)),
    ...near.map((term) => affinityRule(pod, term, accounts)),
    ...far.map((term) => antiAffinityRule(pod, term, accounts)),
    ...wishesOfOthers(pod, accounts),
  ];
}

function affinityRule(pod: Pod, term: PodAffinityTerm, accounts: readonly NodeAccount[]): NeighbourRule {
  const found = countByDomain(accounts, term.topologyKey, (other) => isMeant(term, pod, other));
  // The first of a group that wants to be together has to go somewhere.
  const isFirst = found.size === 0 && isMeant(term, pod, pod);
  return ({ metadata }) => {
    const domain = metadata.labels?.[term.topologyKey];
    if (domain !== undefined && (isFirst || found.has(domain))) return undefined;
    return "node(s) didn't match pod affinity rules";
  };
}

function antiAffinityRule(pod: Pod, term: PodAffinityTerm, accounts: readonly NodeAccount[]): NeighbourRule {
  const found = countByDomain(accounts, term.topologyKey, (other) => isMeant(term, pod, other));
  return ({ metadata }) =>
    found.has(metadata.labels?.[term.topologyKey] ?? '') ? "node(s) didn't match pod anti-affinity rules" : undefined;
}

/** Pods that run already may refuse the newcomer near them. */
function wishesOfOthers(pod: Pod, accounts: readonly NodeAccount[]): readonly NeighbourRule[] {
  const refused = new Set<string>();
  for (const { node, wary } of accounts) {
    for (const other of wary.values()) {
      for (const term of other.spec?.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []) {
        const domain = node.metadata.labels?.[term.topologyKey];
        if (domain !== undefined && isMeant(term, other, pod)) refused.add(`${term.topologyKey}=${domain}`);
      }
    }
  }
  if (refused.size === 0) return [];
  const isRefused = ([key, value]: [string, string]) => refused.has(`${key}=${value}`);
  return [
    ({ metadata }) =>
      Object.entries(metadata.labels ?? {}).some(isRefused)
        ? "node(s) didn't satisfy existing pods anti-affinity rules"
        : undefined,
  ];
}

const SPREAD = "node(s) didn't match pod topology spread constraints";

function spreadRule(
  pod: Pod,
  { topologyKey, maxSkew, labelSelector, minDomains, nodeAffinityPolicy, nodeTaintsPolicy }: TopologySpreadConstraint,
  accounts: readonly NodeAccount[],
): NeighbourRule {
  const selector = selectorOf(labelSelector);
  const counted = accounts.filter(
    ({ node }) =>
      node.metadata.labels?.[topologyKey] !== undefined &&
      (nodeAffinityPolicy === 'Ignore' || matchesNode(pod.spec, node)) &&
      (nodeTaintsPolicy !== 'Honor' || !untolerated(node.spec?.taints, pod.spec?.tolerations, HARD)),
  );
  const isLike = (other: Pod) =>
    other.metadata.namespace === pod.metadata.namespace &&
    other.metadata.deletionTimestamp === undefined &&
    selector.matches(other.metadata.labels);
  const found = countByDomain(counted, topologyKey, isLike);
  const domains = new Set(counted.map(({ node }) => node.metadata.labels?.[topologyKey] ?? ''));
  const tooFew = minDomains !== undefined && domains.size < minDomains;
  const least = tooFew ? 0 : Math.min(...[...domains].map((domain) => found.get(domain) ?? 0));
  const self = selector.matches(pod.metadata.labels) ? 1 : 0;
  return ({ metadata }) => {
    const domain = metadata.labels?.[topologyKey];
    if (domain === undefined) return `${SPREAD} (missing required label)`;
    return (found.get(domain) ?? 0) + self - least > maxSkew ? SPREAD : undefined;
  };
}

const HARD = ['NoSchedule', 'NoExecute'];

function countByDomain(accounts: readonly NodeAccount[], topologyKey: string, is: (pod: Pod) => boolean) {
  const counts = new Map<string, number>();
  for (const { node, pods } of accounts) {
    const domain = node.metadata.labels?.[topologyKey];
    if (domain === undefined) continue;
    for (const pod of pods.values()) if (is(pod)) counts.set(domain, (counts.get(domain) ?? 0) + 1);
  }
  return counts;
}

/** Whether a term of `pod` speaks of `other`. Namespaces chosen by their labels are taken as all of them. */
function isMeant(term: PodAffinityTerm, pod: Pod, other: Pod): boolean {
  const { namespaces = [], namespaceSelector, labelSelector } = term;
  const here = namespaces.length === 0 && !namespaceSelector ? [pod.metadata.namespace ?? ''] : namespaces;
  const isThere = namespaceSelector !== undefined || here.includes(other.metadata.namespace ?? '');
  return isThere && selectorOf(labelSelector).matches(other.metadata.labels);
}
