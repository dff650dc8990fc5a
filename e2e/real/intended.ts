/** The differences that are meant; each is explained in docs/karmada-differences.md under the same heading. */
import type { Difference } from './differences.ts';

interface Intended {
  readonly heading: string;
  readonly is: (difference: Difference) => boolean;
}

const INTENDED: readonly Intended[] = [
  {
    // Every write counts: one that is saved leaves a smaller number in the Work, the member and what is reported of it.
    heading: 'Fewer writes',
    is: ({ path, real, ours }) =>
      /\.(generation|observedGeneration|schedulerObservedGeneration)$/.test(path) &&
      /^(m\d |karmada Work |karmada ResourceBinding )/.test(path) &&
      Number(ours) < Number(real),
  },
];

export function isIntended(difference: Difference): boolean {
  return INTENDED.some(({ is }) => is(difference));
}
