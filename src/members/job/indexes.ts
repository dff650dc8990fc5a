/** Sets of completion indexes as Jobs write them: `1,3-5,7`. Pure. */
import type { Pod } from '#gen/kube/types.ts';

export const INDEX = 'batch.kubernetes.io/job-completion-index';

export function parseIndexes(text: string | undefined): ReadonlySet<number> {
  const all = new Set<number>();
  for (const part of (text ?? '').split(',').filter((one) => one !== '')) {
    const [from = 0, to = from] = part.split('-').map(Number);
    for (let index = from; index <= to; index++) all.add(index);
  }
  return all;
}

export function formatIndexes(indexes: Iterable<number>): string {
  const sorted = [...indexes].sort((a, b) => a - b);
  const ranges: { first: number; last: number }[] = [];
  for (const index of sorted) {
    const range = ranges.at(-1);
    if (range?.last === index - 1) range.last = index;
    else ranges.push({ first: index, last: index });
  }
  // Two neighbours are written apart, as Kubernetes does: a range is worth it from three on.
  return ranges
    .map(({ first, last }) =>
      last === first ? `${first}` : last === first + 1 ? `${first},${last}` : `${first}-${last}`,
    )
    .join(',');
}

export function indexOf({ metadata }: Pod): number | undefined {
  const index = metadata.annotations?.[INDEX];
  return index !== undefined && /^\d+$/.test(index) ? Number(index) : undefined;
}
