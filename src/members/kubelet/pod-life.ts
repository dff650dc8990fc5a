/**
 * The life of a simulated pod: what its status is now, what is worth telling, and when to look again. Pure.
 *
 * A pod bound to a node is set up by its init containers one after the other, then its containers start together, become
 * ready, and, when they are meant to end or asked to fail, end. Conditions and phase follow from the containers. On a
 * node that is not ready a pod is not ready; on one that is gone nothing more happens to it. {@link nextStep} is the way
 * there, {@link lastStep} the way out.
 */
import type { Container, ContainerStatus, Pod, PodStatus } from '#gen/kube/types.ts';
import { rfc3339 } from '#base/clock.ts';
import { jsonEqual } from '#base/json.ts';
import { defined } from '../defined.ts';
import type { NodeHealth } from '../requests.ts';
import { isOver } from '../workload/pod-state.ts';
import { type ContainerStep, newContainer, nextMoment, type Telling, terminated } from './container-life.ts';
import type { Pace } from './pace.ts';
import { type ContainerStatuses, conditionsOf, hasSandbox, phaseOf } from './pod-conditions.ts';
import { programOf, type Role } from './program.ts';

export interface PodMoment {
  readonly now: number;
  readonly pace: Pace;
  readonly node: NodeHealth;
  readonly hostIP: string;
  /** The address it gets when its first container starts. */
  podIP(): string;
  /** Since when a part of the pod has been in a state of that name. */
  readonly since: (part: string, state: string) => number;
  /** What a container needs that does not exist, by its name. */
  missing(container: string): string | undefined;
  /** Why its volumes cannot be mounted, and so nothing started. */
  readonly unmounted?: string;
}

export type PodStep =
  | { readonly is: 'settled' }
  | { readonly is: 'waiting'; readonly forMs: number }
  | { readonly is: 'due'; readonly status: PodStatus; readonly tells: readonly Telling[] };

export function nextStep(pod: Pod, moment: PodMoment): PodStep {
  if (isOver(pod)) return { is: 'settled' };
  if (!pod.status?.startTime) return first(pod, moment);
  const deadline = deadlineOf(pod);
  if (deadline !== undefined && deadline <= moment.now) return exceeded(pod, moment);
  const frozen = moment.node === 'gone' || moment.unmounted !== undefined;
  const steps = frozen ? unchanged(pod) : advance(pod, moment);
  const all = [...steps.init, ...steps.main, ...steps.debug];
  const statuses = { init: steps.init.map(status), main: steps.main.map(status) };
  const next = { ...statusOf(pod, statuses, moment), ...debugged(steps) };
  const tells = all.flatMap((step) => step.tells);
  if (!jsonEqual(next, pod.status)) return { is: 'due', status: next, tells };
  const waits = [...all.map(({ afterMs }) => afterMs), deadline && deadline - moment.now].filter(
    (ms) => ms !== undefined,
  );
  return waits.length === 0 ? { is: 'settled' } : { is: 'waiting', forMs: Math.max(1, Math.min(...waits)) };
}

const status = (step: ContainerStep) => step.status;
const still = (known: ContainerStatus): ContainerStep => ({ status: known, tells: [] });

interface Steps {
  readonly init: readonly ContainerStep[];
  readonly main: readonly ContainerStep[];
  /** Containers that were added to look into a pod that runs. */
  readonly debug: readonly ContainerStep[];
}

const debugged = ({ debug }: Steps) => (debug.length > 0 ? { ephemeralContainerStatuses: debug.map(status) } : {});

/** The kubelet has seen the pod. */
function first(pod: Pod, moment: PodMoment): PodStep {
  if (moment.node === 'gone') return { is: 'settled' };
  const { initContainers = [], containers = [] } = pod.spec ?? {};
  const waits = initContainers.length > 0 ? 'PodInitializing' : 'ContainerCreating';
  const statuses = {
    init: initContainers.map((container) => newContainer(container, 'PodInitializing')),
    main: containers.map((container) => newContainer(container, waits)),
  };
  return { is: 'due', status: statusOf(pod, statuses, moment), tells: [] };
}

function unchanged({ status: known }: Pod): Steps {
  return {
    init: (known?.initContainerStatuses ?? []).map(still),
    main: (known?.containerStatuses ?? []).map(still),
    debug: (known?.ephemeralContainerStatuses ?? []).map(still),
  };
}

/** Init containers go on one by one, the others when all of those are done. */
function advance(pod: Pod, moment: PodMoment): Steps {
  const init: ContainerStep[] = [];
  let isOpen: boolean = true;
  for (const container of pod.spec?.initContainers ?? []) {
    const role = container.restartPolicy === 'Always' ? 'sidecar' : 'init';
    const known = statusIn(pod.status?.initContainerStatuses, container);
    const step: ContainerStep = isOpen ? stepOf(pod, container, known, role, moment) : still(known);
    const done = role === 'sidecar' ? step.status.started === true : step.status.state?.terminated?.exitCode === 0;
    // An init container that has done its work counts as ready.
    init.push(done && role === 'init' ? { ...step, status: { ...step.status, ready: true } } : step);
    isOpen &&= done;
  }
  const containers = pod.spec?.containers ?? [];
  const main = containers.map((container) => {
    const known = statusIn(pod.status?.containerStatuses, container);
    return isOpen ? stepOf(pod, container, known, 'main', moment) : still(known);
  });
  const debug = (pod.spec?.ephemeralContainers ?? []).map((container) =>
    stepOf(pod, container, statusIn(pod.status?.ephemeralContainerStatuses, container), 'sidecar', moment, 'Never'),
  );
  return { init, main, debug };
}

