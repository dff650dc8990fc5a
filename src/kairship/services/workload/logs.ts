/**
 * What the pods of a workload write, from all clusters in one stream.
 *
 * What was written is told in the order of its times; what is being written, as it comes, also by pods that are started
 * meanwhile. A container that cannot be heard is told of once and does not end the others. What its reader does not
 * take is not fetched.
 */
import { setTimeout as passed } from 'node:timers/promises';
import { createInterface } from 'node:readline';
import { isObject } from '#base/json.ts';
import { StatusError } from '#base/status-error.ts';
import { failureOf, textOf } from '#kube/client/rest-answer.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import type { InstanceClient } from '../../proxy/instance-client.ts';

export interface LogLine {
  readonly cluster: string;
  readonly pod: string;
  readonly container: string;
  readonly time: string;
  readonly text: string;
  readonly problem: string;
}

export interface LogOptions {
  readonly container: string;
  readonly follow: boolean;
  readonly tailLines: number;
  readonly sinceSeconds: number;
  readonly previous: boolean;
}

export interface PodInCluster {
  readonly cluster: string;
  readonly pod: KubeObject;
}

export const LOG_LIMITS = { containers: 100, lines: 20_000, lineCharacters: 16_384, lookEveryMs: 2_000 } as const;
const DEFAULT_TAIL = 100;

export interface LogSources {
  /** Whose pods are read; asked again while they are followed. */
  readonly pods: () => Promise<readonly PodInCluster[]>;
  readonly client: (cluster: string) => InstanceClient;
}

interface Container {
  readonly cluster: string;
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

export async function* logLines(
  sources: LogSources,
  options: LogOptions,
  signal: AbortSignal,
): AsyncGenerator<LogLine> {
  if (options.follow) yield* followed(sources, options, signal);
  else yield* written(sources, options, signal);
}

async function* written(sources: LogSources, options: LogOptions, signal: AbortSignal): AsyncGenerator<LogLine> {
  const lines: LogLine[] = [];
  const containers = containersOf(await sources.pods(), options.container);
  requireFew(containers);
  await Promise.all(
    containers.map(async (container) => {
      for await (const line of linesOf(sources, container, options, signal)) {
        lines.push(line);
        if (lines.length > LOG_LIMITS.lines)
          throw new StatusError(
            'RequestEntityTooLarge',
            `there are over ${LOG_LIMITS.lines} lines: ask for fewer by tailLines`,
          );
      }
    }),
  );
  yield* lines.toSorted((a, b) => (a.time < b.time ? -1 : Number(a.time > b.time)));
}

/** Lines are handed over one at a time: whoever writes waits until the last was taken. */
async function* followed(sources: LogSources, options: LogOptions, signal: AbortSignal): AsyncGenerator<LogLine> {
  const ended = new AbortController();
  const stop = AbortSignal.any([signal, ended.signal]);
  let offered = Promise.withResolvers<{ readonly line: LogLine; readonly taken: () => void } | undefined>();
  let turn: Promise<void> = Promise.resolve();
  const offer = (line: LogLine) => {
    turn = turn.then(() => new Promise<void>((taken) => (stop.aborted ? taken() : offered.resolve({ line, taken }))));
    return turn;
  };
  const heard = new Set<string>();
  const hear = async (container: Container, first: boolean) => {
    // Of a pod that was started meanwhile, everything.
    const asked = first ? options : { ...options, tailLines: -1, sinceSeconds: 0 };
    for await (const line of linesOf(sources, container, asked, stop)) await offer(line);
  };
  const look = async (first: boolean) => {
    for (const container of containersOf(await sources.pods(), options.container)) {
      const id = Object.values(container).join('/');
      if (heard.has(id) || heard.size >= LOG_LIMITS.containers) continue;
      heard.add(id);
      void hear(container, first).catch(() => undefined);
    }
  };
  const looking = (async () => {
    for (let first = true; !stop.aborted; first = false) {
      await look(first);
      await passed(LOG_LIMITS.lookEveryMs, undefined, { signal: stop });
    }
  })().catch((error: unknown) => (stop.aborted ? offered.resolve(undefined) : offered.reject(error)));
  stop.addEventListener('abort', () => offered.resolve(undefined), { once: true });
  try {
    for (;;) {
      const next = await offered.promise;
      if (!next) return;
      offered = Promise.withResolvers();
      yield next.line;
      next.taken();
    }
  } finally {
    ended.abort();
    await looking;
  }
}

async function* linesOf(
  { client }: LogSources,
  { cluster, namespace, pod, container }: Container,
  options: LogOptions,
  signal: AbortSignal,
): AsyncGenerator<LogLine> {
  const said = { cluster, pod, container, time: '', text: '', problem: '' };
  try {
    const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(pod)}/log`;
    const answer = await client(cluster).request({
      method: 'GET',
      path: `${path}?${queryOf(container, options)}`,
      signal,
    });
    if (answer.statusCode !== 200) throw failureOf(answer.statusCode ?? 0, await textOf(answer));
    try {
      for await (const line of createInterface({ input: answer, crlfDelay: Number.POSITIVE_INFINITY })) {
        const [, time = '', text = ''] = /^(\S+) ?(.*)$/s.exec(line) ?? [];
        yield { ...said, time, text: text.slice(0, LOG_LIMITS.lineCharacters) };
      }
    } finally {
      answer.destroy();
    }
  } catch (error) {
    if (!signal.aborted) yield { ...said, problem: error instanceof Error ? error.message : String(error) };
  }
}

export function queryOf(container: string, { follow, tailLines, sinceSeconds, previous }: LogOptions): string {
  const lines = tailLines === 0 ? DEFAULT_TAIL : tailLines;
  return new URLSearchParams({
    container,
    timestamps: 'true',
    ...(follow ? { follow: 'true' } : {}),
    ...(previous ? { previous: 'true' } : {}),
    ...(lines > 0 ? { tailLines: String(lines) } : {}),
    ...(sinceSeconds > 0 ? { sinceSeconds: String(sinceSeconds) } : {}),
  }).toString();
}

/** Every container that may have said something; only those of one name if one is given. */
export function containersOf(pods: readonly PodInCluster[], wanted: string): readonly Container[] {
  return pods.flatMap(({ cluster, pod }) => {
    const { namespace = '', name } = pod.metadata;
    const spec = isObject(pod['spec']) ? pod['spec'] : {};
    const names = ['initContainers', 'containers'].flatMap((part) => namesIn(spec[part]));
    return names
      .filter((one) => wanted === '' || one === wanted)
      .map((container) => ({ cluster, namespace, pod: name, container }));
  });
}

function namesIn(containers: unknown): readonly string[] {
  return (Array.isArray(containers) ? containers : []).flatMap((one: unknown) => {
    const name = isObject(one) ? one['name'] : undefined;
    return typeof name === 'string' ? [name] : [];
  });
}

function requireFew(containers: readonly Container[]): void {
  if (containers.length > LOG_LIMITS.containers)
    throw new StatusError(
      'BadRequest',
      `there are ${containers.length} containers, at most ${LOG_LIMITS.containers} are read at once: name clusters or a container`,
    );
}
