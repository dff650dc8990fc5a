/** Label selectors of specs, compiled once per selector object. */
import type { LabelSelector } from '#karmada/apis/index.ts';
import { type LabelSelector as Compiled, nothing, selectorOf } from '#kube/meta/label-selector.ts';

/** Selectors come out of informers and are never changed, so the object itself is the key. */
const compiled = new WeakMap<LabelSelector, Compiled>();

/** A selector that cannot be read matches nothing: admission refuses it, so it can only be older than the rule. */
export function compileSelector(selector: LabelSelector): Compiled {
  const known = compiled.get(selector);
  if (known) return known;
  const fresh = tryCompile(selector);
  compiled.set(selector, fresh);
  return fresh;
}

export function labelsMatch(selector: LabelSelector, labels: Readonly<Record<string, string>> | undefined): boolean {
  return compileSelector(selector).matches(labels);
}

function tryCompile(selector: LabelSelector): Compiled {
  try {
    return selectorOf(selector);
  } catch {
    return nothing;
  }
}
