/** The differences that are meant; each is explained in docs/karmada-differences.md under the same heading. */
import type { Difference } from './differences.ts';

interface Intended {
  readonly heading: string;
  readonly is: (difference: Difference) => boolean;
}

const INTENDED: readonly Intended[] = [];

export function isIntended(difference: Difference): boolean {
  return INTENDED.some(({ is }) => is(difference));
}
