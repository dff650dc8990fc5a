/**
 * What a simulated container has said: a pure function of its life and the time.
 *
 * It tells of its start, of being ready, then at a steady pace of the requests it serves (or, serving nothing, of being
 * there), and of its end. The same container says the same at the same time, whoever asks and however often, so
 * nothing is kept. As with rotated files, only the latest part of a long log is there.
 */
import type { Container, Pod } from '#gen/kube/types.ts';
import type { Life } from '../container-state.ts';

export interface LogEntry {
  readonly at: number;
  readonly text: string;
}

export interface LogPace {
  /** Between two lines of a running container, about. */
  readonly everyMs: number;
  /** Lines of the steady kind that are still there. */
  readonly keptLines: number;
}

export const LOG_PACE: LogPace = { everyMs: 5_000, keptLines: 10_000 };

const PATHS = ['/', '/healthz', '/api/items', '/api/items/7', '/favicon.ico'];

/** All entries up to `now`, in order. */
export function lifeLog(pod: Pod, container: Container, life: Life, now: number, pace: LogPace): LogEntry[] {
  const until = Math.min(now, life.end?.at ?? Number.POSITIVE_INFINITY);
  const count = Math.max(0, Math.floor((until - life.startedAt) / pace.everyMs));
  const first = Math.max(1, count - pace.keptLines + 1);
  const steady: LogEntry[] = [];
  for (let n = first; n <= count; n++) steady.push(steadyEntry(pod, container, life, n, pace));
  const told = [...(first > 1 ? [] : opening(pod, container, life)), ...steady, ...closing(container, life)];
  return told.filter(({ at }) => at <= now).sort((a, b) => a.at - b.at);
}

/** When a running container will say something again. */
export function nextEntryAt({ startedAt }: Life, now: number, { everyMs }: LogPace): number {
  return startedAt + (Math.floor((now - startedAt) / everyMs) + 1) * everyMs;
}

function opening(pod: Pod, { name, image = '', ports = [] }: Container, { startedAt, readyAt }: Life): LogEntry[] {
  const where = `${pod.metadata.namespace ?? ''}/${pod.metadata.name} on ${pod.spec?.nodeName ?? 'no node'}`;
  return [
    { at: startedAt, text: `starting ${name} from ${image} in ${where}` },
    ...ports.map(({ containerPort }) => ({ at: startedAt, text: `listening on port ${containerPort}` })),
    ...(readyAt === undefined ? [] : [{ at: readyAt, text: 'ready' }]),
  ];
}

function closing({ name }: Container, { end }: Life): LogEntry[] {
  return end ? [{ at: end.at, text: `${name} ended with exit code ${end.exitCode} (${end.reason})` }] : [];
}

function steadyEntry(pod: Pod, { name, ports = [] }: Container, life: Life, n: number, pace: LogPace): LogEntry {
  const at = life.startedAt + n * pace.everyMs;
  if (ports.length === 0) return { at, text: `working (${n})` };
  const chance = hash(`${pod.metadata.uid ?? ''}/${name}/${n}`);
  const path = PATHS[chance % PATHS.length] ?? '/';
  const code = path === '/favicon.ico' ? 404 : 200;
  return { at, text: `10.244.${chance % 4}.${chance % 251} "GET ${path} HTTP/1.1" ${code} ${1 + (chance % 37)}ms` };
}

/** FNV-1a: spreads similar names over all numbers. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const char of text) value = Math.imul(value ^ char.charCodeAt(0), 0x01000193) >>> 0;
  return value;
}
