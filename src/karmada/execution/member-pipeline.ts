/**
 * From the Works of one cluster to the objects in it, and from the objects' status back into the Works.
 *
 * Each member has a pipeline of its own: its own queue, its own limit of requests under way, its own copies of what was
 * put there. A member that is slow, or gone, holds up nobody but itself. A Work is looked at when its spec changes and
 * when its object in the member changes, whoever changed it: so drift is repaired, deleted objects are made anew, and
 * status flows up, all by one reconcile. What became of a Work is written by another controller (`work-reports.ts`),
 * because what goes up has to wait while there is much to bring down, and must keep nothing from being sent.
 */
import type { Clock } from '#base/clock.ts';
import type { Gate } from '#base/gate.ts';
import type { Log } from '#base/log.ts';
import { hasReason } from '#base/status-error.ts';
import {
  ANNOTATIONS,
  APPLIED,
  type Cluster,
  EVENT_REASONS,
  FINALIZERS,
  READY,
  type Work,
  WORK,
} from '#karmada/apis/index.ts';
import type { Member, Members } from '#karmada/cluster/members.ts';
import type { EventRecorder } from '#karmada/events/index.ts';
import type { ResourceInterpreter } from '#karmada/interpreter/index.ts';
import { manifestStatus } from '#karmada/status/reflect-status.ts';
import { type Hop, type Tracer, untraced } from '#karmada/trace/tracer.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { isConditionTrue } from '#kube/meta/condition.ts';
import { keyOf, type KubeObject } from '#kube/meta/object.ts';
import { type Controller, done, type Informer, type Outcome, type Reconcile } from '#kube/runtime/index.ts';
import { type Applied, applier } from './apply-manifest.ts';
import { type MemberObjects, memberObjects, objectKey } from './member-objects.ts';
import { type WorkReport, workReports } from './work-reports.ts';

export interface PipelineDeps {
  readonly client: KubeClient;
  readonly works: Informer<Work>;
  readonly clusters: Informer<Cluster>;
  readonly members: Members;
  readonly interpreter: ResourceInterpreter;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly log: Log;
  /** How many Works of the cluster are sent at once. */
  readonly inFlight?: number;
  /** What every status goes through on its way up, of all members. */
  readonly reporting: Gate;
  readonly trace?: Tracer;
}

const DEFAULT_IN_FLIGHT = 32;

