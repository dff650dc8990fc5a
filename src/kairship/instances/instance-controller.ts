/**
 * From an `Instance` to the `Karmada` that an operator reconciles, and its end with the instance.
 *
 * An external instance has no `Karmada`: somebody else runs it. `releaseOnDelete: false` lets the control plane outlive
 * its instance, by the label the community's operator knows.
 */
import type { KubeClient } from '#kube/client/kube-client.ts';
import { type Controller, done, type Informers, type Outcome, type Reconcile, retryIn } from '#kube/runtime/index.ts';
import { INSTANCE_LABEL, karmadaOf } from './convert-karmada.ts';
import { INSTANCE_FINALIZER, INSTANCES, type Instance } from './instance.ts';
import { DISABLE_CASCADING_DELETION, KARMADAS } from './karmada.ts';
import { instances, karmadas } from './kinds.ts';

/** An operator is given this long to clear away before its absence is looked at again. */
const LOOK_AGAIN_MS = 5_000;

export interface InstanceControllerDeps {
  readonly client: KubeClient;
  readonly informers: Informers;
}

export function instanceController({ client, informers }: InstanceControllerDeps): Controller {
  const known = informers<Instance>(INSTANCES);
  const [own, planes] = [instances(client), karmadas(client)];

  async function reconcile({ key }: Reconcile): Promise<Outcome> {
    const instance = known.get(key);
    if (!instance || instance.spec.mode === 'external') return done;
    if (instance.metadata.deletionTimestamp !== undefined) return end(instance);
    await own.addFinalizer(instance, INSTANCE_FINALIZER);
    await write(instance);
    return done;
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