const statusIn = (statuses: readonly ContainerStatus[] | undefined, container: Container) =>
  statuses?.find(({ name }) => name === container.name) ?? newContainer(container, 'PodInitializing');

function stepOf(
  pod: Pod,
  container: Container,
  known: ContainerStatus,
  role: Role,
  moment: PodMoment,
  policy = pod.spec?.restartPolicy ?? 'Always',
): ContainerStep {
  const missing = moment.missing(container.name);
  return nextMoment(known, {
    pod,
    container,
    program: programOf(pod, container, moment.pace, role),
    restartPolicy: role === 'init' && policy === 'Always' ? 'OnFailure' : policy,
    now: moment.now,
    since: moment.since,
    ...defined({ missing }),
  });
}

function statusOf(pod: Pod, statuses: ContainerStatuses, moment: PodMoment): PodStatus {
  const initFailed =
    pod.spec?.restartPolicy === 'Never' && statuses.init.some(({ state }) => (state?.terminated?.exitCode ?? 0) !== 0);
  const phase = initFailed ? 'Failed' : phaseOf(pod, statuses);
  const { hostIP } = moment;
  const podIP = hasSandbox(statuses) && !pod.status?.podIP ? moment.podIP() : undefined;
  const at = rfc3339(moment.now);
  return {
    ...pod.status,
    ...defined({ observedGeneration: pod.metadata.generation }),
    phase,
    conditions: conditionsOf(pod, statuses, { phase, nodeIsReady: moment.node === 'ready', at }),
    startTime: pod.status?.startTime ?? at,
    hostIP: pod.status?.hostIP ?? hostIP,
    hostIPs: pod.status?.hostIPs ?? [{ ip: hostIP }],
    ...(podIP === undefined ? {} : { podIP, podIPs: [{ ip: podIP }] }),
    ...(statuses.init.length > 0 ? { initContainerStatuses: statuses.init } : {}),
    containerStatuses: statuses.main,
  };
}

function deadlineOf({ spec, status: known }: Pod): number | undefined {
  if (spec?.activeDeadlineSeconds === undefined || !known?.startTime) return undefined;
  return Date.parse(known.startTime) + spec.activeDeadlineSeconds * 1000;
}

function exceeded(pod: Pod, moment: PodMoment): PodStep {
  const message = 'Pod was active on the node longer than the specified deadline';
  const ended = stopped(pod, moment, { exitCode: 137, reason: 'Error' });
  const tells: Telling[] = [{ type: 'Normal', reason: 'DeadlineExceeded', message }];
  return { is: 'due', status: { ...ended, phase: 'Failed', reason: 'DeadlineExceeded', message }, tells };
}

/** How a deleted pod goes. */
export type LastStep =
  | { readonly is: 'stuck' }
  | { readonly is: 'stopping'; readonly forMs: number; readonly tells: readonly Telling[] }
  | { readonly is: 'stopped'; readonly status: PodStatus }
  | { readonly is: 'gone' };

/** Running containers take their time, at most what the pod was granted; what cannot wait is killed. */
export function lastStep(pod: Pod, stopMs: number, moment: PodMoment): LastStep {
  if (moment.node === 'gone') return { is: 'stuck' };
  const running = (pod.status?.containerStatuses ?? []).filter(({ state }) => state?.running);
  if (isOver(pod)) return { is: 'gone' };
  if (running.length === 0) return pod.status?.startTime ? endedWith(pod, moment, false) : { is: 'gone' };
  const graceMs = (pod.metadata.deletionGracePeriodSeconds ?? 0) * 1000;
  const left = moment.since('stop', 'told') + Math.min(stopMs, graceMs) - moment.now;
  if (left <= 0) return endedWith(pod, moment, stopMs > graceMs);
  const tells = running.map(({ name }): Telling => {
    return { type: 'Normal', reason: 'Killing', message: `Stopping container ${name}` };
  });
  return { is: 'stopping', forMs: left, tells };
}

function endedWith(pod: Pod, moment: PodMoment, killed: boolean): LastStep {
  const how = killed ? { exitCode: 137, reason: 'Error' } : { exitCode: 0, reason: 'Completed' };
  return { is: 'stopped', status: stopped(pod, moment, how) };
}

function stopped(pod: Pod, moment: PodMoment, how: { readonly exitCode: number; readonly reason: string }): PodStatus {
  const end = (one: ContainerStatus): ContainerStatus =>
    one.state?.terminated
      ? one
      : {
          ...one,
          ready: false,
          started: false,
          state: { terminated: terminated(one, how.exitCode, how.reason, moment.now) },
        };
  const main = (pod.status?.containerStatuses ?? []).map(end);
  const init = pod.status?.initContainerStatuses ?? [];
  const failed = main.some(({ state }) => state?.terminated?.exitCode !== 0);
  const ending: Pod = { ...pod, spec: { ...(pod.spec ?? { containers: [] }), restartPolicy: 'Never' } };
  return { ...statusOf(ending, { init, main }, moment), phase: failed ? 'Failed' : 'Succeeded' };
}
