/** Whether a policy means an object, as far as a question tells of it: pure. */
import type { ResourceSelector } from '#karmada/apis/index.ts';
import { type Labels, selectorOf } from '#kube/meta/label-selector.ts';

/** What is left open agrees with everything. */
export interface Asked {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  /** The labels of all objects of that name, one in each namespace that is meant. */
  readonly labels?: readonly Labels[] | undefined;
}

export function selects(selectors: readonly ResourceSelector[], asked: Asked): boolean {
  return selectors.some((selector) => means(selector, asked));
}

function means(selector: ResourceSelector, { apiVersion, kind, name, namespace, labels }: Asked): boolean {
  if (!agrees(selector.apiVersion, apiVersion) || !agrees(selector.kind, kind)) return false;
  if (!agrees(selector.namespace, namespace)) return false;
  if (!name) return true;
  // A name makes labels moot, as in Karmada.
  if (selector.name) return selector.name === name;
  if (!selector.labelSelector) return true;
  const wanted = selectorOf(selector.labelSelector);
  return labels?.some((of) => wanted.matches(of)) === true;
}

function agrees(said: string | undefined, asked: string | undefined): boolean {
  return !said || !asked || said === asked;
}
