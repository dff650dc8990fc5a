/** What a pod must be to exist, and what of it may still change. */
import type { Pod, PodSpec, Toleration } from '#gen/kube/types.ts';
import { jsonEqual } from '#base/json.ts';
import { forbidden, invalid, required } from '#kube/meta/field-error.ts';
import type { Errors, Given } from '../kind.ts';
import { trimmedImage } from './container-rules.ts';
import { podSpec } from './pod-spec-rules.ts';
import { tolerations } from './scheduling-rules.ts';
import { specDiff } from './spec-diff.ts';

export function* podCreate(pod: Given<Pod>): Errors {
  const spec = pod.spec ?? {};
  yield* anyPod(spec);
  if ((spec.ephemeralContainers ?? []).length > 0)
    yield forbidden('spec.ephemeralContainers', 'cannot be set on create');
  if (spec.nodeName && (spec.schedulingGates ?? []).length > 0) {
    yield forbidden('spec.nodeName', 'cannot be set until all schedulingGates have been cleared');
  }
}

function* anyPod(spec: Given<PodSpec>): Errors {
  yield* podSpec(spec, 'spec', true);
  for (const [at, container] of (spec.containers ?? []).entries())
    yield* trimmedImage(container, `spec.containers[${at}]`);
  for (const [at, container] of (spec.initContainers ?? []).entries()) {
    yield* trimmedImage(container, `spec.initContainers[${at}]`);
  }
}

const UPDATABLE = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
].join(',');

export function* podUpdate(pod: Given<Pod>, oldPod: Given<Pod>): Errors {
  const [spec, old] = [pod.spec ?? {}, oldPod.spec ?? {}];
  yield* anyPod(spec);
  for (const list of ['containers', 'initContainers'] as const) {
    if ((spec[list] ?? []).length !== (old[list] ?? []).length) {
      return yield forbidden(`spec.${list}`, 'pod updates may not add or remove containers');
    }
    for (const [at, { image }] of (spec[list] ?? []).entries()) if (!image) yield required(`spec.${list}[${at}].image`);
  }
  const deadline = [...deadlineChange(spec.activeDeadlineSeconds, old.activeDeadlineSeconds)];
  yield* deadline;
  if (deadline.length > 0 && spec.activeDeadlineSeconds !== undefined) return;
  yield* tolerationChange(spec.tolerations ?? [], old.tolerations ?? []);
  yield* gateChange(spec, old);
  const rest = withUpdatableOf(spec, old);
  if (jsonEqual(rest, old)) return;
  yield forbidden('spec', `pod updates may not change fields other than ${UPDATABLE}\n${specDiff(old, rest)}`);
}

function* deadlineChange(seconds: number | undefined, before: number | undefined): Errors {
  const path = 'spec.activeDeadlineSeconds';
  if (before === undefined) return;
  if (seconds === undefined) yield invalid(path, null, 'must not update from a positive integer to nil value');
  else if (seconds > before) yield invalid(path, seconds, 'must be less than or equal to previous value');
}

function* tolerationChange(given: readonly Given<Toleration>[], before: readonly Given<Toleration>[]): Errors {
  const path = 'spec.tolerations';
  const kept = before.every((old) =>
    given.some((one) => jsonEqual({ ...one, tolerationSeconds: 0 }, { ...old, tolerationSeconds: 0 })),
  );
  if (!kept) yield forbidden(path, 'existing toleration can not be modified except its tolerationSeconds');
  else yield* tolerations(given, path);
}

function* gateChange(spec: Given<PodSpec>, old: Given<PodSpec>): Errors {
  const before = (old.schedulingGates ?? []).map(({ name }) => name);
  for (const [at, { name }] of (spec.schedulingGates ?? []).entries()) {
    const rule = `only deletion is allowed, but found new scheduling gate '${name}'`;
    if (!before.includes(name)) yield forbidden(`spec.schedulingGates[${at}].name`, rule);
  }
}

/** The new spec with all that may change put back: what still differs from the old one was not allowed. */
function withUpdatableOf(spec: Given<PodSpec>, old: Given<PodSpec>): Given<PodSpec> {
  const images = (list: 'containers' | 'initContainers') =>
    spec[list]?.map((container, at) => ({ ...container, image: old[list]?.[at]?.image }));
  const shortened = (old.terminationGracePeriodSeconds ?? 0) < 0 && spec.terminationGracePeriodSeconds === 1;
  // A pod that waits behind a gate may still be told where to go.
  const gated = (old.schedulingGates ?? []).length > 0;
  return {
    ...spec,
    containers: images('containers'),
    initContainers: images('initContainers'),
    activeDeadlineSeconds: old.activeDeadlineSeconds,
    tolerations: old.tolerations,
    schedulingGates: old.schedulingGates,
    ...(shortened ? { terminationGracePeriodSeconds: old.terminationGracePeriodSeconds } : {}),
    ...(gated ? { nodeSelector: old.nodeSelector, affinity: old.affinity } : {}),
  };
}
