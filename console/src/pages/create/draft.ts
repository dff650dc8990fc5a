/** What the wizard has so far: the texts it will create, and how a name changes in all of them. Pure. */
import { newPolicyText, type Path, textAt, valueAt, withValue } from '../policy/policy-text.ts';
import { readYaml } from '../../api/read-yaml.ts';
import { clustersOfRule } from './override-changes.ts';
import { apiVersionOf, isName, newWorkloadText, podPath, type WorkloadKind } from './workload-text.ts';

export interface Draft {
  readonly kind: WorkloadKind;
  readonly workload: string;
  readonly policy: string;
  readonly override: string;
  readonly overrides: boolean;
  /** Whether a policy that is there already places it, and that one's text as it would be. */
  readonly reuse: boolean;
  readonly reused: string;
}

export interface StepProps {
  readonly instance: string;
  readonly draft: Draft;
  readonly onChange: (change: Draft | ((now: Draft) => Draft)) => void;
}

export const DESCRIPTION = 'kairship.io/describe';
export const MOST_DESCRIPTION = 512;

export function firstDraft(kind: WorkloadKind, name: string, namespace: string): Draft {
  const policy = newPolicyText({ kind: 'PropagationPolicy', namespace, name, target: name });
  const override = newPolicyText({ kind: 'OverridePolicy', namespace, name, target: name });
  const draft = { kind, policy, override, overrides: false, reuse: false, reused: '' };
  return renamed({ ...draft, workload: newWorkloadText({ kind, name, namespace }) }, name, namespace);
}

export const nameOf = (text: string) => textAt(readYaml(text), ['metadata', 'name']);
export const namespaceOf = (text: string) => textAt(readYaml(text), ['metadata', 'namespace']);
/** The text of the policy that will place it. */
export const policyOf = ({ reuse, reused, policy }: Draft) => (reuse ? reused : policy);

export function isDescribed({ workload }: Draft): boolean {
  return textAt(readYaml(workload), ['metadata', 'annotations', DESCRIPTION]).length <= MOST_DESCRIPTION;
}

/** Whether each step says all that the next needs. */
export function readiness(draft: Draft): readonly boolean[] {
  const object = readYaml(draft.workload);
  const image = textAt(object, [...podPath(draft.kind), 'spec', 'containers', 0, 'image']);
  const rules = valueAt(readYaml(draft.override), ['spec', 'overrideRules']);
  const aimed = Array.isArray(rules) && rules.every((rule) => clustersOfRule(rule).length > 0);
  return [
    isName(nameOf(draft.workload)) && isName(namespaceOf(draft.workload)) && isDescribed(draft),
    image !== '',
    !draft.reuse || draft.reused !== '',
    !draft.overrides || aimed,
  ];
}

/** A name is in many places: labels, selectors, policies. */
export function renamed(draft: Draft, name: string, namespace: string): Draft {
  const { kind } = draft;
  const inText = (text: string, changes: readonly (readonly [Path, unknown])[]) =>
    changes.reduce((now, [path, value]) => withValue(now, path, value), text);
  const labels =
    kind === 'Job' || kind === 'CronJob' ? [] : ([[['spec', 'selector', 'matchLabels', 'app'], name]] as const);
  const own = [
    [['metadata', 'name'], name],
    [['metadata', 'namespace'], namespace],
  ] as const;
  const selected = [
    ...own,
    [['spec', 'resourceSelectors', 0, 'name'], name],
    [['spec', 'resourceSelectors', 0, 'kind'], kind],
    [['spec', 'resourceSelectors', 0, 'apiVersion'], apiVersionOf(kind)],
  ] as const;
  return {
    ...draft,
    workload: inText(draft.workload, [
      ...own,
      [['metadata', 'labels', 'app'], name],
      [[...podPath(kind), 'metadata', 'labels', 'app'], name],
      ...labels,
      ...(kind === 'StatefulSet' ? ([[['spec', 'serviceName'], name]] as const) : []),
    ]),
    policy: inText(draft.policy, selected),
    override: inText(draft.override, selected),
  };
}
