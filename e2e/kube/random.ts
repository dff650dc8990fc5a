/** Choices that a seed repeats. */
export interface Random {
  /** In [0, 1). */
  number(): number;
  /** In [0, below). */
  whole(below: number): number;
  chance(of: number): boolean;
  pick<T>(from: readonly T[]): T;
}

/** mulberry32: small, fast, good enough to find what nobody thought of. */
export function randomOf(seed: number): Random {
  let state = seed | 0;
  const number = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const whole = (below: number) => Math.floor(number() * below);
  return {
    number,
    whole,
    chance: (of) => number() < of,
    pick(from) {
      const picked = from[whole(from.length)];
      if (picked === undefined) throw new Error('nothing to pick from');
      return picked;
    },
  };
}
