/** Which clusters an instance has, as the index knows them: also while the instance does not answer. */
import { CLUSTER } from '#karmada/apis/index.ts';
import type { ClustersOf } from '../instances/remaining-clusters.ts';
import { EVERYWHERE, type Reads } from './reads.ts';

export function clustersOf(reads: Pick<Reads, 'all'>): ClustersOf {
  return async (instance) => {
    const known = await reads.all({ place: { instance }, resource: CLUSTER, reach: EVERYWHERE });
    return known.map(({ metadata }) => metadata.name).toSorted();
  };
}
