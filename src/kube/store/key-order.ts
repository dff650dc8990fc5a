/**
 * The order of keys: by their UTF-8 bytes, as SQLite and etcd order them.
 *
 * JavaScript compares UTF-16 units, which puts characters beyond U+FFFF before U+E000..U+FFFF; names may hold both.
 */
export function compareKeys(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

/** Surrogates (halves of characters beyond U+FFFF) go after every other unit. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/** The index of the first of `keys` (in key order) that is not before `key`. */
export function lowerBound(keys: readonly string[], key: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareKeys(keys[middle] ?? '', key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
