/** Whether a policy's selectors mean an object, and how closely. */
import type { ResourceSelector } from '#karmada/apis/index.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { labelsMatch } from './label-match.ts';

/** The closer a selector describes an object, the more it counts against other policies. */
export const CLOSENESS = { none: 0, all: 1, labels: 2, name: 3 } as const;
export type Closeness = (typeof CLOSENESS)[keyof typeof CLOSENESS];

export function resourceCloseness(object: KubeObject, selector: ResourceSelector): Closeness {
  const { apiVersion, kind, metadata } = object;
  if (apiVersion !== selector.apiVersion || kind !== selector.kind) return CLOSENESS.none;
  if (isSet(selector.namespace) && (metadata.namespace ?? '') !== selector.namespace) return CLOSENESS.none;
  if (isSet(selector.name)) return selector.name === metadata.name ? CLOSENESS.name : CLOSENESS.none;
  if (!selector.labelSelector) return CLOSENESS.all;
  return labelsMatch(selector.labelSelector, metadata.labels) ? CLOSENESS.labels : CLOSENESS.none;
}

/** The closest of several selectors; 0 when none means the object. */
export function closestMatch(object: KubeObject, selectors: readonly ResourceSelector[]): Closeness {
  let best: Closeness = CLOSENESS.none;
  for (const selector of selectors) {
    const closeness = resourceCloseness(object, selector);
    if (closeness > best) best = closeness;
  }
  return best;
}

export function resourceMatches(object: KubeObject, selectors: readonly ResourceSelector[]): boolean {
  return closestMatch(object, selectors) > CLOSENESS.none;
}

function isSet(text: string | undefined): text is string {
  return text !== undefined && text !== '';
}
