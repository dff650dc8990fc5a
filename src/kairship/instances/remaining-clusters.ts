/**
 * An instance stays while clusters remain in it: its end would leave them without anybody who knows what runs there.
 *
 * The API asks before it deletes, the platform's own global cluster asks for everybody else ({@link instanceDeletion}),
 * and where the global cluster is somebody else's the finalizers wait. An instance that will never answer again is
 * let go by an annotation ({@link FORCE_DELETE}); its members stay as they are.
 */
import { StatusError } from '#base/status-error.ts';
import type { AdmissionPlugin } from '#kube/apiserver/index.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { INSTANCES } from './instance.ts';

/** `true` on an instance: it may go with clusters in it. */
export const FORCE_DELETE = 'kairship.io/force-delete';

/** The clusters of an instance. */
export interface Clusters {
  readonly names: readonly string[];
  /** Why the instance did not say so itself: these are the ones that were known last. */
  readonly silent?: string;
}

export type ClustersOf = (instance: string) => Promise<Clusters>;

/** The clusters for which the instance has to stay. */
export async function holding(instance: KubeObject, clustersOf: ClustersOf): Promise<Clusters> {
  return instance.metadata.annotations?.[FORCE_DELETE] === 'true' ? { names: [] } : clustersOf(instance.metadata.name);
}

export function clustersRemain(instance: string, { names: clusters, silent }: Clusters): string {
  const has = silent === undefined ? 'still has' : `does not answer now (${silent}) and had, when it last did,`;
  return (
    `instance "${instance}" ${has} ${clusters.length} worker clusters (${clusters.join(', ')}): remove all of them ` +
    `(kairship cluster remove ${clusters.join(' ')} --instance ${instance}) and try again; if it will never answer ` +
    `again, annotate it with ${FORCE_DELETE}=true`
  );
}

export async function requireEmpty(instance: KubeObject, clustersOf: ClustersOf): Promise<void> {
  const clusters = await holding(instance, clustersOf);
  if (clusters.names.length > 0) throw new StatusError('Conflict', clustersRemain(instance.metadata.name, clusters));
}

/** Asks for whoever deletes the custom resource itself; one that is on its way out is not asked about again. */
export function instanceDeletion(clustersOf: ClustersOf): AdmissionPlugin {
  return {
    name: 'instance-deletion',
    handles: ({ operation, gvr }) =>
      operation === 'DELETE' && gvr.group === INSTANCES.group && gvr.resource === INSTANCES.resource,
    async validate({ oldObject }) {
      if (oldObject && oldObject.metadata.deletionTimestamp === undefined) await requireEmpty(oldObject, clustersOf);
    },
  };
}
