/** Where a pod may, should and must not run: tolerations, affinities, spreading. */
import type {
  Affinity,
  NodeSelector,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  PodAffinityTerm,
  Toleration,
  TopologySpreadConstraint,
} from '#gen/kube/types.ts';
import { duplicate, forbidden, invalid, invalidAll, required } from '#kube/meta/field-error.ts';
import { dnsLabelProblems, dnsSubdomainProblems, labelValueProblems, qualifiedNameProblems } from '#kube/meta/names.ts';
import { labelSelector, oneOf, positive, requiredOneOf } from '../checks.ts';
import type { Errors, Given } from '../kind.ts';

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

export function taintEffect(effect: string | undefined, path: string): Errors {
  return requiredOneOf(effect, EFFECTS, path);
}

export function* tolerations(given: readonly Given<Toleration>[], path: string): Errors {
  for (const [index, toleration] of given.entries()) {
    const { key = '', operator = '', value = '', effect = '', tolerationSeconds } = toleration;
    const at = `${path}[${index}]`;
    if (key !== '') yield* invalidAll(`${at}.key`, key, qualifiedNameProblems(key));
    else if (operator !== 'Exists') {
      const rule = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
      yield invalid(`${at}.operator`, operator, rule);
    }
    if (tolerationSeconds !== undefined && effect !== 'NoExecute') {
      yield invalid(`${at}.effect`, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set");
    }
    if (operator === 'Exists') {
      if (value !== '') yield invalid(`${at}.operator`, value, "value must be empty when `operator` is 'Exists'");
    } else if (operator === '' || operator === 'Equal') {
      const problems = labelValueProblems(value);
      if (problems.length > 0) yield invalid(`${at}.operator`, value, problems.join(';'));
    } else yield* oneOf(operator, ['Equal', 'Exists'], `${at}.operator`);
    if (effect !== '') yield* oneOf(effect, EFFECTS, `${at}.effect`);
  }
}

export function* affinity({ nodeAffinity, podAffinity, podAntiAffinity }: Given<Affinity>, path: string): Errors {
  const must = nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  if (must) yield* nodeSelector(must, `${path}.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution`);
  for (const [at, term] of (nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).entries()) {
    const own = `${path}.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[${at}]`;
    yield* weight(term.weight, own);
    yield* nodeSelectorTerm(term.preference ?? {}, `${own}.preference`, true);
  }
  yield* podTerms(podAffinity, `${path}.podAffinity`);
  yield* podTerms(podAntiAffinity, `${path}.podAntiAffinity`);
}

function* weight(value: number | undefined, path: string): Errors {
  if (value === undefined || value < 1 || value > 100)
    yield invalid(`${path}.weight`, value ?? 0, 'must be in the range 1-100');
}

export function* nodeSelector({ nodeSelectorTerms = [] }: Given<NodeSelector>, path: string): Errors {
  if (nodeSelectorTerms.length === 0)
    yield required(`${path}.nodeSelectorTerms`, 'must have at least one node selector term');
  for (const [at, term] of nodeSelectorTerms.entries())
    yield* nodeSelectorTerm(term, `${path}.nodeSelectorTerms[${at}]`);
}

/** `preferred`: a value that no label can have is only a wish that never comes true. */
function* nodeSelectorTerm(term: Given<NodeSelectorTerm>, path: string, preferred = false): Errors {
  for (const [at, requirement] of (term.matchExpressions ?? []).entries()) {
    yield* nodeRequirement(requirement, `${path}.matchExpressions[${at}]`, preferred);
  }
  for (const [at, requirement] of (term.matchFields ?? []).entries()) {
    yield* nodeFieldRequirement(requirement, `${path}.matchFields[${at}]`);
  }
}

function* nodeRequirement(requirement: Given<NodeSelectorRequirement>, path: string, preferred: boolean): Errors {
  const { key = '', operator = '', values = [] } = requirement;
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length === 0) yield required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'");
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    const rule = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
    if (values.length > 0) yield forbidden(`${path}.values`, rule);
  } else if (operator === 'Gt' || operator === 'Lt') {
    const rule = "must be specified single value when `operator` is 'Lt' or 'Gt'";
    if (values.length !== 1) yield required(`${path}.values`, rule);
  } else yield invalid(`${path}.operator`, operator, 'not a valid selector operator');
  yield* invalidAll(`${path}.key`, key, qualifiedNameProblems(key));
  if (preferred) return;
  for (const [at, value] of values.entries())
    yield* invalidAll(`${path}.values[${at}]`, value, labelValueProblems(value));
}

