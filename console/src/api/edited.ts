/**
 * An object that somebody edits without what machines keep in it, and how it becomes whole again when it is saved.
 *
 * Whoever saves replaces what they have read: if that is no longer so, the change is refused rather than lost. That its
 * status has changed meanwhile is no reason to refuse anything, not even between reading and saving.
 */
import { Code, ConnectError } from '@connectrpc/connect';
import { withoutNoise } from './noise.ts';
import type { Thing } from './objects.ts';

type Texts = Readonly<Record<string, string>>;
interface Edited {
  readonly metadata?: { readonly labels?: Texts; readonly annotations?: Texts };
}

/** As it is sent: what was edited, and the version that it replaces, which is the one last seen. */
export function versioned(edited: object, { metadata: { resourceVersion } }: Thing): object {
  const { metadata, ...rest } = edited as Edited;
  return { ...rest, metadata: { ...metadata, ...(resourceVersion === undefined ? {} : { resourceVersion }) } };
}

interface Saving {
  readonly base: Thing;
  readonly edited: object;
  /** What it is now, as far as that is known. */
  readonly read: () => Promise<Thing>;
  readonly save: (whole: object) => Promise<unknown>;
  readonly pause: () => Promise<void>;
}

const ATTEMPTS = 5;

/** Saves it, again where only its status was quicker; false when somebody has changed it meanwhile. */
export async function saveOver({ base, edited, read, save, pause }: Saving): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    const now = await read();
    if (!isSameText(base, now)) return false;
    try {
      await save(versioned(edited, now));
      return true;
    } catch (error) {
      if (attempt === ATTEMPTS || ConnectError.from(error).code !== Code.Aborted) throw error;
      await pause();
    }
  }
}

/** With what was hidden from whoever edited it. */
export function whole(edited: object, base: Thing): object {
  const { metadata = {}, ...rest } = edited as Edited;
  const shown = (withoutNoise(base, true) as Edited).metadata ?? {};
  const { uid } = base.metadata;
  return {
    ...rest,
    metadata: {
      ...metadata,
      ...merged('labels', base.metadata.labels, shown.labels, metadata.labels),
      ...merged('annotations', base.metadata.annotations, shown.annotations, metadata.annotations),
      ...(uid === undefined ? {} : { uid }),
    },
  };
}

function merged(name: string, all: Texts = {}, shown: Texts = {}, edited: Texts = {}) {
  const hidden = Object.entries(all).filter(([key]) => !Object.hasOwn(shown, key));
  const map = { ...Object.fromEntries(hidden), ...edited };
  return Object.keys(map).length > 0 ? { [name]: map } : {};
}

/** Whether what people write is still the same: everything but the status and the marks of machines. */
export function isSameText(one: Thing, other: Thing): boolean {
  return JSON.stringify(withoutNoise(one, true)) === JSON.stringify(withoutNoise(other, true));
}
