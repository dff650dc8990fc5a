/** What a Job may be, alone and inside a CronJob, and the little of it that may change. */
import type { Job, JobSpec, PodFailurePolicyRule, PodTemplateSpec } from '#gen/kube/types.ts';
import { invalid, invalidAll, notSupported, required, tooMany } from '#kube/meta/field-error.ts';
import { dnsLabelProblems, qualifiedNameProblems } from '#kube/meta/names.ts';
import { matchingLabels } from '../apps/workload-rules.ts';
import { immutable, labelSelector, nonNegative, oneOf } from '../checks.ts';
import type { Errors, Given } from '../kind.ts';
import { podTemplate } from '../pod/pod-spec-rules.ts';

const COUNTS = [
  'parallelism',
  'completions',
  'activeDeadlineSeconds',
  'backoffLimit',
  'ttlSecondsAfterFinished',
  'backoffLimitPerIndex',
  'maxFailedIndexes',
] as const satisfies readonly (keyof JobSpec)[];
const MAX_INDEXED = 100_000;
const MAX_FAILURE_RULES = 20;

export function* jobRules({ metadata, spec = {} }: Given<Job>): Errors {
  yield* jobSpec(spec, 'spec');
  yield* selectorRules(spec);
  const { completions = 0, completionMode } = spec;
  if (completionMode !== 'Indexed' || completions === 0) return;
  const host = `${metadata?.name ?? ''}-${completions - 1}`;
  if (dnsLabelProblems(host).length > 0) {
    yield invalid('metadata.name', metadata?.name ?? '', `will not able to create pod with invalid DNS label: ${host}`);
  }
}

function* selectorRules(spec: Given<JobSpec>): Errors {
  if (!spec.selector) yield required('spec.selector');
  yield* labelSelector(spec.selector, 'spec.selector');
  yield* matchingLabels(spec.selector, spec.template);
}

