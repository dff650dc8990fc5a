/** Keeps as many pods as ReplicaSets and ReplicationControllers ask for, and counts them in their status. */
import type { Pod, ReplicaSet, ReplicationController } from '#gen/kube/types.ts';
import { type Clock, rfc3339 } from '#base/clock.ts';
import { jsonEqual } from '#base/json.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { type LabelSelector, nothing, selectorOf } from '#kube/meta/label-selector.ts';
import { keyOf, type KubeObject } from '#kube/meta/object.ts';
import { type Controller, done, type Outcome, type Reconcile, retryIn } from '#kube/runtime/controller.ts';
import type { EventRecorder } from '#kube/runtime/events.ts';
import type { ClusterView } from '../cluster-view.ts';
import type { LiveView } from '../live-view.ts';
import { controllerOf, namespaceOf, ownerKey } from '../owners.ts';
import { PODS } from '../resources.ts';
import { claiming } from '../workload/claim.ts';
import { messageOf, podControl } from '../workload/pod-control.ts';
import { isActive, isTerminating, nextAvailable } from '../workload/pod-state.ts';
import { podFromTemplate } from '../workload/pod-template.ts';
import { slowStart } from '../workload/slow-start.ts';
import { planReplicas, replicaSetStatus } from './replicas.ts';

interface Deps {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly view: ClusterView;
  readonly events: EventRecorder;
}

export function replicaSetController(deps: Deps): Controller {
  return replicas(deps, {
    name: 'replicaset',
    kind: 'ReplicaSet',
    sets: deps.view.replicaSets,
    selector: ({ spec }) => selectorOf(spec?.selector),
    tellsTerminating: true,
  });
}

export function replicationController(deps: Deps): Controller {
  return replicas<ReplicationController>(deps, {
    name: 'replication-controller',
    kind: 'ReplicationController',
    sets: deps.view.replicationControllers,
    selector: ({ spec }) => (spec?.selector ? selectorOf({ matchLabels: spec.selector }) : nothing),
    tellsTerminating: false,
  });
}

interface Flavour<T extends KubeObject> {
  readonly name: string;
  readonly kind: string;
  readonly sets: LiveView<T>;
  readonly tellsTerminating: boolean;
  readonly selector: (set: T) => LabelSelector;
}

function replicas<T extends ReplicaSet | ReplicationController>(deps: Deps, flavour: Flavour<T>): Controller {
  const { client, clock, view, events } = deps;
  const { sets, selector, kind } = flavour;
  const pods = podControl({ client, events });
  const claim = claiming(client, view.pods, isActive);

  async function reconcile({ key }: Reconcile): Promise<Outcome> {
    const set = sets.get(key);
    if (!set) return done;
    await claim(set, selector(set));
    const failure = set.metadata.deletionTimestamp === undefined ? await balance(set) : undefined;
    const current = sets.get(key);
    if (current) await report(current, failure);
    if (failure) throw failure.error;
    const next = nextAvailable(activeOf(set), set.spec?.minReadySeconds ?? 0, clock.now());
    return next === undefined ? done : retryIn(next, 'pods are not ready for long enough yet');
  }

  const podsOf = ({ metadata }: KubeObject) => view.pods.ownedBy(metadata.uid ?? '');
  const activeOf = (set: KubeObject) => podsOf(set).filter(isActive);

  async function balance(set: T): Promise<{ readonly error: unknown } | undefined> {
    const plan = planReplicas(set.spec?.replicas ?? 1, activeOf(set), () => relatedTo(set), clock.now());
    try {
      await slowStart(plan.create, async () => void (await pods.create(set, podFromTemplate(set, set.spec?.template))));
      await Promise.all(plan.remove.map((pod) => pods.remove(set, pod)));
      return undefined;
    } catch (error) {
      return { error };
    }
  }

  /** The pods of all sets of the same owner: those of a Deployment keep out of each other's way. */
  function relatedTo(set: T): readonly Pod[] {
    const owner = controllerOf(set);
    return (owner ? sets.ownedBy(owner.uid) : [set]).flatMap(activeOf);
  }

  async function report(set: T, failure: { readonly error: unknown } | undefined): Promise<void> {
    const now = clock.now();
    const counted = {
      active: activeOf(set),
      ...(flavour.tellsTerminating ? { terminating: podsOf(set).filter(isTerminating) } : {}),
      ...(failure ? { failure: messageOf(failure.error) } : {}),
    };
    const status = replicaSetStatus(
      set as Pick<ReplicaSet, 'metadata' | 'spec' | 'status'>,
      counted,
      now,
      rfc3339(now),
    );
    if (jsonEqual(status, set.status)) return;
    await client.update<T>(sets.gvr, { ...set, status }, { subresource: 'status' });
  }

  /** A pod wakes its owner; one without an owner wakes those who might take it. */
  function* wakes(pod: KubeObject): Iterable<string> {
    if (controllerOf(pod)) return yield* ownerKey(pod, kind);
    for (const set of sets.inNamespace(namespaceOf(pod))) {
      if (selector(set).matches(pod.metadata.labels)) yield keyOf(set);
    }
  }

  return {
    name: flavour.name,
    concurrency: 16,
    watches: [
      { gvr: sets.gvr },
      { gvr: PODS, wakes: (pod, old) => new Set([...wakes(pod), ...(old ? wakes(old) : [])]) },
    ],
    reconcile,
  };
}
