/** Which of a list's columns are shown: what somebody chose, otherwise what there is room for. Pure. */
export interface Offered {
  readonly id: string;
  /** Left out where there is little room: whoever peeks sees it all the same. */
  readonly wide?: boolean;
  /** Only for who asks for it. */
  readonly extra?: boolean;
}

/** By column; what is not named is as usual. */
export type Choice = Readonly<Record<string, boolean>>;

export function isShown({ id, wide = false, extra = false }: Offered, choice: Choice, roomy: boolean): boolean {
  return choice[id] ?? (!extra && (roomy || !wide));
}

/** The first column says what a row is about, and stays. */
export function chosen<T extends Offered>(all: readonly T[], choice: Choice, roomy: boolean): readonly T[] {
  return all.filter((column, index) => index === 0 || isShown(column, choice, roomy));
}

/** Where a choice is kept: lists with the same columns share it, unless they have a name of their own. */
export function listKey(name: string | undefined, all: readonly Offered[]): string {
  return name ?? all.map(({ id }) => id).join(',');
}
