/** The rules of a role, sorted by what they are about, so that a decision looks at few of them. */
import type { Attributes } from '#kube/apiserver/auth/authorize.ts';
import { ALL, type PolicyRule, ruleAllows } from './policy-rule.ts';

export interface SortedRules {
  readonly all: readonly PolicyRule[];
  allow(attributes: Attributes): boolean;
}

export function sortedRules(all: readonly PolicyRule[]): SortedRules {
  const paths = all.filter(({ nonResourceURLs = [] }) => nonResourceURLs.length > 0);
  const anyGroup = all.filter(({ apiGroups = [] }) => apiGroups.includes(ALL));
  const byGroup = new Map<string, PolicyRule[]>();
  for (const rule of all) {
    for (const group of rule.apiGroups ?? []) byGroup.set(group, [...(byGroup.get(group) ?? []), rule]);
  }

  function someAllows(rules: readonly PolicyRule[] | undefined, attributes: Attributes): boolean {
    if (!rules) return false;
    for (const rule of rules) if (ruleAllows(rule, attributes)) return true;
    return false;
  }

  return {
    all,
    allow(attributes) {
      if ('path' in attributes) return someAllows(paths, attributes);
      return someAllows(anyGroup, attributes) || someAllows(byGroup.get(attributes.group), attributes);
    },
  };
}
