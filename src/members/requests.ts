/**
 * What people may ask of the simulation, by annotations of pods and nodes.
 *
 * On a pod, or on the template it is made from:
 *
 *     members.kairship.io/fail          ImagePullBackOff, CrashLoopBackOff, NeverReady, Error or OOMKilled
 *     members.kairship.io/start         how long it takes to start (5s, 500ms, 2m)
 *     members.kairship.io/ready         how long it then takes to become ready
 *     members.kairship.io/run           how long it runs before it ends of itself
 *     members.kairship.io/exit-code     what it ends with
 *     members.kairship.io/stop          how long it takes to stop when told to
 *     members.kairship.io/restarts      how often it should have been restarted by now
 *     members.kairship.io/cpu-usage     the CPU it is said to use (350m)
 *     members.kairship.io/cpu-load      the CPU that it and its siblings are said to use together
 *     members.kairship.io/memory-usage  the memory it is said to use (200Mi)
 *
 * On a node, as annotation or label:
 *
 *     members.kairship.io/ready         false: its kubelet says it is not ready; unknown: nothing is heard of it
 */
import type { Node, Pod } from '#gen/kube/types.ts';

const PREFIX = 'members.kairship.io';

export type Failure = 'ImagePullBackOff' | 'CrashLoopBackOff' | 'NeverReady' | 'Error' | 'OOMKilled';

type Request =
  | 'fail'
  | 'start'
  | 'ready'
  | 'run'
  | 'exit-code'
  | 'stop'
  | 'restarts'
  | 'cpu-usage'
  | 'cpu-load'
  | 'memory-usage';

export function requested({ metadata }: Pick<Pod, 'metadata'>, what: Request): string | undefined {
  return metadata.annotations?.[`${PREFIX}/${what}`];
}

/** A duration in milliseconds; undefined when none, or none that can be read, is asked for. */
export function requestedDuration(pod: Pick<Pod, 'metadata'>, what: Request): number | undefined {
  const text = requested(pod, what);
  return text === undefined ? undefined : parseDuration(text);
}

export function requestedNumber(pod: Pick<Pod, 'metadata'>, what: Request): number | undefined {
  const text = requested(pod, what);
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

export type NodeHealth = 'ready' | 'not ready' | 'gone';

export function requestedHealth({ metadata }: Pick<Node, 'metadata'>): NodeHealth {
  const said = metadata.annotations?.[`${PREFIX}/ready`] ?? metadata.labels?.[`${PREFIX}/ready`];
  if (said?.toLowerCase() === 'false') return 'not ready';
  return said?.toLowerCase() === 'unknown' ? 'gone' : 'ready';
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** `1m30s`, `500ms`, or a plain number of seconds, in milliseconds. */
export function parseDuration(text: string): number | undefined {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  if (!/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(text)) return undefined;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  return parts.reduce((sum, [, amount, unit = 's']) => sum + Number(amount) * (UNITS[unit] ?? 0), 0);
}