/** Without the selector, which a CronJob's template does not have yet. */
export function* jobSpec(spec: Given<JobSpec>, path: string): Errors {
  for (const field of COUNTS) yield* nonNegative(spec[field], `${path}.${field}`);
  if (spec.maxFailedIndexes !== undefined && spec.backoffLimitPerIndex === undefined) {
    yield required(`${path}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified');
  }
  yield* completionRules(spec, path);
  for (const [at, rule] of (spec.podFailurePolicy?.rules ?? []).entries()) {
    yield* failureRule(rule, spec, `${path}.podFailurePolicy.rules[${at}]`);
  }
  const rules = spec.podFailurePolicy?.rules?.length ?? 0;
  if (rules > MAX_FAILURE_RULES) yield tooMany(`${path}.podFailurePolicy.rules`, rules, MAX_FAILURE_RULES);
  const replacement = spec.podFailurePolicy ? ['Failed'] : ['Failed', 'TerminatingOrFailed'];
  yield* oneOf(spec.podReplacementPolicy, replacement, `${path}.podReplacementPolicy`);
  yield* podTemplate(spec.template, `${path}.template`);
  yield* endingPods(spec, `${path}.template.spec.restartPolicy`);
}

function* completionRules(spec: Given<JobSpec>, path: string): Errors {
  yield* oneOf(spec.completionMode, ['NonIndexed', 'Indexed'], `${path}.completionMode`);
  if (spec.completionMode !== 'Indexed') {
    for (const field of ['backoffLimitPerIndex', 'maxFailedIndexes', 'successPolicy'] as const) {
      if (spec[field] !== undefined) yield invalid(`${path}.${field}`, spec[field], 'requires indexed completion mode');
    }
    return;
  }
  const { completions, parallelism = 0, maxFailedIndexes = 0 } = spec;
  if (completions === undefined) yield required(`${path}.completions`, 'when completion mode is Indexed');
  if (parallelism > MAX_INDEXED) {
    const rule = `must be less than or equal to ${MAX_INDEXED} when completion mode is Indexed`;
    yield invalid(`${path}.parallelism`, parallelism, rule);
  }
  if (completions !== undefined && maxFailedIndexes > completions) {
    yield invalid(`${path}.maxFailedIndexes`, maxFailedIndexes, 'must be less than or equal to completions');
  }
}

const ACTIONS = ['Count', 'FailIndex', 'FailJob', 'Ignore'];

function* failureRule(rule: Given<PodFailurePolicyRule>, spec: Given<JobSpec>, path: string): Errors {
  const { action = '', onExitCodes, onPodConditions = [] } = rule;
  if (action === '') yield required(`${path}.action`, `valid values: ["${ACTIONS.join('" "')}"]`);
  else if (action === 'FailIndex' && spec.backoffLimitPerIndex === undefined) {
    yield invalid(`${path}.action`, action, 'requires the backoffLimitPerIndex to be set');
  } else yield* oneOf(action, ACTIONS, `${path}.action`);
  if (onExitCodes) {
    yield* oneOf(onExitCodes.operator ?? '', ['In', 'NotIn'], `${path}.onExitCodes.operator`);
    if ((onExitCodes.values ?? []).length === 0) {
      yield invalid(`${path}.onExitCodes.values`, onExitCodes.values ?? null, 'at least one value is required');
    }
  }
  for (const [at, { type = '', status }] of onPodConditions.entries()) {
    yield* invalidAll(`${path}.onPodConditions[${at}].type`, type, qualifiedNameProblems(type));
    yield* oneOf(status, ['False', 'True', 'Unknown'], `${path}.onPodConditions[${at}].status`);
  }
  const sources = (onExitCodes ? 1 : 0) + (onPodConditions.length > 0 ? 1 : 0);
  if (sources === 2) yield omitted(path, 'specifying both OnExitCodes and OnPodConditions is not supported');
  if (sources === 0) yield omitted(path, 'specifying one of OnExitCodes and OnPodConditions is required');
}

/** A value too large to be worth repeating is left out of the sentence. */
function omitted(field: string, detail: string) {
  return { reason: 'FieldValueInvalid', field, message: `Invalid value: ${detail}` } as const;
}

/** Pods of a Job end: what starts them again without end is not for them. */
function* endingPods(spec: Given<JobSpec>, path: string): Errors {
  const policy = spec.template?.spec?.restartPolicy ?? '';
  if (policy === '' || policy === 'Always') yield required(path, 'valid values: "OnFailure", "Never"');
  else if (policy !== 'OnFailure' && policy !== 'Never') yield notSupported(path, policy, ['OnFailure', 'Never']);
  else if (spec.podFailurePolicy && policy !== 'Never') {
    yield invalid(path, policy, 'only "Never" is supported when podFailurePolicy is specified');
  }
}

export function* jobUpdate(job: Given<Job>, oldJob: Given<Job>): Errors {
  const [spec, old] = [job.spec ?? {}, oldJob.spec ?? {}];
  yield* jobSpec(spec, 'spec');
  yield* selectorRules(spec);
  yield* completionsChange(spec, old);
  yield* immutable(spec.selector, old.selector, 'spec.selector');
  yield* immutable(spec.template, movable(old, spec.template), 'spec.template');
  for (const field of [
    'completionMode',
    'podFailurePolicy',
    'backoffLimitPerIndex',
    'managedBy',
    'successPolicy',
  ] as const) {
    yield* immutable(spec[field], old[field], `spec.${field}`);
  }
}

/** An indexed Job grows and shrinks with its parallelism; of others the number of completions is fixed. */
function* completionsChange(spec: Given<JobSpec>, old: Given<JobSpec>): Errors {
  if (spec.completions === old.completions) return;
  const elastic = spec.completionMode === 'Indexed' && spec.completions !== undefined && old.completions !== undefined;
  if (!elastic) yield* immutable(spec.completions, old.completions, 'spec.completions');
  else if (spec.completions !== spec.parallelism) {
    const rule = `can only be modified in tandem with spec.parallelism`;
    yield invalid('spec.completions', spec.completions, rule);
  }
}

/** While a Job is suspended and has not started, where its pods go may still be changed. */
function movable(old: Given<JobSpec>, wanted: Given<PodTemplateSpec> | undefined): Given<PodTemplateSpec> | undefined {
  if (!old.suspend || !old.template) return old.template;
  const { nodeSelector, tolerations, affinity, schedulingGates } = wanted?.spec ?? {};
  return {
    ...old.template,
    metadata: {
      ...old.template.metadata,
      labels: wanted?.metadata?.labels,
      annotations: wanted?.metadata?.annotations,
    },
    spec: { ...old.template.spec, nodeSelector, tolerations, affinity, schedulingGates },
  };
}
