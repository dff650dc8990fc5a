/** The log of a simulated container as the lines that were asked for, and on, if asked, as they come. */
import type { Pod } from '#gen/kube/types.ts';
import type { Clock } from '#base/clock.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { LogOptions } from '#kube/streams/pod-streams.ts';
import { containerSpec, type Life, loggedLife } from '../container-state.ts';
import { lifeLog, type LogEntry, type LogPace, nextEntryAt } from './life-log.ts';
import { podFollower } from './pod-follower.ts';

export interface LogDeps {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly pace: LogPace;
}

export function logStream(deps: LogDeps, pod: Pod, options: LogOptions): AsyncIterable<Uint8Array> {
  // Refused here, before the first byte, if it is to be refused at all.
  const life = loggedLife(pod, options.container, options.previous);
  return lines(deps, pod, life, options);
}

async function* lines({ client, clock, pace }: LogDeps, pod: Pod, life: Life, options: LogOptions) {
  const { container: name, follow, previous, tailLines, since = 0, signal } = options;
  const container = containerSpec(pod, name);
  const now = clock.now();
  const past = lifeLog(pod, container, life, now, pace).filter(({ at }) => at >= since);
  yield encode(tailLines === undefined ? past : past.slice(past.length - Math.min(tailLines, past.length)), options);
  if (!follow || previous || life.end) return;

  const follower = podFollower(client, clock, pod, signal);
  let told = now;
  for (let at = life; !at.end; ) {
    await follower.changedOr(nextEntryAt(at, told, pace));
    const current = follower.current();
    if (signal.aborted || !current) return;
    at = laterLife(current, name, life);
    const entries = lifeLog(current, container, at, clock.now(), pace).filter((entry) => entry.at > told);
    // An end is told late when the status that names it is: it is the last word all the same.
    told = Math.max(clock.now(), at.end?.at ?? 0);
    const news = at.end ? withEnd(entries, lifeLog(current, container, at, told, pace)) : entries;
    if (news.length > 0) yield encode(news, options);
  }
}

/** The same run of the container as it is now; a run that has been replaced has ended. */
function laterLife(pod: Pod, name: string, life: Life): Life {
  const now = loggedLife(pod, name, false);
  if (now.startedAt === life.startedAt) return now;
  const before = loggedLife(pod, name, true);
  return before.startedAt === life.startedAt
    ? before
    : { ...life, end: { at: now.startedAt, exitCode: 0, reason: 'Replaced' } };
}

function withEnd(entries: readonly LogEntry[], all: readonly LogEntry[]): readonly LogEntry[] {
  const last = all.at(-1);
  return last && entries.at(-1)?.text !== last.text ? [...entries, last] : entries;
}

function encode(entries: readonly LogEntry[], { timestamps }: LogOptions): Buffer {
  return Buffer.from(entries.map(({ at, text }) => `${timestamps ? `${nanoTime(at)} ` : ''}${text}\n`).join(''));
}

/** RFC 3339 with nine digits, as container runtimes write the time of a line. */
function nanoTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, -1)}000000Z`;
}
