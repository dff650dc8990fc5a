/** Binds claims to volumes, makes the claims of pods that bring their own, and keeps what is in use from going. */
import type { PersistentVolume, PersistentVolumeClaim, Pod, StorageClass } from '#gen/kube/types.ts';
import { hasReason } from '#base/status-error.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { typed } from '#kube/client/typed-client.ts';
import { keyOf, type KubeObject } from '#kube/meta/object.ts';
import { type Controller, done, type Outcome, type Reconcile } from '#kube/runtime/controller.ts';
import type { EventRecorder } from '#kube/runtime/events.ts';
import type { ClusterView } from '../cluster-view.ts';
import { controlledBy, namespaceOf } from '../owners.ts';
import { PERSISTENT_VOLUME_CLAIMS, PERSISTENT_VOLUMES, PODS, STORAGE_CLASSES } from '../resources.ts';
import { claimName } from '../scheduler/pod-claims.ts';
import { isOver } from '../workload/pod-state.ts';
import { claimReference, newVolume, STANDARD, volumeFor } from './binding.ts';

export const IN_USE = 'kubernetes.io/pvc-protection';

export function claimController({
  client,
  view,
  events,
}: {
  readonly client: KubeClient;
  readonly view: ClusterView;
  readonly events: EventRecorder;
}): Controller {
  const claims = typed<PersistentVolumeClaim>(client, {
    gvr: PERSISTENT_VOLUME_CLAIMS,
    kind: 'PersistentVolumeClaim',
    namespaced: true,
  });

  async function reconcile({ key }: Reconcile): Promise<Outcome> {
    const claim = view.claims.get(key);
    if (!claim) await makeEphemeral(key);
    else if (claim.metadata.deletionTimestamp !== undefined) await letGo(claim);
    else if (claim.status?.phase !== 'Bound') await bind(claim);
    else await follow(claim);
    return done;
  }

  async function bind(claim: PersistentVolumeClaim): Promise<void> {
    const storageClass = view.storageClasses.get(claim.spec?.storageClassName ?? '');
    if (storageClass?.volumeBindingMode === 'WaitForFirstConsumer' && usersOf(claim).length === 0) {
      const message = 'waiting for first consumer to be created before binding';
      return events.event(claim, 'Normal', 'WaitForFirstConsumer', message);
    }
    const volume = volumeFor(claim, view.volumes.list()) ?? (await provision(claim, storageClass));
    if (!volume) {
      return sayWhyNot(claim, storageClass);
    }
    await unite(claim, await reserve(volume, claim));
  }

  function sayWhyNot(claim: PersistentVolumeClaim, storageClass: StorageClass | undefined): void {
    const { storageClassName } = claim.spec ?? {};
    const none = 'no persistent volumes available for this claim and no storage class is set';
    if (!storageClassName || storageClass) return events.event(claim, 'Normal', 'FailedBinding', none);
    const message = `storageclass.storage.k8s.io "${storageClassName}" not found`;
    events.event(claim, 'Warning', 'ProvisioningFailed', message);
  }

  async function provision(
    claim: PersistentVolumeClaim,
    storageClass: StorageClass | undefined,
  ): Promise<PersistentVolume | undefined> {
    if (!storageClass || storageClass.provisioner === 'kubernetes.io/no-provisioner') return undefined;
    const volume = newVolume(claim, storageClass);
    const made = await client.create<PersistentVolume>(PERSISTENT_VOLUMES, volume);
    const message = `Successfully provisioned volume ${volume.metadata.name}`;
    events.event(claim, 'Normal', 'ProvisioningSucceeded', message);
    return made;
  }

  /** Both sides name each other before either is said to be bound. */
  async function reserve(volume: PersistentVolume, claim: PersistentVolumeClaim): Promise<PersistentVolume> {
    const spec = { ...volume.spec, claimRef: claimReference(claim) };
    const reserved = volume.spec?.claimRef?.uid
      ? volume
      : await client.update<PersistentVolume>(PERSISTENT_VOLUMES, { ...volume, spec });
    const status = { phase: 'Bound' };
    return client.update<PersistentVolume>(PERSISTENT_VOLUMES, { ...reserved, status }, { subresource: 'status' });
  }

  async function unite(claim: PersistentVolumeClaim, volume: PersistentVolume): Promise<void> {
    const annotations = {
      ...claim.metadata.annotations,
      'pv.kubernetes.io/bind-completed': 'yes',
      'pv.kubernetes.io/bound-by-controller': 'yes',
    };
    const named = await client.update<PersistentVolumeClaim>(PERSISTENT_VOLUME_CLAIMS, {
      ...claim,
      metadata: { ...claim.metadata, annotations },
      spec: { ...claim.spec, volumeName: volume.metadata.name },
    });
    const { accessModes = [], capacity = {} } = volume.spec ?? {};
    await claims.updateStatus(named, { ...named.status, phase: 'Bound', accessModes, capacity });
  }

  /** A claim that grew gets what it asks for; one whose volume is gone has lost it. */
  async function follow(claim: PersistentVolumeClaim): Promise<void> {
    const volume = view.volumes.get(claim.spec?.volumeName ?? '');
    const storage = claim.spec?.resources?.requests?.['storage'];
    if (!volume) return void (await claims.updateStatus(claim, { ...claim.status, phase: 'Lost' }));
    const provisioned = volume.metadata.annotations?.['pv.kubernetes.io/provisioned-by'] !== undefined;
    if (!provisioned || storage === undefined || claim.status?.capacity?.['storage'] === storage) return;
    const capacity = { storage };
    await client.update<PersistentVolume>(PERSISTENT_VOLUMES, { ...volume, spec: { ...volume.spec, capacity } });
    await claims.updateStatus(claim, { ...claim.status, capacity });
  }

  async function letGo(claim: PersistentVolumeClaim): Promise<void> {
    if (usersOf(claim).every(isOver)) await claims.dropFinalizer(claim, IN_USE);
  }

  const usersOf = (claim: PersistentVolumeClaim) =>
    view.pods.inNamespace(namespaceOf(claim)).filter((pod) => namesOf(pod).includes(claim.metadata.name));

  /** A claim that a pod brings with it, should this be the key of one. */
  async function makeEphemeral(key: string): Promise<void> {
    const [namespace = '', name = ''] = key.split('/');
    const pod = view.pods.inNamespace(namespace).find((one) => ephemeralNames(one).includes(name) && !isOver(one));
    const volume = pod?.spec?.volumes?.find((one) => one.ephemeral && claimName(pod, one) === name);
    const template = volume?.ephemeral?.volumeClaimTemplate;
    if (!pod || !template || pod.metadata.deletionTimestamp !== undefined) return;
    const { labels, annotations } = template.metadata ?? {};
    await claims.ensure({
      metadata: {
        name,
        namespace,
        ...(labels ? { labels } : {}),
        ...(annotations ? { annotations } : {}),
        ownerReferences: [controlledBy(pod)],
      },
      spec: template.spec,
    });
  }

  return {
    name: 'persistent-volume-claim',
    concurrency: 8,
    watches: [
      { gvr: PERSISTENT_VOLUME_CLAIMS },
      { gvr: PERSISTENT_VOLUMES, wakes: (volume) => claimsWaitingFor(volume as PersistentVolume, view) },
      { gvr: STORAGE_CLASSES, wakes: () => unbound(view).map(keyOf) },
      { gvr: PODS, wakes: (pod, old, change) => claimsOfPod(pod as Pod, old as Pod | undefined, change) },
    ],
    reconcile,
  };
}

