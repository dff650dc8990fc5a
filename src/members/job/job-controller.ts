/** Runs Jobs to their end, and forgets those that asked to be forgotten. */
import type { Job, Pod } from '#gen/kube/types.ts';
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
import { JOBS, PODS } from '../resources.ts';
import { claiming } from '../workload/claim.ts';
import { podControl } from '../workload/pod-control.ts';
import { slowStart } from '../workload/slow-start.ts';
import { isFinished, planJob } from './job-plan.ts';
import { jobPod } from './job-pod.ts';
import { isTracked, TRACKING } from './tally.ts';
import { conditionOf } from './verdict.ts';

interface Deps {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly view: ClusterView;
  readonly events: EventRecorder;
}

const SELF = 'kubernetes.io/job-controller';

export function jobController({ client, clock, view, events }: Deps): Controller {
  const pods = podControl({ client, events });
  const claim = claiming(client, view.pods);

  async function reconcile({ key }: Reconcile): Promise<Outcome> {
    const job = view.jobs.get(key);
    if (!job) return releaseOrphans(key);
    if ((job.spec?.managedBy ?? SELF) !== SELF) return done;
    await claim(job, selectorOf(job.spec?.selector));
    const plan = planJob(job, podsOf(job), clock.now());
    if (!jsonEqual(plan.status, job.status ?? {})) {
      await client.update<Job>(JOBS, { ...job, status: plan.status }, { subresource: 'status' });
      for (const { type, reason, message } of plan.tells) events.event(job, type, reason, message);
    }
    // Only after the status tells of them: see tally.ts.
    await Promise.all(plan.release.map(release));
    await Promise.all(plan.remove.map((pod) => pods.remove(job, pod)));
    await slowStart(plan.create.length, async (index) => {
      await pods.create(job, jobPod(job, plan.create[index] ?? {}));
    });
    return plan.afterMs === undefined ? done : retryIn(plan.afterMs, 'a deadline or a back-off ends then');
  }

  const podsOf = ({ metadata }: KubeObject) => view.pods.ownedBy(metadata.uid ?? '');

  async function release(pod: Pod): Promise<void> {
    const finalizers = pod.metadata.finalizers?.filter((one) => one !== TRACKING) ?? [];
    await client.update<Pod>(PODS, { ...pod, metadata: { ...pod.metadata, finalizers } }).catch((error: unknown) => {
      if (!hasReason(error, 'NotFound')) throw error;
    });
  }

  /** Nobody will count the pods of a Job that is gone. */
  async function releaseOrphans(key: string): Promise<Outcome> {
    const [namespace = ''] = key.split('/');
    const lost = view.pods
      .inNamespace(namespace)
      .filter((pod) => isTracked(pod) && !view.jobs.get(ownerKey(pod, 'Job')[0] ?? ''));
    await Promise.all(lost.map(release));
    return done;
  }

  function* wakes(pod: KubeObject): Iterable<string> {
    if (controllerOf(pod)) return yield* ownerKey(pod, 'Job');
    if (isTracked(pod as Pod)) yield `${namespaceOf(pod)}/`;
    for (const job of view.jobs.inNamespace(namespaceOf(pod))) {
      if (selectorOf(job.spec?.selector).matches(pod.metadata.labels)) yield keyOf(job);
    }
  }

  return {
    name: 'job',
    concurrency: 16,
    watches: [{ gvr: JOBS }, { gvr: PODS, wakes: (pod, old) => new Set([...wakes(pod), ...(old ? wakes(old) : [])]) }],
    reconcile,
  };
}

/** Deletes Jobs that are over for longer than they wanted to be kept. */
export function expiredJobController({ client, clock, view }: Omit<Deps, 'events'>): Controller {
  async function reconcile({ key }: Reconcile): Promise<Outcome> {
    const job = view.jobs.get(key);
    const ttl = job?.spec?.ttlSecondsAfterFinished;
    if (!job || ttl === undefined || !isFinished(job) || job.metadata.deletionTimestamp !== undefined) return done;
    const over = conditionOf(job, 'Complete') ?? conditionOf(job, 'Failed');
    const left = Date.parse(over?.lastTransitionTime ?? '') + ttl * 1000 - clock.now();
    if (left > 0) return retryIn(left, 'then the Job is forgotten');
    await client.delete(JOBS, job.metadata, { propagationPolicy: 'Foreground' }).catch((error: unknown) => {
      if (!hasReason(error, 'NotFound')) throw error;
    });
    return done;
  }
  return { name: 'ttl-after-finished', concurrency: 4, watches: [{ gvr: JOBS }], reconcile };
}
