/**
 * Runs a job of an instance once more: the old one goes, with what it left in the members, and a new one takes its name.
 *
 * The new one is tried first, so that a job that could not come back is not taken away.
 */
import { type Clock, sleep } from '#base/clock.ts';
import { hasReason, StatusError } from '#base/status-error.ts';
import type { Job } from '#gen/kube/types.ts';
import { RESOURCE_BINDING } from '#karmada/apis/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { Gvr } from '#kube/meta/gvk.ts';
import type { KubeObject, ObjectKey } from '#kube/meta/object.ts';
import { bindingName } from '../distribution.ts';
import { JOB } from '../kinds.ts';
import { restartedJob } from './restarted-job.ts';

const WITHIN_MS = 20_000;
const LOOK_EVERY_MS = 50;

/** `resourceVersion` is the one the caller has seen; empty when any will do. */
export async function restartJob(
  client: KubeClient,
  clock: Clock,
  key: ObjectKey,
  resourceVersion: string,
): Promise<KubeObject & Job> {
  const job = await client.get<KubeObject & Job>(JOB, key);
  if (resourceVersion !== '' && resourceVersion !== job.metadata.resourceVersion)
    throw new StatusError('Conflict', `job "${key.name}" has changed since revision ${resourceVersion}`);
  const again = restartedJob(job);
  const { name, ...metadata } = again.metadata;
  await client.create(JOB, { ...again, metadata: { ...metadata, generateName: `${name}-` } }, { dryRun: true });
  await client.delete(JOB, key, {
    propagationPolicy: 'Foreground',
    preconditions: {
      ...(job.metadata.uid ? { uid: job.metadata.uid } : {}),
      ...(resourceVersion === '' ? {} : { resourceVersion }),
    },
  });
  const until = clock.now() + WITHIN_MS;
  const binding = { ...key, name: bindingName(JOB.kind, key.name) };
  // The binding goes after what it placed has gone from the members; a new job must not find the old one there.
  for (const [kind, one] of [[JOB, key] as const, [RESOURCE_BINDING, binding] as const])
    while (await isThere(client, kind, one)) {
      if (clock.now() > until)
        throw new StatusError('Timeout', `job "${key.name}" is still being deleted: create it again once it is gone`);
      await sleep(clock, LOOK_EVERY_MS);
    }
  return client.create<KubeObject & Job>(JOB, again as KubeObject & Job, { fieldManager: 'kairship' });
}

async function isThere(client: KubeClient, kind: Gvr, key: ObjectKey): Promise<boolean> {
  try {
    await client.get(kind, key);
    return true;
  } catch (error) {
    if (hasReason(error, 'NotFound')) return false;
    throw error;
  }
}