function* nodeFieldRequirement(requirement: Given<NodeSelectorRequirement>, path: string): Errors {
  const { key = '', operator = '', values = [] } = requirement;
  if (operator !== 'In' && operator !== 'NotIn') {
    yield invalid(`${path}.operator`, operator, 'not a valid selector operator');
  } else if (values.length !== 1) {
    yield required(
      `${path}.values`,
      "must be only one value when `operator` is 'In' or 'NotIn' for node field selector",
    );
  }
  if (key !== 'metadata.name') return yield invalid(`${path}.key`, key, 'not a valid field selector key');
  for (const [at, value] of values.entries())
    yield* invalidAll(`${path}.values[${at}]`, value, dnsSubdomainProblems(value));
}

function* podTerms(terms: Given<Affinity>['podAffinity'], path: string): Errors {
  for (const [at, term] of (terms?.requiredDuringSchedulingIgnoredDuringExecution ?? []).entries()) {
    yield* podTerm(term, `${path}.requiredDuringSchedulingIgnoredDuringExecution[${at}]`);
  }
  for (const [at, term] of (terms?.preferredDuringSchedulingIgnoredDuringExecution ?? []).entries()) {
    const own = `${path}.preferredDuringSchedulingIgnoredDuringExecution[${at}]`;
    yield* weight(term.weight, own);
    yield* podTerm(term.podAffinityTerm ?? {}, `${own}.podAffinityTerm`);
  }
}

function* podTerm(term: Given<PodAffinityTerm>, path: string): Errors {
  yield* labelSelector(term.labelSelector, `${path}.labelSelector`);
  yield* labelSelector(term.namespaceSelector, `${path}.namespaceSelector`);
  for (const name of term.namespaces ?? []) yield* invalidAll(`${path}.namespace`, name, dnsLabelProblems(name));
  yield* comparedLabels(term, path);
  const { topologyKey = '' } = term;
  if (topologyKey === '') yield required(`${path}.topologyKey`, 'can not be empty');
  yield* invalidAll(`${path}.topologyKey`, topologyKey, qualifiedNameProblems(topologyKey));
}

/** Labels whose values of the pod itself are looked for, or kept away from, in others. */
function* comparedLabels(term: Given<PodAffinityTerm>, path: string): Errors {
  const { matchLabelKeys = [], mismatchLabelKeys = [], labelSelector: selector } = term;
  for (const [list, keys] of Object.entries({ matchLabelKeys, mismatchLabelKeys })) {
    if (keys.length === 0) continue;
    if (!selector) yield forbidden(`${path}.${list}`, 'must not be specified when labelSelector is not set');
    else
      for (const [at, key] of keys.entries())
        yield* invalidAll(`${path}.${list}[${at}]`, key, qualifiedNameProblems(key));
  }
  for (const [at, key] of matchLabelKeys.entries()) {
    if (!mismatchLabelKeys.includes(key)) continue;
    yield invalid(`${path}.matchLabelKeys[${at}]`, key, 'exists in both matchLabelKeys and mismatchLabelKeys');
  }
}

export function* spreadConstraints(constraints: readonly Given<TopologySpreadConstraint>[], path: string): Errors {
  for (const [index, constraint] of constraints.entries()) {
    const at = `${path}[${index}]`;
    const { maxSkew, topologyKey = '', whenUnsatisfiable = '', minDomains } = constraint;
    yield* positive(maxSkew, `${at}.maxSkew`);
    if (topologyKey === '') yield required(`${at}.topologyKey`, 'can not be empty');
    yield* oneOf(whenUnsatisfiable, ['DoNotSchedule', 'ScheduleAnyway'], `${at}.whenUnsatisfiable`);
    const repeated = constraints
      .slice(index + 1)
      .some((other) => other.topologyKey === topologyKey && other.whenUnsatisfiable === whenUnsatisfiable);
    if (repeated) yield duplicate(`${at}.{topologyKey, whenUnsatisfiable}`, `{${topologyKey}, ${whenUnsatisfiable}}`);
    if (minDomains !== undefined) {
      yield* positive(minDomains, `${at}.minDomains`);
      const rule = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`;
      if (whenUnsatisfiable !== 'DoNotSchedule') yield invalid(`${at}.minDomains`, minDomains, rule);
    }
    yield* oneOf(constraint.nodeAffinityPolicy, ['Honor', 'Ignore'], `${at}.nodeAffinityPolicy`);
    yield* oneOf(constraint.nodeTaintsPolicy, ['Honor', 'Ignore'], `${at}.nodeTaintsPolicy`);
    yield* labelSelector(constraint.labelSelector, `${at}.labelSelector`);
  }
}
