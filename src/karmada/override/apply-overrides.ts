/**
 * Makes of an object what the override policies want it to be in one cluster.
 *
 * All cluster override policies that select it come first, then the override policies of its namespace; among each,
 * those that select more closely come later and so win, then those of later name. The rules of a policy follow in the
 * order listed, the overriders of a rule in the order image, command, args, labels, annotations, field, plaintext.
 * As karmada v1.18 pkg/util/overridemanager. One overrider that cannot be applied fails the whole: half an override
 * is never sent to a cluster.
 *
 * Start at {@link applyOverrides}; it is pure, and does not look for policies itself.
 */
import { StatusError } from '#base/status-error.ts';
import {
  ANNOTATIONS,
  type AnyOverridePolicy,
  type Cluster,
  type ClusterOverridePolicy,
  type OverridePolicy,
  type OverrideRule,
  type Overriders,
} from '#karmada/apis/index.ts';
import { CLOSENESS, clusterMatches, closestMatch } from '#karmada/selector/index.ts';
import { keyOf, type KubeObject } from '#kube/meta/object.ts';
import { type AppliedOverride, appliedOverridesText } from './applied-overrides.ts';
import { overrideCommand, overrideField, overrideImages, overrideMetadata, patchObject } from './overriders.ts';
import { PatchProblem } from './strict-patch.ts';

export interface OverrideInput {
  /** What is to be sent, replicas already revised: an override of them wins. */
  readonly object: KubeObject;
  readonly cluster: Cluster;
  readonly clusterOverridePolicies: readonly ClusterOverridePolicy[];
  /** Of any namespace; only those of the object's count. */
  readonly overridePolicies: readonly OverridePolicy[];
}

export interface Overridden {
  readonly object: KubeObject;
  readonly applied: {
    /** Every rule applied, in order: what events are recorded of. */
    readonly rules: readonly AppliedRule[];
    /** For the Work: `policy.karmada.io/applied-overrides` and `-cluster-overrides`, where there is something to say. */
    readonly annotations: Readonly<Record<string, string>>;
  };
}

export interface AppliedRule extends AppliedOverride {
  readonly kind: AnyOverridePolicy['kind'];
  readonly namespace?: string;
  /** Which rule of the policy, from 0. */
  readonly rule: number;
}

export function applyOverrides(input: OverrideInput): Overridden {
  const { cluster, clusterOverridePolicies, overridePolicies } = input;
  const { namespace } = input.object.metadata;
  const clusterRules = rulesFor(input.object, cluster, clusterOverridePolicies);
  const afterCluster = clusterRules.reduce(applyRule, input.object);
  // Selected by the object as the cluster policies left it: they may have changed its labels.
  const own =
    namespace === undefined ? [] : overridePolicies.filter(({ metadata }) => metadata.namespace === namespace);
  const rules = rulesFor(afterCluster, cluster, own);
  const object = rules.reduce(applyRule, afterCluster);
  return { object, applied: { rules: [...clusterRules, ...rules], annotations: annotationsOf(clusterRules, rules) } };
}

function annotationsOf(
  clusterRules: readonly AppliedRule[],
  rules: readonly AppliedRule[],
): Readonly<Record<string, string>> {
  const texts = {
    [ANNOTATIONS.appliedClusterOverrides]: appliedOverridesText(clusterRules.map(noted)),
    [ANNOTATIONS.appliedOverrides]: appliedOverridesText(rules.map(noted)),
  };
  return Object.fromEntries(Object.entries(texts).flatMap(([key, text]) => (text === undefined ? [] : [[key, text]])));
}

function noted({ policyName, overriders }: AppliedRule): AppliedOverride {
  return { policyName, overriders };
}

/** The rules that concern the object in the cluster, in the order they are applied. */
function rulesFor(
  object: KubeObject,
  cluster: Cluster,
  policies: readonly AnyOverridePolicy[],
): readonly AppliedRule[] {
  return policies
    .map((policy) => ({ policy, closeness: closenessOf(object, policy) }))
    .filter(({ closeness }) => closeness > CLOSENESS.none)
    .sort((a, b) => a.closeness - b.closeness || (a.policy.metadata.name < b.policy.metadata.name ? -1 : 1))
    .flatMap(({ policy }) => matchingRules(policy, cluster));
}

function closenessOf(object: KubeObject, { spec }: AnyOverridePolicy): number {
  const selectors = spec.resourceSelectors ?? [];
  return selectors.length === 0 ? CLOSENESS.all : closestMatch(object, selectors);
}

function matchingRules({ kind, metadata, spec }: AnyOverridePolicy, cluster: Cluster): readonly AppliedRule[] {
  const { name, namespace } = metadata;
  const listed: readonly OverrideRule[] = spec.overrideRules ?? [];
  const deprecated = {
    overriders: spec.overriders ?? {},
    ...(spec.targetCluster && { targetCluster: spec.targetCluster }),
  };
  const rules: readonly OverrideRule[] = listed.length > 0 ? listed : [deprecated];
  return rules.flatMap(({ targetCluster, overriders }, rule) => {
    if (targetCluster && !clusterMatches(cluster, targetCluster)) return [];
    return [{ kind, policyName: name, ...(namespace === undefined ? {} : { namespace }), rule, overriders }];
  });
}

type Step = (object: KubeObject) => KubeObject;

function applyRule(object: KubeObject, rule: AppliedRule): KubeObject {
  return stepsOf(rule.overriders).reduce((at, [field, step]) => {
    try {
      return step(at);
    } catch (cause) {
      throw cause instanceof PatchProblem ? failure(object, rule, field, cause) : cause;
    }
  }, object);
}

function failure(object: KubeObject, rule: AppliedRule, field: string, cause: PatchProblem): StatusError {
  const policy = rule.namespace === undefined ? rule.policyName : `${rule.namespace}/${rule.policyName}`;
  const where = `${rule.kind} ${policy}, rule ${rule.rule + 1}, ${field}`;
  return new StatusError('Invalid', `${where} cannot be applied to ${object.kind} ${keyOf(object)}: ${cause.message}`, {
    cause,
  });
}

/** Every overrider sees what the one before it made. */
function stepsOf(overriders: Overriders): readonly (readonly [field: string, step: Step])[] {
  return [
    ...steps('imageOverrider', overriders.imageOverrider, overrideImages),
    ...steps('commandOverrider', overriders.commandOverrider, (at, each) => overrideCommand(at, 'command', each)),
    ...steps('argsOverrider', overriders.argsOverrider, (at, each) => overrideCommand(at, 'args', each)),
    ...steps('labelsOverrider', overriders.labelsOverrider, (at, each) => overrideMetadata(at, 'labels', each)),
    ...steps('annotationsOverrider', overriders.annotationsOverrider, (at, each) =>
      overrideMetadata(at, 'annotations', each),
    ),
    ...steps('fieldOverrider', overriders.fieldOverrider, overrideField),
    ...steps('plaintext', overriders.plaintext, (at, each) => patchObject(at, [each])),
  ];
}

function steps<Overrider>(
  field: string,
  overriders: readonly Overrider[] | undefined,
  apply: (object: KubeObject, overrider: Overrider) => KubeObject,
): readonly (readonly [field: string, step: Step])[] {
  return (overriders ?? []).map((each, index) => [`${field}[${index}]`, (at: KubeObject) => apply(at, each)] as const);
}
