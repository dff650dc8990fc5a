/** Where a new resource is to go: by the policies there are, with a workload, with a policy's other things, or by its own. */
import { stringify } from 'yaml';
import type { Kind } from '../../api/kinds.ts';
import { alsoFor, withValue } from '../policy/policy-text.ts';

export const POSITIONS = ['matching', 'inherit', 'reuse', 'own'] as const;
export type Mode = (typeof POSITIONS)[number];

export interface Position {
  readonly mode: Mode;
  /** The workload whose clusters a service takes. */
  readonly workload: string;
  /** The text of the policy that is to be for one more thing; empty until one is chosen. */
  readonly reused: string;
  /** The text of a policy of its own. */
  readonly own: string;
}

/** What is in no namespace is not for a policy of one; a namespace goes to every cluster by itself. */
export function positionsOf({ kind, namespaced }: Kind): readonly Mode[] {
  if (!namespaced) return ['matching'];
  return kind === 'Service' ? POSITIONS : POSITIONS.filter((mode) => mode !== 'inherit');
}

export function newPosition(): Position {
  return { mode: 'matching', workload: '', reused: '', own: ownPolicy };
}

const ownPolicy = stringify({
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'PropagationPolicy',
  metadata: { name: '', namespace: '' },
  spec: { resourceSelectors: [], placement: { clusterAffinity: {} } },
});

/** A service and its workload often have one name, and each its policy. */
export function policyName({ kind }: Kind, name: string): string {
  return `${name}-${kind.toLowerCase()}`;
}

/** Whether enough is said to go on. */
export function isComplete({ mode, workload, reused }: Position): boolean {
  return mode === 'inherit' ? workload !== '' : mode === 'reuse' ? reused !== '' : true;
}

interface At {
  readonly namespace: string;
  readonly name: string;
}

/** The policy by which it goes, as it will be written; undefined where the instance has one, or makes one. */
export function policyOf({ mode, reused, own }: Position, kind: Kind, at: At): string | undefined {
  const selector = { apiVersion: kind.apiVersion, kind: kind.kind, name: at.name };
  if (mode === 'reuse' && reused !== '') return alsoFor(reused, selector);
  if (mode !== 'own') return undefined;
  const named = withValue(own, ['metadata'], { name: policyName(kind, at.name), namespace: at.namespace });
  return alsoFor(named, selector);
}
