/**
 * Rules taken apart into single rights, which are either held or not: how handing out what one does not have is found
 * out. Pure.
 */
import type { Attributes, ResourceAttributes } from '#kube/apiserver/auth/authorize.ts';
import { type PolicyRule, ruleAllows } from './policy-rule.ts';

/** The rights in `wanted` that no rule of `held` gives. A wildcard is a right of its own, which only a wildcard gives. */
export function missingRights(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): readonly Attributes[] {
  return wanted.flatMap(rightsOf).filter((right) => !held.some((rule) => ruleAllows(rule, right)));
}

export function rightsOf(rule: PolicyRule): readonly Attributes[] {
  const { verbs, apiGroups = [], resources = [], nonResourceURLs = [] } = rule;
  const names = rule.resourceNames?.length ? rule.resourceNames : [undefined];
  const onResources = apiGroups.flatMap((group) =>
    resources.flatMap((resource) =>
      verbs.flatMap((verb) => names.map((name) => ({ verb, group, version: '*', ...parts(resource), name }))),
    ),
  );
  return [...onResources, ...nonResourceURLs.flatMap((path) => verbs.map((verb) => ({ verb, path })))];
}

function parts(text: string): Pick<ResourceAttributes, 'resource' | 'subresource'> {
  const slash = text.indexOf('/');
  return slash < 0 ? { resource: text } : { resource: text.slice(0, slash), subresource: text.slice(slash + 1) };
}

/** One line for each resource, as Kubernetes lists what somebody lacks. */
export function describeRights(rights: readonly Attributes[]): readonly string[] {
  const verbs = new Map<string, string[]>();
  for (const right of rights) {
    const where = placeOf(right);
    verbs.set(where, [...(verbs.get(where) ?? []), right.verb]);
  }
  return [...verbs].map(([where, list]) => `{${where}, Verbs:${goList(list)}}`).sort();
}

function placeOf(right: Attributes): string {
  if ('path' in right) return `NonResourceURLs:${goList([right.path])}`;
  const { group, resource, subresource, name } = right;
  const what = subresource === undefined ? resource : `${resource}/${subresource}`;
  const named = name === undefined ? '' : `, ResourceNames:${goList([name])}`;
  return `APIGroups:${goList([group])}, Resources:${goList([what])}${named}`;
}

/** A list as Go prints it with its strings quoted: `["a" "b"]`. */
export function goList(items: readonly string[]): string {
  return `[${items.map((item) => JSON.stringify(item)).join(' ')}]`;
}
