/** How far the pods of a workload stay from each other, as one word and as the rule that it stands for. Pure. */
import { textAt, valueAt } from '../policy/policy-text.ts';

export const APARTS = ['no', 'nodeIfPossible', 'node', 'zoneIfPossible', 'zone', 'other'] as const;
export type Apart = (typeof APARTS)[number];

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';
const NODE = 'kubernetes.io/hostname';
const ZONE = 'topology.kubernetes.io/zone';

/** The rule for a word; `other` is one that somebody wrote, and stays. */
export function keptApart(word: Apart, app: string): object | undefined {
  if (word === 'no' || word === 'other') return undefined;
  const topologyKey = word.startsWith('node') ? NODE : ZONE;
  const term = { labelSelector: { matchLabels: { app } }, topologyKey };
  return word.endsWith('IfPossible')
    ? { [PREFERRED]: [{ weight: 100, podAffinityTerm: term }] }
    : { [REQUIRED]: [term] };
}

export function apartIn(rule: unknown): Apart {
  if (rule === undefined) return 'no';
  const required = textAt(rule, [REQUIRED, 0, 'topologyKey']);
  const preferred = textAt(rule, [PREFERRED, 0, 'podAffinityTerm', 'topologyKey']);
  const isOne = [REQUIRED, PREFERRED].every((list) => valueAt(rule, [list, 1]) === undefined);
  if (!isOne || (required !== '' && preferred !== '')) return 'other';
  if (required !== '') return required === NODE ? 'node' : required === ZONE ? 'zone' : 'other';
  return preferred === NODE ? 'nodeIfPossible' : preferred === ZONE ? 'zoneIfPossible' : 'other';
}
