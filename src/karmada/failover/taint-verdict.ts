/**
 * Whether the taints of a cluster drive a binding out of it, and when. Pure.
 *
 * As karmada v1.18 pkg/util/helper/taint.go: only taints with effect NoExecute count; one that nothing tolerates drives
 * out at once; tolerations with `tolerationSeconds` last that long from the moment the taint was added, and the first of
 * them to end decides.
 */
import type { Taint, Toleration } from '#karmada/apis/index.ts';
import { taintText, tolerates } from '#karmada/selector/index.ts';

export type TaintVerdict =
  | { readonly type: 'stay'; readonly because: string }
  | { readonly type: 'later'; readonly afterMs: number; readonly because: string }
  | { readonly type: 'now'; readonly because: string };

/** `now` in milliseconds since the epoch. */
export function taintVerdict(
  taints: readonly Taint[] | undefined,
  tolerations: readonly Toleration[] | undefined,
  now: number,
): TaintVerdict {
  const driving = noExecuteTaints(taints);
  if (driving.length === 0) return { type: 'stay', because: 'no taint of the cluster evicts' };
  const used: Toleration[] = [];
  for (const taint of driving) {
    const toleration = tolerations?.find((each) => tolerates(each, taint));
    if (!toleration) return { type: 'now', because: `nothing tolerates ${taintText(taint)}` };
    used.push(toleration);
  }
  return verdictOf(firstEnd(driving, used), now);
}

export function noExecuteTaints(taints: readonly Taint[] | undefined): readonly Taint[] {
  return (taints ?? []).filter(({ effect }) => effect === 'NoExecute');
}

interface End {
  readonly at: number;
  readonly taint: Taint;
}

/** A taint that does not say since when it is there is tolerated for ever. */
function firstEnd(taints: readonly Taint[], tolerations: readonly Toleration[]): End | undefined {
  const ends = tolerations.flatMap((toleration) =>
    taints.flatMap((taint) => {
      const { tolerationSeconds } = toleration;
      if (tolerationSeconds === undefined || taint.timeAdded === undefined || !tolerates(toleration, taint)) return [];
      return [{ at: Date.parse(taint.timeAdded) + tolerationSeconds * 1_000, taint }];
    }),
  );
  return ends.sort((a, b) => a.at - b.at)[0];
}

function verdictOf(end: End | undefined, now: number): TaintVerdict {
  if (!end) return { type: 'stay', because: 'every taint is tolerated for good' };
  const text = taintText(end.taint);
  if (end.at <= now) return { type: 'now', because: `the toleration of ${text} has ended` };
  return { type: 'later', afterMs: end.at - now, because: `${text} is tolerated until then` };
}
