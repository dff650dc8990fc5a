/** Keeps a pod of every DaemonSet on every node it is for. */
import type { DaemonSet, Node } from '#gen/kube/types.ts';
import type { Clock } from '#base/clock.ts';
import { jsonEqual } from '#base/json.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { selectorOf } from '#kube/meta/label-selector.ts';
import { keyOf, type KubeObject } from '#kube/meta/object.ts';
import { type Controller, done, type Outcome, type Reconcile, retryIn } from '#kube/runtime/controller.ts';
import type { EventRecorder } from '#kube/runtime/events.ts';
import type { ClusterView } from '../cluster-view.ts';
import { controllerOf, namespaceOf, ownerKey } from '../owners.ts';
import { DAEMON_SETS, NODES, PODS } from '../resources.ts';
import { claiming } from '../workload/claim.ts';
import { podControl } from '../workload/pod-control.ts';
import { nextAvailable } from '../workload/pod-state.ts';
import { podFromTemplate } from '../workload/pod-template.ts';
import { revisionKeeper } from '../workload/revisions.ts';
import { slowStart } from '../workload/slow-start.ts';
import {
  daemonPodSpec,
  type DaemonPlan,
  daemonSetStatus,
  planDaemonSet,
  REVISION_LABEL,
  targetOf,
} from './daemon-plan.ts';

/** How often the template changed, counted by the API server since before there were revisions. */
const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';

export function daemonSetController({
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
  const pods = podControl({ client, events });
  const claim = claiming(client, view.pods);
  const revisions = revisionKeeper(client, view.controllerRevisions, REVISION_LABEL);

  async function reconcile({ key }: Reconcile): Promise<Outcome> {
    const set = view.daemonSets.get(key);
    if (!set || set.metadata.deletionTimestamp !== undefined) return done;
    await claim(set, selectorOf(set.spec?.selector));
    const revision = await revisions.keep(set);
    if (revision === 'collision') return collide(set);
    const hash = revision.metadata.labels?.[REVISION_LABEL] ?? '';
    const plan = planDaemonSet(set, view.nodes.list(), podsOf(set), hash, clock.now());
    await carryOut(set, plan, hash);
    await report(key, hash);
    const isUsed = (label: string) => podsOf(set).some(({ metadata }) => metadata.labels?.[REVISION_LABEL] === label);
    await revisions.forget(
      set,
      ({ metadata }) => metadata.name === revision.metadata.name || isUsed(metadata.labels?.[REVISION_LABEL] ?? ''),
    );
    const next = nextAvailable(podsOf(set), set.spec?.minReadySeconds ?? 0, clock.now());
    return next === undefined ? done : retryIn(next, 'pods are not ready for long enough yet');
  }

  const podsOf = ({ metadata }: KubeObject) => view.pods.ownedBy(metadata.uid ?? '');

  async function collide(set: DaemonSet): Promise<Outcome> {
    const known = set.status ?? daemonSetStatus(set, [], [], '', clock.now());
    const status = { ...known, collisionCount: (known.collisionCount ?? 0) + 1 };
    await client.update<DaemonSet>(DAEMON_SETS, { ...set, status }, { subresource: 'status' });
    return done;
  }

  async function carryOut(set: DaemonSet, { create, remove, failed }: DaemonPlan, hash: string): Promise<void> {
    for (const pod of failed) {
      const message = `Found failed daemon pod ${keyOf(pod)} on node ${targetOf(pod) ?? ''}, will try to kill it`;
      events.event(set, 'Warning', 'FailedDaemonPod', message);
    }
    const { template } = set.spec ?? {};
    const labels = {
      [REVISION_LABEL]: hash,
      'pod-template-generation': set.metadata.annotations?.[TEMPLATE_GENERATION] ?? '1',
    };
    await slowStart(create.length, async (index) => {
      const spec = daemonPodSpec(template?.spec, create[index] ?? '');
      await pods.create(set, podFromTemplate(set, template, { labels, spec }));
    });
    await Promise.all(remove.map((pod) => pods.remove(set, pod)));
  }

  async function report(key: string, hash: string): Promise<void> {
    const set = view.daemonSets.get(key);
    if (!set) return;
    const status = daemonSetStatus(set, view.nodes.list(), podsOf(set), hash, clock.now());
    if (jsonEqual(status, set.status)) return;
    await client.update<DaemonSet>(DAEMON_SETS, { ...set, status }, { subresource: 'status' });
  }

  function* wakes(pod: KubeObject): Iterable<string> {
    if (controllerOf(pod)) return yield* ownerKey(pod, 'DaemonSet');
    for (const set of view.daemonSets.inNamespace(namespaceOf(pod))) {
      if (selectorOf(set.spec?.selector).matches(pod.metadata.labels)) yield keyOf(set);
    }
  }

  function nodeChanged(node: Node, old: Node | undefined, change: string): readonly string[] {
    const what = ({ metadata, spec }: Node) => [metadata.labels, spec];
    const isNews = change !== 'modified' || !old || !jsonEqual(what(node), what(old));
    return isNews ? view.daemonSets.list().map(keyOf) : [];
  }

  return {
    name: 'daemonset',
    concurrency: 8,
    watches: [
      { gvr: DAEMON_SETS },
      { gvr: NODES, wakes: (node, old, change) => nodeChanged(node as Node, old as Node | undefined, change) },
      { gvr: PODS, wakes: (pod, old) => new Set([...wakes(pod), ...(old ? wakes(old) : [])]) },
    ],
    reconcile,
  };
}
