/** What `kubectl get pods` says of a pod: how many containers are ready, in which state it is, how often it restarted. */
import type { ContainerStatus, Pod } from '#gen/kube/types.ts';
import { ageOf } from '#kube/meta/age.ts';
import type { Given } from '../kind.ts';

export interface PodSummary {
  readonly ready: string;
  readonly status: string;
  readonly restarts: string;
}

interface Tally {
  readonly reason: string;
  readonly ready: number;
  readonly restarts: number;
  /** When a container last ended before it was started again; empty for never. */
  readonly lastEnd: string;
}

/** As printers.go of Kubernetes 1.35: init containers first, then the others from last to first, then deletion. */
export function podSummary(pod: Given<Pod>, now: number): PodSummary {
  const sidecars = new Set(
    (pod.spec?.initContainers ?? []).filter((one) => one.restartPolicy === 'Always').map((one) => one.name),
  );
  const init = initTally(pod, sidecars);
  const { reason, ready, restarts, lastEnd } =
    init.blocked && !isTrue(pod, 'Initialized') ? init : mainTally(pod, init);
  return {
    ready: `${ready}/${(pod.spec?.containers ?? []).length + sidecars.size}`,
    status: statusWithDeletion(pod, reason),
    restarts: restarts === 0 || lastEnd === '' ? `${restarts}` : `${restarts} (${ageOf(lastEnd, now)} ago)`,
  };
}

function phaseReason({ status }: Given<Pod>): string {
  const gated = (status?.conditions ?? []).some(
    ({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated',
  );
  return gated ? 'SchedulingGated' : status?.reason || (status?.phase ?? '');
}

interface InitTally extends Tally {
  /** An init container has not done its work yet. */
  readonly blocked: boolean;
  readonly sidecarRestarts: number;
  readonly sidecarLastEnd: string;
}

function initTally(pod: Given<Pod>, sidecars: ReadonlySet<string | undefined>): InitTally {
  const statuses = pod.status?.initContainerStatuses ?? [];
  const waitsAt = statuses.findIndex((status) => !isInitialized(status, sidecars));
  const seen = waitsAt < 0 ? statuses : statuses.slice(0, waitsAt + 1);
  const seenSidecars = seen.filter(({ name }) => sidecars.has(name));
  const blocking = statuses[waitsAt];
  return {
    reason: blocking ? initReason(blocking, waitsAt, (pod.spec?.initContainers ?? []).length) : phaseReason(pod),
    blocked: blocking !== undefined,
    ready: seenSidecars.filter((status) => status !== blocking && hasStarted(status) && status.ready).length,
    restarts: sum(seen),
    lastEnd: latestEnd(seen),
    sidecarRestarts: sum(seenSidecars),
    sidecarLastEnd: latestEnd(seenSidecars),
  };
}

function isInitialized(status: Given<ContainerStatus>, sidecars: ReadonlySet<string | undefined>): boolean {
  const ended = status.state?.terminated;
  return (ended !== undefined && !ended.exitCode) || (sidecars.has(status.name) && hasStarted(status));
}

function hasStarted({ started, state }: Given<ContainerStatus>): boolean {
  return started === true && !(state?.terminated && !state.terminated.exitCode);
}

function initReason({ state }: Given<ContainerStatus>, index: number, total: number): string {
  const waiting = state?.waiting?.reason;
  if (state?.terminated) return `Init:${endReason(state.terminated)}`;
  return waiting && waiting !== 'PodInitializing' ? `Init:${waiting}` : `Init:${index}/${total}`;
}

function mainTally(pod: Given<Pod>, init: InitTally): Tally {
  const statuses = pod.status?.containerStatuses ?? [];
  const reasons = statuses.map(containerReason).filter((reason) => reason !== undefined);
  const running = statuses.filter(
    (status) => containerReason(status) === undefined && status.ready && status.state?.running,
  );
  const reason = reasons[0] ?? init.reason;
  const failure = statuses.find(({ state }) => !state?.waiting?.reason && state?.terminated?.exitCode);
  return {
    reason: reason === 'Completed' ? completedReason(pod, running.length > 0, failure) : reason,
    ready: init.ready + running.length,
    restarts: init.sidecarRestarts + sum(statuses),
    lastEnd: [init.sidecarLastEnd, latestEnd(statuses)].sort().at(-1) ?? '',
  };
}

/** One container being done does not make the pod so while others still run or have failed. */
function completedReason(pod: Given<Pod>, running: boolean, failure: Given<ContainerStatus> | undefined): string {
  if (running && isTrue(pod, 'Ready')) return 'Running';
  if (failure?.state?.terminated) return endReason(failure.state.terminated);
  return running ? 'NotReady' : 'Completed';
}

function containerReason({ state }: Given<ContainerStatus>): string | undefined {
  return state?.waiting?.reason || (state?.terminated ? endReason(state.terminated) : undefined);
}

function endReason(ended: NonNullable<NonNullable<Given<ContainerStatus>['state']>['terminated']>): string {
  return ended.reason || (ended.signal ? `Signal:${ended.signal}` : `ExitCode:${ended.exitCode ?? 0}`);
}

function statusWithDeletion({ metadata, status }: Given<Pod>, reason: string): string {
  if (!metadata?.deletionTimestamp) return reason;
  if (status?.reason === 'NodeLost') return 'Unknown';
  return status?.phase === 'Succeeded' || status?.phase === 'Failed' ? reason : 'Terminating';
}

function isTrue({ status }: Given<Pod>, type: string): boolean {
  return (status?.conditions ?? []).some((condition) => condition.type === type && condition.status === 'True');
}

function sum(statuses: readonly Given<ContainerStatus>[]): number {
  return statuses.reduce((total, { restartCount }) => total + (restartCount ?? 0), 0);
}

/** RFC 3339 in UTC sorts as text. */
function latestEnd(statuses: readonly Given<ContainerStatus>[]): string {
  return (
    statuses
      .map(({ lastState }) => lastState?.terminated?.finishedAt ?? '')
      .sort()
      .at(-1) ?? ''
  );
}
