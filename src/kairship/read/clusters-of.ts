/**
 * Which clusters an instance has: as it says itself, or, while it does not answer, as the index knows them.
 *
 * The index is a moment behind: who decides by it whether an instance may go overlooks what has joined just now.
 */
import { CLUSTER } from '#karmada/apis/index.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import type { ClustersOf } from '../instances/remaining-clusters.ts';
import type { PlatformClients } from '../proxy/instance-client.ts';
import { EVERYWHERE, type Reads } from './reads.ts';

/** An instance that takes longer does not answer. */
const PATIENCE_MS = 3_000;

export function clustersOf(reads: Pick<Reads, 'all'>, instances: PlatformClients): ClustersOf {
  const indexed = indexedClustersOf(reads);
  return async (instance) => {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    try {
      const { items } = await instances(instance).list(CLUSTER, { signal });
      return { names: namesOf(items) };
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return { names: await indexed(instance), silent: signal.aborted ? `not within ${PATIENCE_MS / 1000} s` : why };
    }
  };
}

export function indexedClustersOf(reads: Pick<Reads, 'all'>): (instance: string) => Promise<readonly string[]> {
  return async (instance) => namesOf(await reads.all({ place: { instance }, resource: CLUSTER, reach: EVERYWHERE }));
}

function namesOf(clusters: readonly KubeObject[]): readonly string[] {
  return clusters.map(({ metadata }) => metadata.name).toSorted();
}
