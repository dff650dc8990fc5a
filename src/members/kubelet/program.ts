/**
 * What a simulated container does, read from the pod's annotations, the image's tag and the plainest of commands. Pure.
 *
 * An image tagged `missing` cannot be pulled. `sleep 5` runs for five seconds, `false` and `sh -c "exit 3"` fail;
 * any other command is taken for a program that does what its pod's restart policy hopes for.
 */
import type { Container, Pod } from '#gen/kube/types.ts';
import { defined } from '../defined.ts';
import { type Failure, parseDuration, requested, requestedDuration, requestedNumber } from '../requests.ts';
import type { Pace } from './pace.ts';

export interface Program {
  readonly startMs: number;
  /** From running to ready; undefined when it never gets there. */
  readonly readyMs?: number;
  /** How long it runs; undefined when it runs for ever. */
  readonly endsAfterMs?: number;
  readonly exitCode: number;
  readonly reason: 'Completed' | 'Error' | 'OOMKilled';
  /** Why its image cannot be pulled. */
  readonly imageProblem?: string;
  /** How often it should have been restarted by now. */
  readonly restarts: number;
}

/** Init containers set the pod up and end, sidecars stay beside the others; what is asked of a pod is asked of these. */
export type Role = 'main' | 'init' | 'sidecar';

export function programOf(pod: Pod, container: Container, pace: Pace, role: Role = 'main'): Program {
  const failure = failureOf(pod);
  const ending = role === 'main' ? mainEnding(pod, container, pace, failure) : sideEnding(container, pace, role);
  const readyMs = role === 'main' && failure === 'NeverReady' ? undefined : readyDelay(pod, container);
  return {
    startMs: requestedDuration(pod, 'start') ?? pace.startMs * variation(pod),
    ...ending,
    ...defined({ readyMs, imageProblem: imageProblem(container, failure) }),
    restarts: role === 'main' ? (requestedNumber(pod, 'restarts') ?? 0) : 0,
  };
}

type Ending = Pick<Program, 'endsAfterMs' | 'exitCode' | 'reason'>;

function mainEnding(pod: Pod, container: Container, pace: Pace, failure: Failure | undefined): Ending {
  const command = commandOf(container);
  const crashes = failure === 'CrashLoopBackOff' || failure === 'Error' || failure === 'OOMKilled';
  const oom = failure === 'OOMKilled';
  const exitCode = requestedNumber(pod, 'exit-code') ?? (oom ? 137 : crashes ? 1 : command.exitCode);
  const hoped = (pod.spec?.restartPolicy ?? 'Always') === 'Always' ? undefined : pace.runMs;
  const endsAfterMs =
    requestedDuration(pod, 'run') ??
    (crashes ? pace.crashMs : command.endsAfterMs) ??
    (exitCode === 0 ? hoped : pace.crashMs);
  return ending(endsAfterMs, exitCode, oom ? 'OOMKilled' : 'Error');
}

function sideEnding(container: Container, pace: Pace, role: 'init' | 'sidecar'): Ending {
  const command = commandOf(container);
  return ending(command.endsAfterMs ?? (role === 'init' ? pace.initMs : undefined), command.exitCode, 'Error');
}

function ending(endsAfterMs: number | undefined, exitCode: number, failed: 'Error' | 'OOMKilled'): Ending {
  const finite = endsAfterMs === Number.POSITIVE_INFINITY ? undefined : endsAfterMs;
  return { ...defined({ endsAfterMs: finite }), exitCode, reason: exitCode === 0 ? 'Completed' : failed };
}

export function failureOf(pod: Pod): Failure | undefined {
  const said = requested(pod, 'fail');
  return FAILURES.find((failure) => failure === said);
}

const FAILURES: readonly Failure[] = ['ImagePullBackOff', 'CrashLoopBackOff', 'NeverReady', 'Error', 'OOMKilled'];

interface Command {
  readonly exitCode: number;
  readonly endsAfterMs?: number;
}

function commandOf({ command = [], args = [] }: Container): Command {
  const words = [...command, ...args];
  const line = /^(\/bin\/)?(ba)?sh$/.test(words[0] ?? '') && words[1] === '-c' ? (words[2] ?? '') : words.join(' ');
  const exit = /\bexit (\d+)\s*$/.exec(line)?.[1];
  const slept = [...line.matchAll(/(?:^|[;&]\s*|\s)sleep (\S+?)(?=$|[;&\s])/g)].map(([, time = '']) => timeOf(time));
  const exitCode = exit === undefined ? (/^(\/bin\/)?false$/.test(line) ? 1 : 0) : Number(exit);
  return { exitCode, ...(slept.length > 0 ? { endsAfterMs: slept.reduce((sum, ms) => sum + ms, 0) } : {}) };
}

const timeOf = (text: string) => parseDuration(text) ?? Number.POSITIVE_INFINITY;

function readyDelay(pod: Pod, { readinessProbe, startupProbe }: Container): number {
  const asked = requestedDuration(pod, 'ready');
  if (asked !== undefined) return asked;
  return Math.max(readinessProbe?.initialDelaySeconds ?? 0, startupProbe?.initialDelaySeconds ?? 0) * 1000;
}

function imageProblem({ image = '' }: Container, failure: Failure | undefined): string | undefined {
  if (failure !== 'ImagePullBackOff' && !image.endsWith(':missing')) return undefined;
  const problem = `failed to pull and unpack image "${image}": failed to resolve reference "${image}": ${image}: not found`;
  return `rpc error: code = NotFound desc = ${problem}`;
}

/** Pods of one Deployment do not start in the same instant: by half as long or as fast, fixed by the pod's uid. */
export function variation({ metadata }: Pick<Pod, 'metadata'>): number {
  return 0.5 + (Number.parseInt(metadata.uid?.slice(0, 4) ?? '0', 16) || 0) / 0xffff;
}
