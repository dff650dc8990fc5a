/** Which clusters an instance may tell of: those that are its members, and no others. */
import { StatusError } from '#base/status-error.ts';
import { CLUSTER } from '#karmada/apis/index.ts';
import type { Reads } from '../read/reads.ts';

/** The index holds every cluster of the platform: without this, naming one would be enough to read it. */
export async function requireMember(reads: Reads, instance: string, cluster: string): Promise<void> {
  if (await reads.get({ instance }, CLUSTER, { name: cluster })) return;
  throw new StatusError('NotFound', `cluster "${cluster}" is no member of instance "${instance}"`);
}
