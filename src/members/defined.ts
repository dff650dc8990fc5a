/** An object type whose members that may be undefined may be missing instead. */
export type Defined<T> = {
  [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key];
} & {
  [Key in keyof T as undefined extends T[Key] ? Key : never]?: Exclude<T[Key], undefined>;
};

/** The same object without members that are undefined: what a field left out looks like on the wire. */
export function defined<T extends object>(value: T): Defined<T> {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Defined<T>;
}

/** A count as Kubernetes writes most: zero is left out. */
export function unlessZero(count: number): number | undefined {
  return count === 0 ? undefined : count;
}