/** The controllers of one cluster's Works; `wakeable` gets the function that wakes one of them. */
export function memberPipeline(
  deps: PipelineDeps,
  clusterName: string,
  wakeable: (wake: (workKey: string) => void) => void,
): readonly Controller[] {
  const { client, works, clusters, members, interpreter, events, clock, log, trace = untraced } = deps;
  const writer = applier(interpreter);
  const reports = workReports({ ...deps, reported }, clusterName);
  let wake: (workKey: string) => void = () => undefined;
  const copies = new WeakMap<Member, MemberObjects>();
  /** By Work: which generation of it, and which state of its objects, was dealt with last. */
  const settled = new Map<string, string>();

  function objectsOf(member: Member): MemberObjects {
    let objects = copies.get(member);
    if (!objects) copies.set(member, (objects = memberObjects(member, { clock, log }, wakeWorkOf)));
    return objects;
  }

  function wakeWorkOf({ metadata: { annotations = {} } }: KubeObject): void {
    const namespace = annotations[ANNOTATIONS.workNamespace];
    const name = annotations[ANNOTATIONS.workName];
    if (namespace && name) wake(`${namespace}/${name}`);
  }

  async function reconcile({ key }: Reconcile): Promise<Outcome> {
    const work = works.get(key);
    const cluster = clusters.get(clusterName);
    if (!work || !cluster) {
      settled.delete(key);
      reports.drop(key);
      return done;
    }
    if (work.metadata.deletionTimestamp) return takeAway(work, cluster);
    if (work.spec.suspendDispatching) {
      reports.add({ work, dispatch: { type: 'suspended' } });
      return done;
    }
    // Woken again when the cluster is back.
    if (!isReady(cluster)) return done;
    return dispatch(work, await members.connect(cluster));
  }

  /** Whether this Work and the state its objects are in have been dealt with: most changes there are our own. */
  async function isSettled(work: Work, member: Member): Promise<boolean> {
    const key = keyOf(work);
    const last = settled.get(key);
    if (last === undefined) return false;
    // About to be said is as good as said.
    if (!isConditionTrue(work.status?.conditions, APPLIED.type) && !reports.has(key)) return false;
    const objects = await Promise.all(manifestsOf(work).map((manifest) => observedIn(member, manifest)));
    return last === stamp(work.metadata.generation, objects);
  }

  async function dispatch(work: Work, member: Member): Promise<Outcome> {
    if (await isSettled(work, member)) return done;
    const results: Applied[] = [];
    try {
      for (const manifest of manifestsOf(work)) {
        const applied = await bring(work, manifest, member);
        if (!applied) return done;
        results.push(applied);
      }
    } catch (error) {
      settled.delete(keyOf(work));
      reportFailure(work, results.length, error);
      throw error;
    }
    const statuses = await Promise.all(results.map(({ object }, at) => manifestStatus(interpreter, object, at)));
    const recreated = results.some(({ change }) => change === 'recreated');
    for (const [at, manifest] of manifestsOf(work).entries()) {
      const change = results[at]?.change ?? 'unchanged';
      if (change !== 'unchanged') traceHop(manifest, { step: 'applied', detail: change });
    }
    settled.set(
      keyOf(work),
      stamp(
        work.metadata.generation,
        results.map(({ object }) => object),
      ),
    );
    reports.add({ work, dispatch: { type: 'applied', recreated, statuses }, results });
    return done;
  }

  async function observedIn(member: Member, manifest: KubeObject): Promise<KubeObject | undefined> {
    const objects = objectsOf(member);
    const resource = await objects.resource(manifest).catch(ignoreNotFound);
    return resource && objects.copy(resource).get(objectKey(manifest));
  }

  /** Undefined while it is not known what the member has: the Work is woken when it is. */
  async function bring(work: Work, manifest: KubeObject, member: Member): Promise<Applied | undefined> {
    const objects = objectsOf(member);
    const resource = await objects.resource(manifest);
    const copy = objects.copy(resource);
    // Something new is made at once; what was there before must not be taken for missing.
    if (!copy.isSynced() && isConditionTrue(work.status?.conditions, APPLIED.type)) {
      copy.synced.then(() => wake(keyOf(work))).catch(() => undefined);
      return undefined;
    }
    return writer.apply(member, resource, manifest, copy.isSynced() ? copy.get(objectKey(manifest)) : undefined);
  }

  async function takeAway(work: Work, cluster: Cluster): Promise<Outcome> {
    const { finalizers = [] } = work.metadata;
    if (!finalizers.includes(FINALIZERS.execution)) return done;
    // Waited for; if it is leaving, the cluster controller frees the Work.
    if (!isReady(cluster)) return done;
    const member = await members.connect(cluster);
    await clear(work, member);
    reports.drop(keyOf(work));
    for (const manifest of manifestsOf(work)) writer.forget(manifest);
    const rest = finalizers.filter((each) => each !== FINALIZERS.execution);
    try {
      await client.update(WORK, { ...work, metadata: { ...work.metadata, finalizers: rest } });
    } catch (error) {
      if (!hasReason(error, 'NotFound')) throw error;
    }
    return done;
  }

  async function clear(work: Work, member: Member): Promise<void> {
    const objects = objectsOf(member);
    for (const manifest of manifestsOf(work)) {
      const resource = await objects.resource(manifest).catch(ignoreNotFound);
      // A kind the member no longer serves has no objects left.
      if (!resource) continue;
      if (work.spec.preserveResourcesOnDeletion) await writer.letGo(member, resource, manifest);
      else await writer.remove(member, resource, manifest, objects.copy(resource).get(objectKey(manifest)));
    }
  }

  function reportFailure(work: Work, succeeded: number, error: unknown): void {
    const why = error instanceof Error ? error.message : String(error);
    const total = manifestsOf(work).length;
    const message = `Failed to apply all manifests (${succeeded}/${total}): ${why}`;
    reports.add({ work, dispatch: { type: 'failed', message } });
    traceHop(manifestsOf(work)[succeeded], { step: 'applied', error });
    const place = `work(${keyOf(work)}) to cluster(${clusterName})`;
    events.warning(work, EVENT_REASONS.syncFailed, `Failed to sync ${place}, err: ${why}`);
    const manifest = manifestsOf(work)[succeeded];
    const about = manifest && templateOf(manifest);
    if (!manifest || !about) return;
    const resource = `resource(${manifest.metadata.namespace ?? ''}/${manifest.metadata.name})`;
    const text = `Failed to create or update ${resource} in member cluster(${clusterName}): ${why}`;
    events.warning(about, EVENT_REASONS.syncFailed, text);
  }

  function reported({ work, dispatch, results = [] }: WorkReport, changed: boolean): void {
    if (dispatch.type !== 'applied') return;
    for (const [at, manifest] of manifestsOf(work).entries()) {
      const health = dispatch.statuses[at]?.health;
      const isNews = changed || results[at]?.change !== 'unchanged';
      if (health && isNews) traceHop(manifest, { step: 'collected', detail: health });
    }
    if (changed || results.some(({ change }) => change !== 'unchanged')) tellSuccess(work, results);
  }

  function traceHop(manifest: KubeObject | undefined, hop: Omit<Hop, 'template' | 'cluster'>): void {
    const about = manifest && templateOf(manifest);
    const generation = Number(manifest?.metadata.annotations?.[ANNOTATIONS.templateGeneration] ?? 0);
    if (about) {
      const template = { ...about, ...(generation > 0 ? { generation } : {}) };
      trace.hop({ template, cluster: clusterName, ...hop });
    }
  }

  function tellSuccess(work: Work, results: readonly Applied[]): void {
    events.normal(work, EVENT_REASONS.syncSucceed, `Sync work(${keyOf(work)}) to cluster(${clusterName}) successful.`);
    for (const { object, change } of results) {
      const about = change === 'unchanged' ? undefined : templateOf(object);
      const { namespace = '', name } = object.metadata;
      const message = `Successfully applied resource(${namespace}/${name}) to cluster ${clusterName}`;
      if (about) events.normal(about, EVENT_REASONS.syncSucceed, message);
    }
  }

  const controller: Controller = {
    name: `execution-${clusterName}`,
    watches: [],
    concurrency: deps.inFlight ?? DEFAULT_IN_FLIGHT,
    source(wakeKey) {
      wake = wakeKey;
      wakeable(wakeKey);
    },
    reconcile,
  };
  return [controller, reports.controller];
}

function manifestsOf({ spec }: Work): readonly KubeObject[] {
  return spec.workload?.manifests ?? [];
}

function stamp(generation: number | undefined, objects: readonly (KubeObject | undefined)[]): string {
  return [generation, ...objects.map((object) => object?.metadata.resourceVersion ?? 'none')].join(' ');
}

function isReady(cluster: Cluster): boolean {
  return isConditionTrue(cluster.status?.conditions, READY.type);
}

/** The template a manifest was made of, as events refer to it. */
function templateOf({ apiVersion, kind, metadata }: KubeObject) {
  const uid = metadata.annotations?.[ANNOTATIONS.templateUid];
  const { namespace, name } = metadata;
  return uid ? { apiVersion, kind, name, uid, ...(namespace === undefined ? {} : { namespace }) } : undefined;
}

function ignoreNotFound(error: unknown): undefined {
  if (!hasReason(error, 'NotFound')) throw error;
  return undefined;
}
