/**
 * What is still to be written into the statuses of one cluster's Works.
 *
 * Sending does not wait for it: what became of a Work is handed over here, and written when its turn comes. What
 * happened meanwhile is then told with it, in one write.
 */
import { type Clock, rfc3339 } from '#base/clock.ts';
import type { Gate } from '#base/gate.ts';
import { jsonEqual } from '#base/json.ts';
import { hasReason } from '#base/status-error.ts';
import { type Work, WORK } from '#karmada/apis/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { keyOf } from '#kube/meta/object.ts';
import { type Controller, done, type Informer, type Outcome, type Reconcile } from '#kube/runtime/index.ts';
import type { Applied } from './apply-manifest.ts';
import { type Dispatch, workStatus } from './work-status.ts';

export interface WorkReport {
  readonly work: Work;
  readonly dispatch: Dispatch;
  /** What became of each manifest, if all were applied. */
  readonly results?: readonly Applied[];
}

export interface WorkReports {
  readonly controller: Controller;
  add(report: WorkReport): void;
  /** Whether there is something that the Work's status does not say yet. */
  has(key: string): boolean;
  drop(key: string): void;
}

export interface WorkReportsDeps {
  readonly client: KubeClient;
  readonly works: Informer<Work>;
  readonly clock: Clock;
  /** What every status goes through on its way up, of all members. */
  readonly reporting: Gate;
  /** Told of each report that stands in its Work; `changed` says whether it had to be written. */
  readonly reported: (report: WorkReport, changed: boolean) => void;
}

const WAITING = 1024;
const ATTEMPTS = 5;

export function workReports(deps: WorkReportsDeps, clusterName: string): WorkReports {
  const { client, works, clock, reporting, reported } = deps;
  const pending = new Map<string, WorkReport>();
  let wake: (key: string) => void = () => undefined;

  async function reconcile({ key }: Reconcile): Promise<Outcome> {
    if (pending.has(key)) await reporting(() => tell(key));
    return done;
  }

  async function tell(key: string): Promise<void> {
    const report = pending.get(key);
    if (!report) return;
    // Kept if it fails: the key comes back by itself.
    const changed = await write(report);
    // What came meanwhile is told next.
    if (pending.get(key) === report) pending.delete(key);
    reported(report, changed);
  }

  /** Whether anything had to be written; again on a newer Work when somebody wrote in between. */
  async function write({ work: seen, dispatch }: WorkReport): Promise<boolean> {
    let work = works.get(keyOf(seen)) ?? seen;
    for (let attempt = 1; ; attempt++) {
      const status = workStatus(work.status, dispatch, rfc3339(clock.now()));
      if (jsonEqual(work.status, status)) return false;
      try {
        await client.update(WORK, { ...work, status }, { subresource: 'status' });
        return true;
      } catch (error) {
        if (hasReason(error, 'NotFound')) return false;
        if (attempt === ATTEMPTS || !hasReason(error, 'Conflict')) throw error;
        work = await client.get<Work>(WORK, seen.metadata);
      }
    }
  }

  return {
    controller: {
      name: `work-status-${clusterName}`,
      watches: [],
      concurrency: WAITING,
      source(wakeKey) {
        wake = wakeKey;
      },
      reconcile,
    },
    add(report) {
      const key = keyOf(report.work);
      const before = pending.get(key);
      pending.set(key, before ? together(before, report) : report);
      wake(key);
    },
    has: (key) => pending.has(key),
    drop: (key) => void pending.delete(key),
  };
}

/** The later one, with the changes that the earlier one did not get to tell. */
function together(before: WorkReport, now: WorkReport): WorkReport {
  if (before.dispatch.type !== 'applied' || now.dispatch.type !== 'applied') return now;
  const recreated = before.dispatch.recreated || now.dispatch.recreated;
  const results = now.results?.map((result, at) => {
    const untold = before.results?.[at]?.change;
    return result.change === 'unchanged' && untold ? { ...result, change: untold } : result;
  });
  return { ...now, dispatch: { ...now.dispatch, recreated }, ...(results ? { results } : {}) };
}
