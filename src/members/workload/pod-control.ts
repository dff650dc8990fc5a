import type { Pod } from '#gen/kube/types.ts';
import { hasReason } from '#base/status-error.ts';
import type { KubeClient, Unnamed } from '#kube/client/kube-client.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import type { EventRecorder } from '#kube/runtime/events.ts';
import { PODS } from '../resources.ts';

/** Makes and deletes the pods of controllers, and tells of it in events on the owner. */
export interface PodControl {
  create(owner: KubeObject, pod: Unnamed<Pod>): Promise<Pod | undefined>;
  /** A pod that is gone already is what was wanted. */
  remove(owner: KubeObject, pod: Pod): Promise<void>;
}

export function podControl({ client, events }: { client: KubeClient; events: EventRecorder }): PodControl {
  return {
    async create(owner, pod) {
      try {
        const created = await client.create<Pod>(PODS, pod);
        events.event(owner, 'Normal', 'SuccessfulCreate', `Created pod: ${created.metadata.name}`);
        return created;
      } catch (error) {
        if (isNamespaceEnding(error)) return undefined;
        events.event(owner, 'Warning', 'FailedCreate', `Error creating: ${messageOf(error)}`);
        throw error;
      }
    },
    async remove(owner, pod) {
      const { uid } = pod.metadata;
      try {
        await client.delete(PODS, pod.metadata, uid === undefined ? {} : { preconditions: { uid } });
        events.event(owner, 'Normal', 'SuccessfulDelete', `Deleted pod: ${pod.metadata.name}`);
      } catch (error) {
        if (hasReason(error, 'NotFound', 'Conflict')) return;
        events.event(owner, 'Warning', 'FailedDelete', `Error deleting: ${messageOf(error)}`);
        throw error;
      }
    },
  };
}

/** In a namespace that goes, nothing new can be made, and nothing needs to be. */
export function isNamespaceEnding(error: unknown): boolean {
  return (
    hasReason(error, 'Forbidden') &&
    (error.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') ?? false)
  );
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
