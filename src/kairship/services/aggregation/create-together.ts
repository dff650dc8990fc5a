/**
 * Creates several objects: all of them, or none.
 *
 * Kubernetes has no transactions. All are tried without effect first, so that nearly everything that would be refused is
 * refused before anything is written; what fails nevertheless takes back what was made before it, the last first. What
 * cannot be taken back is named in the failure.
 */
import { StatusError, statusOf } from '#base/status-error.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { Gvr } from '#kube/meta/gvk.ts';
import type { KubeObject } from '#kube/meta/object.ts';

export interface ToCreate {
  readonly kind: Gvr;
  readonly object: KubeObject;
}

const MANAGER = { fieldManager: 'kairship' } as const;

/** Answers with the objects as they are then, in the order in which they were given. */
export async function createTogether(
  client: Pick<KubeClient, 'create' | 'delete'>,
  all: readonly ToCreate[],
): Promise<readonly KubeObject[]> {
  for (const { kind, object } of all) await client.create(kind, object, { ...MANAGER, dryRun: true });
  const made: ToCreate[] = [];
  try {
    for (const { kind, object } of all) made.push({ kind, object: await client.create(kind, object, MANAGER) });
  } catch (error) {
    const left = await takeBack(client, made);
    if (left.length === 0) throw error;
    const { message } = statusOf(error);
    throw new StatusError('InternalError', `${message}; could not be taken back: ${left.join(', ')}`, { cause: error });
  }
  return made.map(({ object }) => object);
}

async function takeBack(client: Pick<KubeClient, 'delete'>, made: readonly ToCreate[]): Promise<readonly string[]> {
  const left: string[] = [];
  for (const { kind, object } of made.toReversed()) {
    const { uid, name } = object.metadata;
    try {
      const still = uid ? { preconditions: { uid } } : {};
      await client.delete(kind, object.metadata, { propagationPolicy: 'Background', ...still });
    } catch {
      left.push(`${kind.resource} "${name}"`);
    }
  }
  return left;
}
