/** Finds the policies that could mean a template without looking at all of them. */
import type { AnyPropagationPolicy } from '#karmada/apis/index.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import type { Informer } from '#kube/runtime/index.ts';

const SELECTS = 'selects';

/** Policies one of whose selectors names the template's kind, and its name or none. */
export function policyIndex<T extends AnyPropagationPolicy>(policies: Informer<T>): (template: KubeObject) => T[] {
  policies.index(SELECTS, ({ spec }) =>
    spec.resourceSelectors.map(({ apiVersion, kind, name }) => `${apiVersion} ${kind} ${name ?? ''}`),
  );
  return ({ apiVersion, kind, metadata }) => {
    const named = policies.byIndex(SELECTS, `${apiVersion} ${kind} ${metadata.name}`);
    const open = policies.byIndex(SELECTS, `${apiVersion} ${kind} `);
    return [...new Set([...named, ...open])];
  };
}
