/**
 * From an `Instance` to the `Karmada` that an operator reconciles, and its end with the instance.
 *
 * An external instance has no `Karmada`: somebody else runs it. `releaseOnDelete: false` lets the control plane outlive
 * its instance, by the label the community's operator knows. Whoever runs it, it stays while clusters remain in it, and
 * says which.
 */
import { type Clock, rfc3339 } from '#base/clock.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { findCondition, type NewCondition, setCondition } from '#kube/meta/condition.ts';
import {
  type Controller,
  done,
  eventRecorder,
  type Informers,
  type Outcome,
  type Reconcile,
  retryIn,
} from '#kube/runtime/index.ts';
import { INSTANCE_LABEL, karmadaOf } from './convert-karmada.ts';
import { INSTANCE_FINALIZER, INSTANCES, type Instance } from './instance.ts';
import { DISABLE_CASCADING_DELETION, KARMADAS } from './karmada.ts';
import { instances, karmadas } from './kinds.ts';
import { type ClustersOf, clustersRemain, holding } from './remaining-clusters.ts';

/** An operator is given this long to clear away before its absence is looked at again. */
const LOOK_AGAIN_MS = 5_000;

export interface InstanceControllerDeps {
  readonly client: KubeClient;
  readonly informers: Informers;
  readonly clock: Clock;
  readonly membersOf: ClustersOf;
}

/**
 * Of an instance that shall go: whether clusters keep it. Once it is said that none does it is not asked again: the
 * instance goes, and what is left of it would answer from memory.
 */
export const CLUSTERS_REMAIN = 'ClustersRemain';

export function instanceController({ client, informers, clock, membersOf }: InstanceControllerDeps): Controller {
  const known = informers<Instance>(INSTANCES);
  const [own, planes] = [instances(client), karmadas(client)];
  const events = eventRecorder({ client, component: 'instance-lifecycle', clock });

  async function reconcile({ key }: Reconcile): Promise<Outcome> {
    const instance = known.get(key);
    if (!instance) return done;
    const isEnding = instance.metadata.deletionTimestamp !== undefined;
    if (isEnding && (await isHeld(instance))) return retryIn(LOOK_AGAIN_MS, 'clusters remain in it');
    if (instance.spec.mode === 'external') return done;
    if (isEnding) return end(instance);
    await own.addFinalizer(instance, INSTANCE_FINALIZER);
    await write(instance);
    return done;
  }

  async function isHeld(instance: Instance): Promise<boolean> {
    if (isFreeToGo(instance)) return false;
    const clusters = await holding(instance, membersOf);
    const holds = clusters.names.length > 0;
    const message = holds ? clustersRemain(instance.metadata.name, clusters) : '';
    const told = findCondition(instance.status?.conditions, CLUSTERS_REMAIN);
    if (told?.message === message) return holds;
    const conditions = setCondition(instance.status?.conditions, remaining(message), rfc3339(clock.now()));
    await own.updateStatus(instance, { ...instance.status, conditions });
    if (holds) events.event(instance, 'Warning', CLUSTERS_REMAIN, message);
    return holds;
  }

  /** The whole spec is ours to say, so that a setting taken back here goes there too. */
  async function write(instance: Instance): Promise<void> {
    const { metadata, spec = {} } = karmadaOf(instance);
    const found = await planes.find(metadata);
    if (!found) {
      await planes.create({ metadata, spec });
      return;
    }
    await planes.modify(metadata, (draft) => {
      draft.spec = spec;
      draft.metadata.labels = { ...draft.metadata.labels, ...metadata.labels };
    });
  }

  async function end(instance: Instance): Promise<Outcome> {
    const { metadata } = karmadaOf(instance);
    const found = await planes.find(metadata);
    if (!found) {
      await own.dropFinalizer(instance, INSTANCE_FINALIZER);
      return done;
    }
    if (instance.spec.releaseOnDelete === false) {
      await planes.modify(metadata, (draft) => {
        draft.metadata.labels = { ...draft.metadata.labels, [DISABLE_CASCADING_DELETION]: 'true' };
      });
    }
    if (found.metadata.deletionTimestamp === undefined) await planes.remove(metadata);
    return retryIn(LOOK_AGAIN_MS, 'its control plane is being cleared away');
  }

  return {
    name: 'instance-lifecycle',
    watches: [
      { gvr: INSTANCES },
      {
        gvr: KARMADAS,
        wakes: ({ metadata }) => [metadata.labels?.[INSTANCE_LABEL]].filter((name) => name !== undefined),
      },
    ],
    reconcile,
  };
}

/** Whether it was said of an instance that shall go that no cluster keeps it. */
export function isFreeToGo({ status }: Instance): boolean {
  return findCondition(status?.conditions, CLUSTERS_REMAIN)?.status === 'False';
}

function remaining(message: string): NewCondition {
  return message === ''
    ? { type: CLUSTERS_REMAIN, status: 'False', reason: 'Gone', message }
    : { type: CLUSTERS_REMAIN, status: 'True', reason: 'Waiting', message };
}
