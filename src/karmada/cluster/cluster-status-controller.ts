/**
 * Looks after the health of members: asks each regularly whether it is well, and keeps its Cluster's status true.
 *
 * Version, APIs, nodes and resources are collected while it is well; a change between ready and not ready is believed
 * only after it has lasted (`ready-condition.ts`). Each member is probed for itself, so one that does not answer delays
 * nobody. Members in pull mode report for themselves: their agents run this very controller.
 */
import { type Clock, rfc3339 } from '#base/clock.ts';
import { jsonEqual } from '#base/json.ts';
import type { Log } from '#base/log.ts';
import { hasReason } from '#base/status-error.ts';
import { type Cluster, CLUSTER, type ClusterStatus, FINALIZERS, isPushedTo, READY } from '#karmada/apis/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { findCondition, type NewCondition, setCondition } from '#kube/meta/condition.ts';
import { keyOf, type KubeObject } from '#kube/meta/object.ts';
import { type Controller, done, type Informers, type Outcome, type Reconcile, retryIn } from '#kube/runtime/index.ts';
import { clusterSurvey, type Survey } from './cluster-survey.ts';
import type { Member, Members } from './members.ts';
import {
  DEFAULT_THRESHOLDS,
  type Observation,
  type Probe,
  readyCondition,
  settledCondition,
  type Thresholds,
} from './ready-condition.ts';

export interface ClusterStatusDeps {
  readonly client: KubeClient;
  readonly informers: Informers;
  readonly members: Members;
  readonly clock: Clock;
  readonly log: Log;
  /** How often a member is probed. */
  readonly everyMs?: number;
  readonly probeTimeoutMs?: number;
  readonly thresholds?: Thresholds;
  /** Whose status is kept from here; that of those pushed to when absent. */
  readonly serves?: (cluster: Cluster) => boolean;
}

const DEFAULT_EVERY_MS = 10_000;
const DEFAULT_PROBE_TIMEOUT_MS = 5_000;
/** How many times longer than a probe a question of the survey may take. */
const SURVEY_PROBES = 3;
const CONCURRENCY = 64;
const ATTEMPTS = 5;

export function clusterStatusController(deps: ClusterStatusDeps): Controller {
  const { client, informers, members, clock, log, everyMs = DEFAULT_EVERY_MS } = deps;
  const { probeTimeoutMs = DEFAULT_PROBE_TIMEOUT_MS, serves = isPushedTo } = deps;
  const clusters = informers<Cluster>(CLUSTER);
  const observations = new Map<string, Observation>();
  const surveys = new WeakMap<Member, Survey>();

  async function reconcile({ key }: Reconcile): Promise<Outcome> {
    const cluster = clusters.get(key);
    if (!cluster) {
      observations.delete(key);
      return done;
    }
    // The cluster controller's first write would only get in our way.
    if (!cluster.metadata.finalizers?.includes(FINALIZERS.cluster) || !serves(cluster)) return done;
    await observe(cluster);
    return retryIn(everyMs, 'the next probe');
  }

  async function observe(cluster: Cluster): Promise<void> {
    const member = await connect(cluster);
    if (member instanceof Error) return report(cluster, [settle(cluster, collectionFailed(member))], {});
    const probe = await probed(member);
    const ready = settle(cluster, readyCondition(probe));
    // What is open to a member that was lost may be dead without anybody being told: nothing of it is used again.
    if (probe === 'unreachable' && ready.status !== 'True') members.drop(cluster.metadata.name);
    if (probe !== 'healthy' || ready.status !== 'True') return report(cluster, [ready], {});
    const { condition, ...found } = await surveyOf(member)(cluster);
    return report(cluster, [...(condition ? [condition] : []), ready], found);
  }

  /** Looks at the Secret again each time: credentials may have been renewed. */
  async function connect(cluster: Cluster): Promise<Member | Error> {
    try {
      return await members.refresh(cluster);
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  async function probed(member: Member): Promise<Probe> {
    const limit = new AbortController();
    const cancel = clock.after(probeTimeoutMs, () => limit.abort());
    const ask = (path: string) =>
      member.client.getText(path, limit.signal).then(
        () => undefined,
        (error: unknown) => error ?? 'aborted',
      );
    try {
      let failure = await ask('/readyz');
      if (hasReason(failure, 'NotFound')) failure = await ask('/healthz');
      if (failure === undefined) return 'healthy';
      // An answer, though not a good one.
      return hasReason(failure, 'InternalError', 'Unknown') ? 'unhealthy' : 'unreachable';
    } finally {
      cancel();
    }
  }

  function surveyOf(member: Member): Survey {
    let survey = surveys.get(member);
    if (!survey)
      surveys.set(
        member,
        (survey = clusterSurvey(member, { clock, log, answerWithinMs: SURVEY_PROBES * probeTimeoutMs })),
      );
    return survey;
  }

  function settle(cluster: Cluster, observed: NewCondition): NewCondition {
    const { name } = cluster.metadata;
    const current = findCondition(cluster.status?.conditions, READY.type);
    const thresholds = deps.thresholds ?? DEFAULT_THRESHOLDS;
    const { condition, saved } = settledCondition(observed, current, observations.get(name), clock.now(), thresholds);
    observations.set(name, saved);
    return condition;
  }

  async function report(seen: Cluster, news: readonly NewCondition[], found: Partial<ClusterStatus>): Promise<void> {
    let cluster = seen;
    for (let attempt = 1; ; attempt++) {
      const now = rfc3339(clock.now());
      let { conditions } = cluster.status ?? {};
      for (const { type, status, reason, message } of news) {
        const condition = {
          type,
          status,
          ...(reason ? { reason } : {}),
          ...(message === undefined ? {} : { message }),
        };
        conditions = setCondition(conditions, condition, now);
      }
      const status: ClusterStatus = { ...cluster.status, ...found, ...(conditions ? { conditions } : {}) };
      if (jsonEqual(cluster.status, status)) return;
      try {
        await client.update(CLUSTER, { ...cluster, status }, { subresource: 'status' });
        return;
      } catch (error) {
        if (hasReason(error, 'NotFound')) return;
        if (attempt === ATTEMPTS || !hasReason(error, 'Conflict')) throw error;
        cluster = await client.get<Cluster>(CLUSTER, seen.metadata);
      }
    }
  }

  return {
    name: 'cluster-status',
    concurrency: CONCURRENCY,
    watches: [{ gvr: CLUSTER, wakes: wokenByCluster }],
    reconcile,
  };
}

function collectionFailed(error: Error): NewCondition {
  const message = `failed to create a ClusterClient: ${error.message}`;
  return { type: READY.type, status: 'False', reason: READY.statusCollectionFailed, message };
}

/** When its spec changes, or the finalizer has come that we wait for. */
function wokenByCluster(object: KubeObject, old: KubeObject | undefined): readonly string[] {
  const finalized = (each: KubeObject | undefined) => each?.metadata.finalizers?.includes(FINALIZERS.cluster) ?? false;
  const same = old?.metadata.generation === object.metadata.generation && finalized(object) === finalized(old);
  return same ? [] : [keyOf(object)];
}
