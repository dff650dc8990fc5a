/** Keeps the pods of StatefulSets, each with its name and its volumes, in order. */
import type { ControllerRevision, PersistentVolumeClaim, Pod, StatefulSet } from '#gen/kube/types.ts';
import type { Clock } from '#base/clock.ts';
import { jsonEqual } from '#base/json.ts';
import { hasReason } from '#base/status-error.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { selectorOf } from '#kube/meta/label-selector.ts';
import { keyOf, type KubeObject } from '#kube/meta/object.ts';
import { type Controller, done, type Outcome, type Reconcile, retryIn } from '#kube/runtime/controller.ts';
import type { EventRecorder } from '#kube/runtime/events.ts';
import type { ClusterView } from '../cluster-view.ts';
import { controllerOf, namespaceOf, ownerKey } from '../owners.ts';
import { PERSISTENT_VOLUME_CLAIMS, PODS, STATEFUL_SETS } from '../resources.ts';
import { claiming } from '../workload/claim.ts';
import { isNamespaceEnding, messageOf } from '../workload/pod-control.ts';
import { nextAvailable } from '../workload/pod-state.ts';
import { revisionKeeper, templateOf } from '../workload/revisions.ts';
import { claimsOf, newClaims, newPod, ordinalOf, podName, revisionOf } from './identity.ts';
import { type Action, planStatefulSet, type Revisions, statefulSetStatus } from './stateful-plan.ts';

