/**
 * The order of a merged list: what the patch orders comes in the patch's order, what only the server has keeps its
 * place relative to the rest as well as the two orders allow.
 */
export function inPatchOrder(
  merged: readonly unknown[],
  patchOrder: readonly unknown[],
  serverOrder: readonly unknown[],
  identity: (item: unknown) => unknown,
): unknown[] {
  const inPatch = positions(patchOrder, identity);
  const inServer = positions(serverOrder, identity);
  const rank = (ranks: ReadonlyMap<unknown, number>) => (item: unknown) =>
    ranks.get(identity(item)) ?? Number.POSITIVE_INFINITY;
  const ours = merged.filter((item) => inPatch.has(identity(item))).sort(by(rank(inPatch)));
  const theirs = merged.filter((item) => !inPatch.has(identity(item))).sort(by(rank(inServer)));
  return interleave(theirs, ours, rank(inServer));
}

function positions(items: readonly unknown[], identity: (item: unknown) => unknown): ReadonlyMap<unknown, number> {
  const result = new Map<unknown, number>();
  items.forEach((item, index) => {
    if (!result.has(identity(item))) result.set(identity(item), index);
  });
  return result;
}

const by = (rank: (item: unknown) => number) => (a: unknown, b: unknown) => {
  const [left, right] = [rank(a), rank(b)];
  return left === right ? 0 : left - right;
};

/** Puts each of `theirs` before the first of `ours` that came after it on the server; the rest at the end. */
function interleave(theirs: readonly unknown[], ours: readonly unknown[], rank: (item: unknown) => number): unknown[] {
  const result: unknown[] = [];
  let next = 0;
  for (const item of ours) {
    while (next < theirs.length && rank(item) < Number.POSITIVE_INFINITY && rank(theirs[next]) < rank(item))
      result.push(theirs[next++]);
    result.push(item);
  }
  return [...result, ...theirs.slice(next)];
}
