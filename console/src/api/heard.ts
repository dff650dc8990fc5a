/** What a list may say of something while some of its clusters do not answer: never more than is known. Pure. */
import type { State } from '../parts/status.tsx';

interface Listed {
  readonly state: State;
  readonly clusters: readonly { readonly name: string }[];
}

/** Who was well is no longer known to be; who was worse stays so. */
export function heard<T extends Listed>(row: T, lost: ReadonlySet<string>): T & { readonly silent: boolean } {
  const silent = row.clusters.filter(({ name }) => lost.has(name)).length;
  if (silent === 0) return { ...row, silent: false };
  const state = silent === row.clusters.length ? 'unknown' : row.state === 'healthy' ? 'degraded' : row.state;
  return { ...row, state, silent: true };
}

/** The state of a copy in one cluster. */
export function copyState(
  { name, applied }: { readonly name: string; readonly applied: boolean },
  lost: ReadonlySet<string>,
): State {
  if (lost.has(name)) return 'unknown';
  return applied ? 'healthy' : 'progressing';
}
