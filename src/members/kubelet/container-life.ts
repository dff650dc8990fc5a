/**
 * The next moment in the life of one container: waiting, running, ended, waiting to be restarted. Pure.
 *
 * As a kubelet has it: a failed pull backs off, a container that ends is restarted if its pod's policy says so, the
 * first time at once and then after a delay that doubles from ten seconds to five minutes.
 */
import { createHash } from 'node:crypto';
import type { Container, ContainerStatus, Pod } from '#gen/kube/types.ts';
import { rfc3339 } from '#base/clock.ts';
import { jsonEqual } from '#base/json.ts';
import type { Program } from './program.ts';

/** Something to tell in an event. */
export interface Telling {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

export interface ContainerStep {
  readonly status: ContainerStatus;
  readonly tells: readonly Telling[];
  /** When to look again, if nothing else happens. */
  readonly afterMs?: number;
}

export interface ContainerMoment {
  readonly pod: Pod;
  readonly container: Container;
  readonly program: Program;
  readonly restartPolicy: string;
  readonly now: number;
  /** Since when a container, or a part of its life, has been in a state of that name. */
  readonly since: (part: string, state: string) => number;
  /** What it needs that does not exist. */
  readonly missing?: string;
}

export function nextMoment(status: ContainerStatus, moment: ContainerMoment): ContainerStep {
  const { state = {} } = status;
  if (state.running) return running(status, moment);
  if (state.terminated) return ended(status, moment);
  switch (state.waiting?.reason) {
    case 'CrashLoopBackOff':
      return after(status, moment, backOffMs(status), () => start(restarted(status), moment));
    case 'ErrImagePull':
      return moment.program.imageProblem === undefined
        ? start(status, moment)
        : after(status, moment, PULL_RETRY_MS, () => backOffPulling(status, moment));
    case 'ImagePullBackOff':
      return moment.program.imageProblem === undefined ? start(status, moment) : stays(status);
    default:
      return created(status, moment);
  }
}

/** A container nothing has happened to yet. */
export function newContainer({ name, image = '' }: Container, reason: 'ContainerCreating' | 'PodInitializing') {
  const status: ContainerStatus = {
    name,
    image,
    imageID: '',
    ready: false,
    restartCount: 0,
    started: false,
    state: { waiting: { reason } },
    lastState: {},
  };
  return status;
}

const PULL_RETRY_MS = 1000;
const stays = (status: ContainerStatus): ContainerStep => ({ status, tells: [] });

/** `step` once the container has been as it is for so long. */
function after(status: ContainerStatus, moment: ContainerMoment, ms: number, step: () => ContainerStep): ContainerStep {
  const state = `${status.state?.waiting?.reason} ${status.restartCount}`;
  const left = moment.since(status.name, state) + ms - moment.now;
  return left > 0 ? { status, tells: [], afterMs: left } : step();
}

function created(status: ContainerStatus, moment: ContainerMoment): ContainerStep {
  const { program, missing } = moment;
  if (missing !== undefined) {
    const waiting = { reason: 'CreateContainerConfigError', message: missing };
    const isKnown = status.state?.waiting?.message === missing;
    const tells: Telling[] = isKnown ? [] : [{ type: 'Warning', reason: 'Failed', message: `Error: ${missing}` }];
    return { status: { ...status, state: { waiting } }, tells };
  }
  return after(status, moment, program.startMs, () =>
    program.imageProblem === undefined ? start(status, moment) : failPulling(status, program.imageProblem),
  );
}

function failPulling(status: ContainerStatus, problem: string): ContainerStep {
  const message = `Failed to pull image "${status.image}": ${problem}`;
  return {
    status: { ...status, state: { waiting: { reason: 'ErrImagePull', message: problem } } },
    tells: [
      { type: 'Normal', reason: 'Pulling', message: `Pulling image "${status.image}"` },
      { type: 'Warning', reason: 'Failed', message },
      { type: 'Warning', reason: 'Failed', message: 'Error: ErrImagePull' },
    ],
  };
}

function backOffPulling(status: ContainerStatus, { program }: ContainerMoment): ContainerStep {
  const told = `Back-off pulling image "${status.image}"`;
  const message = `${told}: ErrImagePull: ${program.imageProblem}`;
  return {
    status: { ...status, state: { waiting: { reason: 'ImagePullBackOff', message } } },
    tells: [
      { type: 'Normal', reason: 'BackOff', message: told },
      { type: 'Warning', reason: 'Failed', message: 'Error: ImagePullBackOff' },
    ],
  };
}

function start(status: ContainerStatus, moment: ContainerMoment): ContainerStep {
  const { pod, container, program, now } = moment;
  const ready = program.readyMs === 0;
  return {
    status: {
      ...status,
      image: container.image ?? '',
      imageID: `sim://${digest(container.image ?? '')}`,
      containerID: `sim://${digest(`${pod.metadata.uid}/${status.name}/${status.restartCount}`)}`,
      ready,
      started: true,
      state: { running: { startedAt: rfc3339(now) } },
      ...resourcesOf(container),
    },
    tells: [
      {
        type: 'Normal',
        reason: 'Pulled',
        message: `Container image "${container.image ?? ''}" already present on machine and can be accessed by the pod`,
      },
      { type: 'Normal', reason: 'Created', message: 'Container created' },
      { type: 'Normal', reason: 'Started', message: 'Container started' },
    ],
    ...(ready ? {} : { afterMs: 0 }),
  };
}

/** What it was given, which is always what it asked for. */
function resourcesOf({ resources }: Container): Pick<ContainerStatus, 'resources' | 'allocatedResources'> {
  const { requests } = resources ?? {};
  return { ...(resources ? { resources } : {}), ...(requests ? { allocatedResources: requests } : {}) };
}

function running(status: ContainerStatus, moment: ContainerMoment): ContainerStep {
  const { program, now, since } = moment;
  const { container } = moment;
  if (status.image !== (container.image ?? ''))
    return restart(status, moment, `Container ${status.name} definition changed, will be restarted`);
  if (status.restartCount < program.restarts)
    return restart(status, moment, `Container ${status.name} was asked to restart, will be restarted`);
  if (!jsonEqual(status.resources ?? {}, container.resources ?? {}))
    return { status: { ...status, ...resourcesOf(container) }, tells: [], afterMs: 0 };
  const run = now - since(`${status.name} run`, String(status.restartCount));
  const { endsAfterMs, readyMs } = program;
  if (endsAfterMs !== undefined && run >= endsAfterMs) return end(status, moment);
  const ready = readyMs !== undefined && run >= readyMs;
  const waits = [endsAfterMs, ready ? undefined : readyMs].filter((ms) => ms !== undefined).map((ms) => ms - run);
  const failing: Telling = { type: 'Warning', reason: 'Unhealthy', message: 'Readiness probe failed: asked to fail' };
  return {
    status: status.ready === ready ? status : { ...status, ready },
    tells: status.ready && !ready ? [failing] : [],
    ...(waits.length > 0 ? { afterMs: Math.max(0, Math.min(...waits)) } : {}),
  };
}

function end(status: ContainerStatus, { program, now }: ContainerMoment): ContainerStep {
  return {
    status: {
      ...status,
      ready: false,
      started: false,
      state: { terminated: terminated(status, program.exitCode, program.reason, now) },
    },
    tells: [],
    afterMs: 0,
  };
}

/** How a running container ends. */
export function terminated(status: ContainerStatus, exitCode: number, reason: string, now: number) {
  const startedAt = status.state?.running?.startedAt ?? rfc3339(now);
  const { containerID } = status;
  return { exitCode, reason, startedAt, finishedAt: rfc3339(now), ...(containerID ? { containerID } : {}) };
}

function restart(status: ContainerStatus, moment: ContainerMoment, message: string): ContainerStep {
  const { status: ended } = end(status, { ...moment, program: { ...moment.program, exitCode: 137, reason: 'Error' } });
  const step = start(restarted(ended), moment);
  return { ...step, tells: [{ type: 'Normal', reason: 'Killing', message }, ...step.tells] };
}

function ended(status: ContainerStatus, moment: ContainerMoment): ContainerStep {
  const { terminated: how } = status.state ?? {};
  const { restartPolicy, container } = moment;
  const policy = container.restartPolicy ?? restartPolicy;
  if (policy === 'Never' || (policy === 'OnFailure' && how?.exitCode === 0)) return stays(status);
  if (status.restartCount === 0) return start(restarted(status), moment);
  return crashLoop(status, moment);
}

function crashLoop(status: ContainerStatus, { pod }: ContainerMoment): ContainerStep {
  const { name, namespace = 'default', uid = '' } = pod.metadata;
  const of = `restarting failed container=${status.name} pod=${name}_${namespace}(${uid})`;
  const message = `back-off ${spelled(backOffMs(status))} ${of}`;
  const told = `Back-off restarting failed container ${status.name} in pod ${name}_${namespace}(${uid})`;
  const lastState = status.state ?? {};
  return {
    status: { ...status, state: { waiting: { reason: 'CrashLoopBackOff', message } }, lastState },
    tells: [{ type: 'Warning', reason: 'BackOff', message: told }],
    afterMs: backOffMs(status),
  };
}

function restarted({ lastState, ...status }: ContainerStatus): ContainerStatus {
  const last = status.state?.terminated ? status.state : lastState;
  return { ...status, restartCount: status.restartCount + 1, ...(last ? { lastState: last } : {}) };
}

function backOffMs({ restartCount }: ContainerStatus): number {
  return Math.min(300_000, 10_000 * 2 ** Math.min(restartCount - 1, 10));
}

/** As Go prints a duration of whole seconds: `10s`, `1m20s`, `5m0s`. */
function spelled(ms: number): string {
  const seconds = ms / 1000;
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
