/** Since when things have been as they are: a memory finer than the whole seconds that objects keep. */
export interface Since {
  /** When this state of a part of `owner` was first asked about; `at` is the time of the one who asks. */
  of(owner: string, part: string, state: string, at?: number): number;
  /** Whether this state of a part is asked about for the first time. */
  isNew(owner: string, part: string, state: string): boolean;
  forget(owner: string): void;
}

export function since(now: () => number): Since {
  const owners = new Map<string, Map<string, { readonly state: string; readonly at: number }>>();

  function of(owner: string, part: string, state: string, at = now()): number {
    let parts = owners.get(owner);
    if (!parts) owners.set(owner, (parts = new Map()));
    const known = parts.get(part);
    if (known?.state === state) return known.at;
    parts.set(part, { state, at });
    return at;
  }

  return {
    of,
    isNew(owner, part, state) {
      const isKnown = owners.get(owner)?.get(part)?.state === state;
      of(owner, part, state);
      return !isKnown;
    },
    forget: (owner) => void owners.delete(owner),
  };
}
