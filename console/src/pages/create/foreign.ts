/** Objects of a member that nobody of the instance has put there, and whether a policy takes them over. Pure. */
import { textAt } from '../policy/policy-text.ts';

interface Found {
  readonly cluster: string;
  readonly resource?: { readonly kind: string; readonly namespace: string; readonly name: string } | undefined;
  readonly object?: unknown;
}

/** What every object that the engine has put into a cluster is marked with. */
const OF_THE_ENGINE = 'karmada.io/managed';

/** The search that finds it in every cluster. */
export function wordsFor(object: unknown): string {
  const part = (name: string, value: string) => (value === '' ? [] : [`${name}:${value}`]);
  return [
    ...part('kind', textAt(object, ['kind']).toLowerCase()),
    ...part('namespace', textAt(object, ['metadata', 'namespace'])),
    ...part('name', textAt(object, ['metadata', 'name'])),
  ].join(' ');
}

export function isForeign({ cluster, resource, object }: Found, wanted: unknown): boolean {
  const isIt =
    resource?.kind === textAt(wanted, ['kind']) &&
    resource.name === textAt(wanted, ['metadata', 'name']) &&
    resource.namespace === textAt(wanted, ['metadata', 'namespace']);
  return cluster !== '' && isIt && textAt(object, ['metadata', 'labels', OF_THE_ENGINE]) !== 'true';
}

export function takesOver(policy: unknown): boolean {
  return textAt(policy, ['spec', 'conflictResolution']) === 'Overwrite';
}