export function statefulSetController({
  client,
  clock,
  view,
  events,
}: {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly view: ClusterView;
  readonly events: EventRecorder;
}): Controller {
  const revisions = revisionKeeper(client, view.controllerRevisions, 'controller.kubernetes.io/hash');

  async function reconcile({ key }: Reconcile): Promise<Outcome> {
    const set = view.statefulSets.get(key);
    if (!set) return done;
    await claimingFor(set)(set, selectorOf(set.spec?.selector));
    const update = await revisions.keep(set);
    if (update === 'collision') return collide(set);
    const current = currentRevision(set) ?? update;
    const names: Revisions = { current: current.metadata.name, update: update.metadata.name };
    const actions = planStatefulSet(set, podsOf(set), names, clock.now());
    await Promise.all(actions.map((action) => carryOut(set, action, { current, update })));
    await report(key, names);
    await revisions.forget(set, (one) => isUsed(set, one, names));
    const next = nextAvailable(podsOf(set), set.spec?.minReadySeconds ?? 0, clock.now());
    return next === undefined ? done : retryIn(next, 'pods are not ready for long enough yet');
  }

  /** Only pods with one of its names are worth adopting. */
  const claimingFor = (set: StatefulSet) => claiming(client, view.pods, (pod) => ordinalOf(set, pod) !== undefined);

  const podsOf = ({ metadata }: KubeObject) => view.pods.ownedBy(metadata.uid ?? '');

  const currentRevision = (set: StatefulSet) =>
    revisions.of(set).find(({ metadata }) => metadata.name === set.status?.currentRevision);

  const isUsed = (set: StatefulSet, { metadata }: ControllerRevision, { current, update }: Revisions) =>
    metadata.name === current ||
    metadata.name === update ||
    podsOf(set).some((pod) => revisionOf(pod) === metadata.name);

  async function collide(set: StatefulSet): Promise<Outcome> {
    const { collisionCount = 0, replicas } = set.status ?? { replicas: 0 };
    const status = { ...set.status, replicas, collisionCount: collisionCount + 1 };
    await client.update<StatefulSet>(STATEFUL_SETS, { ...set, status }, { subresource: 'status' });
    return done;
  }

  async function carryOut(
    set: StatefulSet,
    action: Action,
    known: Readonly<Record<keyof Revisions, ControllerRevision>>,
  ): Promise<void> {
    if (action.do === 'remove') return remove(set, action.pod);
    const revision = known[action.revision];
    const { name } = revision.metadata;
    await create(set, action.ordinal, revision, name);
  }

  async function create(set: StatefulSet, ordinal: number, revision: ControllerRevision, name: string): Promise<void> {
    await Promise.all(newClaims(set, ordinal).map((claim) => ensureClaim(set, ordinal, claim)));
    await tells(set, 'create', podName(set, ordinal), () =>
      client.create<Pod>(PODS, newPod(set, ordinal, { template: templateOf(revision), revision: name })),
    );
  }

  async function ensureClaim(set: StatefulSet, ordinal: number, claim: PersistentVolumeClaim): Promise<void> {
    if (view.claims.get(keyOf(claim))) return;
    await client.create<PersistentVolumeClaim>(PERSISTENT_VOLUME_CLAIMS, claim);
    const what = `Claim ${claim.metadata.name} Pod ${podName(set, ordinal)} in StatefulSet ${set.metadata.name}`;
    events.event(set, 'Normal', 'SuccessfulCreate', `create ${what} success`);
  }

  async function remove(set: StatefulSet, pod: Pod): Promise<void> {
    if (isBeyond(set, pod)) await bindClaimsTo(set, pod);
    await tells(set, 'delete', pod.metadata.name, () => client.delete(PODS, pod.metadata));
  }

  const isBeyond = (set: StatefulSet, pod: Pod) =>
    set.spec?.persistentVolumeClaimRetentionPolicy?.whenScaled === 'Delete' &&
    (ordinalOf(set, pod) ?? 0) >= (set.spec.ordinals?.start ?? 0) + (set.spec.replicas ?? 1);

  /** Claims that are to go with their pod are given to it, and so to the garbage collector. */
  async function bindClaimsTo(set: StatefulSet, pod: Pod): Promise<void> {
    const { name, uid = '' } = pod.metadata;
    const owner = { apiVersion: 'v1', kind: 'Pod', name, uid };
    for (const { name: claimName } of claimsOf(set, ordinalOf(set, pod) ?? 0)) {
      const claim = view.claims.get(`${namespaceOf(set)}/${claimName}`);
      if (!claim) continue;
      const metadata = { ...claim.metadata, ownerReferences: [owner] };
      await client.update<PersistentVolumeClaim>(PERSISTENT_VOLUME_CLAIMS, { ...claim, metadata });
    }
  }

  async function tells(set: StatefulSet, verb: 'create' | 'delete', pod: string, action: () => Promise<unknown>) {
    const what = `${verb} Pod ${pod} in StatefulSet ${set.metadata.name}`;
    const reason = verb === 'create' ? 'Create' : 'Delete';
    try {
      await action();
      events.event(set, 'Normal', `Successful${reason}`, `${what} successful`);
    } catch (error) {
      if (hasReason(error, 'NotFound') || isNamespaceEnding(error)) return;
      events.event(set, 'Warning', `Failed${reason}`, `${what} failed error: ${messageOf(error)}`);
      throw error;
    }
  }

  async function report(key: string, names: Revisions): Promise<void> {
    const set = view.statefulSets.get(key);
    if (!set) return;
    const status = statefulSetStatus(set, podsOf(set), names, clock.now());
    if (jsonEqual(status, set.status)) return;
    await client.update<StatefulSet>(STATEFUL_SETS, { ...set, status }, { subresource: 'status' });
  }

  function* wakes(pod: KubeObject): Iterable<string> {
    if (controllerOf(pod)) return yield* ownerKey(pod, 'StatefulSet');
    for (const set of view.statefulSets.inNamespace(namespaceOf(pod))) {
      if (selectorOf(set.spec?.selector).matches(pod.metadata.labels)) yield keyOf(set);
    }
  }

  return {
    name: 'statefulset',
    concurrency: 16,
    watches: [
      { gvr: STATEFUL_SETS },
      { gvr: PODS, wakes: (pod, old) => new Set([...wakes(pod), ...(old ? wakes(old) : [])]) },
    ],
    reconcile,
  };
}
