/** Whether a rule gives a right: Kubernetes' own evaluation, on one rule. What no rule gives is refused. Pure. */
import type { PolicyRule } from '#gen/kube/types.ts';
import type { Attributes, ResourceAttributes } from '#kube/apiserver/auth/authorize.ts';

export type { PolicyRule };

export const ALL = '*';

export function ruleAllows(rule: PolicyRule, attributes: Attributes): boolean {
  if ('path' in attributes) {
    return hasOrAll(rule.verbs, attributes.verb) && urlMatches(rule.nonResourceURLs, attributes.path);
  }
  return (
    hasOrAll(rule.apiGroups, attributes.group) &&
    hasOrAll(rule.verbs, attributes.verb) &&
    resourceMatches(rule.resources, attributes) &&
    nameMatches(rule.resourceNames, attributes.name)
  );
}

function hasOrAll(allowed: readonly string[] | undefined, asked: string): boolean {
  return allowed !== undefined && (allowed.includes(asked) || allowed.includes(ALL));
}

// `*` is everything, `pods` the pods alone, `pods/log` their logs, and `*/scale` the scale of whatever has one.
function resourceMatches(
  allowed: readonly string[] | undefined,
  { resource, subresource }: ResourceAttributes,
): boolean {
  if (allowed === undefined) return false;
  if (allowed.includes(ALL)) return true;
  if (subresource === undefined) return allowed.includes(resource);
  return allowed.includes(`${resource}/${subresource}`) || allowed.includes(`*/${subresource}`);
}

/** A rule for certain names gives nothing to requests that have none, such as lists. */
function nameMatches(allowed: readonly string[] | undefined, name: string | undefined): boolean {
  return allowed === undefined || allowed.length === 0 || (name !== undefined && allowed.includes(name));
}

function urlMatches(allowed: readonly string[] | undefined, path: string): boolean {
  return allowed !== undefined && allowed.some((pattern) => urlCovers(pattern, path));
}

/** Whether a path, or every path of another pattern, is one of a pattern's: `/healthz/*` has all under `/healthz/`. */
export function urlCovers(pattern: string, path: string): boolean {
  if (pattern === ALL || pattern === path) return true;
  return pattern.endsWith(ALL) && path.startsWith(pattern.replace(/\*+$/, ''));
}
