/**
 * Which kinds of a cluster are indexed: everything that can be listed and watched, once, in the version its server
 * prefers, unless it was left out. What is left out by default changes all the time and is never looked for.
 */
import type { ApiResource } from '#kube/client/kube-client.ts';
import { groupResource } from '#kube/meta/gvk.ts';

export interface KindSelection {
  /** `pods`, `deployments.apps`, `*.apps` or `*`; everything when absent. */
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
}

/** Leases are renewed by the second; the events of the newer group are those of the core group. */
export const LEFT_OUT: readonly string[] = ['leases.coordination.k8s.io', 'events.events.k8s.io', 'endpoints'];

export function chosenKinds(resources: readonly ApiResource[], selection: KindSelection = {}): readonly ApiResource[] {
  const { include = ['*'], exclude = LEFT_OUT } = selection;
  const chosen = new Map<string, ApiResource>();
  for (const resource of resources) {
    const name = groupResource(resource);
    const usable = resource.verbs.includes('list') && resource.verbs.includes('watch');
    if (!usable || chosen.has(name)) continue;
    if (matches(name, include) && !matches(name, exclude)) chosen.set(name, resource);
  }
  return [...chosen.values()];
}

function matches(name: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => {
    if (pattern === '*') return true;
    return pattern.startsWith('*.')
      ? name.includes('.') && name.slice(name.indexOf('.')) === pattern.slice(1)
      : name === pattern;
  });
}
