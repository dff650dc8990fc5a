/** Writes Works: makes one, or lays the new state over the one there is; nothing when nothing would change. */
import { type Draft, jsonEqual } from '#base/json.ts';
import { hasReason, StatusError } from '#base/status-error.ts';
import { WORK, type Work } from '#karmada/apis/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { keyOf } from '#kube/meta/object.ts';
import type { Informer } from '#kube/runtime/index.ts';
import { mergedWork } from './render-work.ts';

/** Whether anything had to be written. Throws `Conflict` while an old Work of the name is on its way out. */
export type WorkWriter = (desired: Draft<Work>) => Promise<boolean>;

const ATTEMPTS = 5;

export function workWriter(client: KubeClient, works: Informer<Work>): WorkWriter {
  /** What the copy has is tried first; the server is asked only when that turns out to be old. */
  async function once(desired: Draft<Work>, existing: Work | undefined): Promise<boolean> {
    if (!existing) {
      await client.create(WORK, desired);
      return true;
    }
    if (existing.metadata.deletionTimestamp) {
      throw new StatusError('Conflict', `work ${keyOf(existing)} is being deleted`);
    }
    const merged = mergedWork(existing, desired);
    if (jsonEqual(existing, merged)) return false;
    await client.update(WORK, merged);
    return true;
  }

  return async (desired) => {
    let existing = works.get(keyOf(desired));
    for (let attempt = 1; ; attempt++) {
      try {
        return await once(desired, existing);
      } catch (error) {
        const stale = hasReason(error, 'Conflict', 'AlreadyExists') && !existing?.metadata.deletionTimestamp;
        if (attempt === ATTEMPTS || !stale) throw error;
        existing = await find(client, desired);
      }
    }
  };
}

async function find(client: KubeClient, { metadata }: Draft<Work>): Promise<Work | undefined> {
  try {
    return await client.get<Work>(WORK, metadata);
  } catch (error) {
    if (hasReason(error, 'NotFound')) return undefined;
    throw error;
  }
}
