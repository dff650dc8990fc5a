/** The jobs that a cron job of an instance has started in its members, as the index knows them. */
import type { Job } from '#gen/kube/types.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { EVERYWHERE, type Place, type Reads } from '../../read/reads.ts';
import { CRON_JOB, JOB } from '../kinds.ts';

type Key = { readonly namespace: string; readonly name: string };

/** None where the cron job has not arrived. */
export async function jobsStartedIn(reads: Reads, place: Place, key: Key): Promise<readonly (KubeObject & Job)[]> {
  const ownerUid = (await reads.get(place, CRON_JOB, key))?.metadata.uid;
  if (!ownerUid) return [];
  return reads.all({ place, resource: JOB, reach: EVERYWHERE, namespace: key.namespace, ownerUid });
}
