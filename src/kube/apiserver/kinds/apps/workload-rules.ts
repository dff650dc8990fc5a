/** Rules of everything that makes pods from a template and finds them again by a selector. */
import type { PodTemplateSpec } from '#gen/kube/types.ts';
import { forbidden, invalid, notSupported, required } from '#kube/meta/field-error.ts';
import { type LabelSelectorSpec, selectorOf } from '#kube/meta/label-selector.ts';
import { labelSelector, nonNegative } from '../checks.ts';
import type { Errors, Given } from '../kind.ts';
import { podTemplate } from '../pod/pod-spec-rules.ts';
import { selectorGiven } from './workload.ts';

type Selector = Given<LabelSelectorSpec> | undefined;

/** A selector that says something; `of` is the kind as Kubernetes names it here. */
export function* requiredSelector(selector: Selector, of: string): Errors {
  if (!selector) return yield required('spec.selector');
  yield* labelSelector(selector, 'spec.selector');
  yield* notEmpty(selector, of);
}

export function* notEmpty(selector: Selector, of: string): Errors {
  const said = Object.keys(selector?.matchLabels ?? {}).length + (selector?.matchExpressions ?? []).length;
  if (selector && said === 0) yield invalid('spec.selector', selector, `empty selector is invalid for ${of}`);
}

/** Whether it can be asked which pods it selects; what is wrong with one that cannot is told elsewhere. */
export function isReadable(selector: Selector): boolean {
  return [...labelSelector(selector, '')].length === 0;
}

/** A template that goes with a selector: the two can only be compared when the selector can be read. */
export function* selectedTemplate(selector: Selector, template: Given<PodTemplateSpec> | undefined): Errors {
  if (!isReadable(selector)) return yield invalid('spec.selector', selector, 'invalid label selector');
  yield* matchingLabels(selector, template);
  yield* lastingTemplate(template, 'ReplicaSet');
}

/** The pods made must be the pods found. */
export function* matchingLabels(selector: Selector, template: Given<PodTemplateSpec> | undefined): Errors {
  const labels = template?.metadata?.labels as Record<string, string> | undefined;
  if (!isReadable(selector) || selectorOf(selectorGiven(selector)).matches(labels)) return;
  yield invalid('spec.template.metadata.labels', labels ?? null, '`selector` does not match template `labels`');
}

/** A template of pods that run for ever; `of` is the kind for the sentence about deadlines. */
export function* lastingTemplate(template: Given<PodTemplateSpec> | undefined, of: string): Errors {
  const path = 'spec.template';
  yield* podTemplate(template, path);
  yield* lastingPods(template, path, of);
}

export function* lastingPods(template: Given<PodTemplateSpec> | undefined, path: string, of: string): Errors {
  const { restartPolicy, activeDeadlineSeconds } = template?.spec ?? {};
  if (restartPolicy !== 'Always') yield notSupported(`${path}.spec.restartPolicy`, restartPolicy ?? '', ['Always']);
  if (activeDeadlineSeconds !== undefined) {
    yield forbidden(`${path}.spec.activeDeadlineSeconds`, `activeDeadlineSeconds in ${of} is not Supported`);
  }
}

/** Counts of replicas in a status: none negative, none greater than all there are. */
export function* replicaCounts(
  status: Given<Record<string, unknown>>,
  parts: readonly string[],
  readyField = 'readyReplicas',
): Errors {
  const count = (field: string) => Number(status[field] ?? 0);
  for (const field of ['replicas', ...parts]) yield* nonNegative(count(field), `status.${field}`);
  for (const field of parts) {
    if (count(field) > count('replicas')) {
      yield invalid(`status.${field}`, count(field), 'cannot be greater than status.replicas');
    }
  }
  if (count('availableReplicas') > count('readyReplicas')) {
    yield invalid('status.availableReplicas', count('availableReplicas'), `cannot be greater than ${readyField}`);
  }
}
