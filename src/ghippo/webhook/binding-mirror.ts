/**
 * A receiver's copy of all bindings, which ends up right whatever happens to the messages.
 *
 * Each object is kept with the version of its state; an older or equal one changes nothing, and what is gone is
 * remembered as gone at a version, so that a late message does not bring it back. A resync compares with the whole truth
 * and repairs what was missed; news that is newer than the truth it was given stays.
 */
import type { BindingKey, BindingState } from './binding-event.ts';
import { isNewer } from './binding-event.ts';

/** Where a mirror keeps its states. */
export interface MirrorStore {
  keys(): Promise<readonly BindingKey[]>;
  /**
   * Replaces what is known of a key by what `next` makes of it, unless that is undefined; nobody else changes it in
   * between. Whether it was replaced.
   */
  change(key: BindingKey, next: (known: BindingState | undefined) => BindingState | undefined): Promise<boolean>;
}

export interface BindingMirror {
  apply(state: BindingState): Promise<'applied' | 'known already'>;
  /** Repairs everything of one kind; how much that was. */
  resync(truth: Truth): Promise<number>;
}

/** All objects of a kind, as of a revision. */
export interface Truth {
  readonly kind: string;
  readonly revision: string;
  readonly states: readonly BindingState[];
}

export function bindingMirror(store: MirrorStore): BindingMirror {
  async function apply(state: BindingState): Promise<'applied' | 'known already'> {
    const isNews = await store.change(state.key, (known) =>
      isNewer(state.version, known?.version) ? state : undefined,
    );
    return isNews ? 'applied' : 'known already';
  }

  async function forget(key: BindingKey, revision: string): Promise<boolean> {
    return store.change(key, (known) =>
      known?.object && isNewer(revision, known.version) ? { key, version: revision } : undefined,
    );
  }

  return {
    apply,
    async resync({ kind, revision, states }) {
      let repaired = 0;
      for (const state of states) if ((await apply(state)) === 'applied') repaired += 1;
      const there = new Set(states.map(({ key }) => key));
      for (const key of await store.keys())
        if (key.startsWith(`${kind}/`) && !there.has(key) && (await forget(key, revision))) repaired += 1;
      return repaired;
    },
  };
}

/** For tests, and for those who can start from nothing. */
export function memoryMirror(): MirrorStore & { readonly states: ReadonlyMap<BindingKey, BindingState> } {
  const states = new Map<BindingKey, BindingState>();
  return {
    states,
    keys: async () => [...states.keys()],
    async change(key, next) {
      const state = next(states.get(key));
      if (state) states.set(key, state);
      return state !== undefined;
    },
  };
}