const namesOf = (pod: Pod) => (pod.spec?.volumes ?? []).flatMap((volume) => claimName(pod, volume) ?? []);

const ephemeralNames = (pod: Pod) =>
  (pod.spec?.volumes ?? []).filter(({ ephemeral }) => ephemeral).flatMap((volume) => claimName(pod, volume) ?? []);

const unbound = (view: ClusterView) => view.claims.list().filter(({ status }) => status?.phase !== 'Bound');

function claimsWaitingFor(volume: PersistentVolume, view: ClusterView): readonly string[] {
  const { claimRef } = volume.spec ?? {};
  return [...(claimRef?.name ? [`${claimRef.namespace ?? ''}/${claimRef.name}`] : []), ...unbound(view).map(keyOf)];
}

/** When a pod comes, goes or ends, what it claims may be bound or let go. */
function claimsOfPod(pod: Pod, old: Pod | undefined, change: string): readonly string[] {
  if (change === 'modified' && old && isOver(pod) === isOver(old)) return [];
  return namesOf(pod).map((name) => `${namespaceOf(pod)}/${name}`);
}

/** Releases volumes whose claim is gone, and deletes those that are to be deleted with it. */
export function volumeController({
  client,
  view,
}: {
  readonly client: KubeClient;
  readonly view: ClusterView;
}): Controller {
  async function reconcile({ key }: Reconcile): Promise<Outcome> {
    const volume = view.volumes.get(key);
    if (!volume || volume.metadata.deletionTimestamp !== undefined) return done;
    const { claimRef, persistentVolumeReclaimPolicy } = volume.spec ?? {};
    const claim = claimRef && view.claims.get(`${claimRef.namespace ?? ''}/${claimRef.name ?? ''}`);
    const isOrphan = claimRef?.uid !== undefined && claim?.metadata.uid !== claimRef.uid;
    if (isOrphan && persistentVolumeReclaimPolicy === 'Delete') await remove(volume);
    else if (isOrphan) await say(volume, 'Released');
    else if (!claimRef) await say(volume, 'Available');
    return done;
  }

  async function say(volume: PersistentVolume, phase: string): Promise<void> {
    if (volume.status?.phase === phase) return;
    const status = { phase };
    await client.update<PersistentVolume>(PERSISTENT_VOLUMES, { ...volume, status }, { subresource: 'status' });
  }

  async function remove({ metadata }: PersistentVolume): Promise<void> {
    await client.delete(PERSISTENT_VOLUMES, metadata).catch((error: unknown) => {
      if (!hasReason(error, 'NotFound')) throw error;
    });
  }

  const volumeOf = (claim: KubeObject) => (claim as PersistentVolumeClaim).spec?.volumeName;
  return {
    name: 'persistent-volume',
    concurrency: 4,
    watches: [
      { gvr: PERSISTENT_VOLUMES },
      {
        gvr: PERSISTENT_VOLUME_CLAIMS,
        wakes: (claim, _old, change) => (change === 'deleted' && volumeOf(claim) ? [volumeOf(claim) ?? ''] : []),
      },
    ],
    reconcile,
  };
}

/** The storage class every simulated cluster begins with; one that was changed or deleted stays so after a restart. */
export async function ensureStorageClass(client: KubeClient, view: ClusterView): Promise<void> {
  if (view.storageClasses.list().length > 0) return;
  await client.create<StorageClass>(STORAGE_CLASSES, STANDARD).catch((error: unknown) => {
    if (!hasReason(error, 'AlreadyExists')) throw error;
  });
}
