/** What aggregated ClusterRoles hold: the rules of all roles their selectors name. Pure. */
import type { ClusterRole } from '#gen/kube/types.ts';
import { type LabelSelector, selectorOf } from '#kube/meta/label-selector.ts';
import type { PolicyRule } from './policy-rule.ts';

/**
 * The rules of each aggregated role by its name.
 *
 * Aggregated roles may be parts of others; each starts with nothing, so roles that gather each other keep nothing alive
 * that no other role gives.
 */
export function aggregatedRules(roles: readonly ClusterRole[]): ReadonlyMap<string, readonly PolicyRule[]> {
  const parts = new Map(roles.filter(isAggregated).map((role) => [role.metadata.name, partsOf(role, roles)]));
  const found = new Map<string, readonly PolicyRule[]>();
  for (let changed = true; changed; ) {
    changed = false;
    for (const [name, members] of parts) {
      const rules = distinct(members.flatMap((role) => found.get(role.metadata.name) ?? ownRules(role)));
      changed ||= rules.length !== (found.get(name)?.length ?? 0);
      found.set(name, rules);
    }
  }
  return found;
}

export function isAggregated({ aggregationRule }: ClusterRole): boolean {
  return aggregationRule !== undefined;
}

function ownRules(role: ClusterRole): readonly PolicyRule[] {
  return isAggregated(role) ? [] : (role.rules ?? []);
}

function partsOf(whole: ClusterRole, roles: readonly ClusterRole[]): readonly ClusterRole[] {
  const selectors: readonly LabelSelector[] = (whole.aggregationRule?.clusterRoleSelectors ?? []).map(selectorOf);
  return roles
    .filter((role) => role.metadata.name !== whole.metadata.name)
    .filter(({ metadata }) => selectors.some((selector) => selector.matches(metadata.labels ?? {})))
    .sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
}

function distinct(rules: readonly PolicyRule[]): readonly PolicyRule[] {
  const seen = new Set<string>();
  return rules.filter((rule) => {
    const text = textOf(rule);
    return seen.has(text) ? false : seen.add(text);
  });
}

function textOf({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): string {
  return JSON.stringify([verbs, apiGroups, resources, resourceNames, nonResourceURLs]);
}
