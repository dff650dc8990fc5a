/**
 * Which policy a template belongs to, and why not to the others: the ladder that the engine climbs, from the top.
 *
 * A policy of the template's own namespace stands above every cluster policy. Among those of one kind the greater priority
 * counts first, then how closely a selector describes the template, then the name. Who holds a template keeps it, unless
 * one above may take it over: so the one in force need not be the first.
 */
import type { Thing } from '../../api/objects.ts';

export type Closeness = 'name' | 'labels' | 'all';

export interface Rung {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly priority: number;
  readonly closeness: Closeness;
  readonly preempts: boolean;
  readonly inForce: boolean;
  /** What it has over the next one below. */
  readonly above: 'own' | 'priority' | 'closeness' | 'name' | 'last';
}

interface Selector {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly labelSelector?: LabelSelector;
}

interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

const CLOSER: Readonly<Record<Closeness, number>> = { name: 3, labels: 2, all: 1 };

export function ladderOf(template: Thing, policies: readonly Thing[]): readonly Rung[] {
  const holder = holderOf(template);
  const rungs = policies.flatMap((policy) => {
    const closeness = closenessOf(template, policy);
    return closeness ? [rungOf(policy, closeness, holder)] : [];
  });
  rungs.sort((a, b) => compare(a, b));
  return rungs.map((rung, index) => ({ ...rung, above: aboveOf(rung, rungs[index + 1]) }));
}

/** `PropagationPolicy/shop/web`, as the marks on the template say. */
export function holderOf({ metadata: { annotations = {} } }: Thing): string {
  const own = annotations['propagationpolicy.karmada.io/name'];
  if (own !== undefined)
    return `PropagationPolicy/${annotations['propagationpolicy.karmada.io/namespace'] ?? ''}/${own}`;
  const wide = annotations['clusterpropagationpolicy.karmada.io/name'];
  return wide === undefined ? '' : `ClusterPropagationPolicy//${wide}`;
}

function rungOf({ kind, metadata, spec }: Thing, closeness: Closeness, holder: string): Rung {
  const { name, namespace = '' } = metadata;
  const priority = spec?.['priority'];
  return {
    kind,
    namespace,
    name,
    priority: typeof priority === 'number' ? priority : 0,
    closeness,
    preempts: spec?.['preemption'] === 'Always',
    inForce: `${kind}/${namespace}/${name}` === holder,
    above: 'last',
  };
}

const isOwn = ({ kind }: Rung) => kind === 'PropagationPolicy';

function compare(a: Rung, b: Rung): number {
  if (isOwn(a) !== isOwn(b)) return isOwn(a) ? -1 : 1;
  if (a.priority !== b.priority) return b.priority - a.priority;
  if (a.closeness !== b.closeness) return CLOSER[b.closeness] - CLOSER[a.closeness];
  return a.name < b.name ? -1 : 1;
}

function aboveOf(rung: Rung, next: Rung | undefined): Rung['above'] {
  if (!next) return 'last';
  if (isOwn(rung) !== isOwn(next)) return 'own';
  if (rung.priority !== next.priority) return 'priority';
  return rung.closeness === next.closeness ? 'name' : 'closeness';
}

/** How closely a policy describes a template; undefined where it does not at all. */
function closenessOf(template: Thing, { kind, metadata, spec }: Thing): Closeness | undefined {
  if (metadata.deletionTimestamp) return undefined;
  if (kind === 'PropagationPolicy' && metadata.namespace !== template.metadata.namespace) return undefined;
  const selectors = (spec?.['resourceSelectors'] ?? []) as readonly Selector[];
  return selectors.flatMap((selector) => selectedBy(template, selector) ?? []).sort((a, b) => CLOSER[b] - CLOSER[a])[0];
}

function selectedBy({ apiVersion, kind, metadata }: Thing, selector: Selector): Closeness | undefined {
  if (apiVersion !== selector.apiVersion || kind !== selector.kind) return undefined;
  if (selector.namespace && selector.namespace !== (metadata.namespace ?? '')) return undefined;
  if (selector.name) return selector.name === metadata.name ? 'name' : undefined;
  if (!selector.labelSelector) return 'all';
  return matches(selector.labelSelector, metadata.labels ?? {}) ? 'labels' : undefined;
}

function matches(
  { matchLabels = {}, matchExpressions = [] }: LabelSelector,
  labels: Readonly<Record<string, string>>,
): boolean {
  const equal = Object.entries(matchLabels).every(([key, value]) => labels[key] === value);
  return (
    equal &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      const value = labels[key];
      if (operator === 'Exists') return value !== undefined;
      if (operator === 'DoesNotExist') return value === undefined;
      if (operator === 'In') return value !== undefined && values.includes(value);
      return value === undefined || !values.includes(value);
    })
  );
}
