/** `kairship logs`: what pods say, of one or of all, from every cluster, as one stream. */
import { createInterface } from 'node:readline';
import pc from 'picocolors';
import { failureOf, textOf } from '#kube/client/rest-answer.ts';
import { resourcePath } from '#kube/meta/gvk.ts';
import { connected } from '../cli/connection.ts';
import { usageFailure } from '../cli/failure.ts';
import { nameOf, targetsOf } from '../cli/fan-out.ts';
import { write } from '../cli/output.ts';
import { type PodIn, PODS, podsOf } from '../cli/pods.ts';
import { waiting, warn } from '../cli/screen.ts';
import type { MemberOptions } from './get.ts';

export interface LogOptions extends MemberOptions {
  readonly selector?: string;
  readonly container?: string;
  readonly allContainers?: boolean;
  readonly follow?: boolean;
  readonly previous?: boolean;
  readonly timestamps?: boolean;
  readonly tail?: number;
  readonly since?: number;
  readonly prefix?: boolean;
}

interface Source extends PodIn {
  readonly container: string;
}

const PALETTE = [pc.cyan, pc.green, pc.magenta, pc.yellow, pc.blue, pc.red];

export function logs(reference: string | undefined, options: LogOptions): Promise<void> {
  return connected(options, async (on) => {
    const { members } = await targetsOf(on, options.clusters);
    const pods = await waiting('looking for the pods', podsOf(members, reference, options));
    const sources = pods.flatMap((each) => containersOf(each, options));
    const clusters = [...new Set(sources.map(({ target }) => nameOf(target)))];
    const isMarked = options.prefix ?? sources.length > 1;
    const mark = (source: Source) => {
      if (!isMarked) return '';
      const colour = PALETTE[clusters.indexOf(nameOf(source.target)) % PALETTE.length] ?? String;
      const inner = source.pod.spec.containers.length > 1 ? `/${source.container}` : '';
      return `${colour(`${nameOf(source.target)}/${source.pod.metadata.name}${inner}`)} `;
    };
    if (options.follow) await Promise.all(sources.map((source) => stream(source, mark(source), options)));
    else for (const source of sources) await stream(source, mark(source), options);
  });
}

function containersOf({ target, pod }: PodIn, { container, allContainers }: LogOptions): readonly Source[] {
  const names = pod.spec.containers.map(({ name }) => name);
  if (allContainers) return names.map((name) => ({ target, pod, container: name }));
  const [first = ''] = names;
  if (container !== undefined && !names.includes(container))
    throw usageFailure(
      `${pod.metadata.name} has no container "${container}"`,
      `there are ${names.join(', ')}`,
      `say -c ${first}, or --all-containers`,
    );
  return [{ target, pod, container: container ?? first }];
}

/** One that cannot be read leaves the others alone. */
async function stream(source: Source, mark: string, options: LogOptions): Promise<void> {
  try {
    const response = await source.target.client.request({ method: 'GET', path: pathOf(source, options) });
    if (response.statusCode !== 200) throw failureOf(response.statusCode ?? 0, await textOf(response));
    for await (const line of createInterface({ input: response, crlfDelay: Number.POSITIVE_INFINITY }))
      write(`${mark}${line}\n`);
  } catch (error) {
    if (mark === '') throw error;
    warn(
      `${nameOf(source.target)}/${source.pod.metadata.name}: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function pathOf({ pod, container }: Source, options: LogOptions): string {
  const { follow, previous, timestamps, tail, since } = options;
  const { namespace = '', name } = pod.metadata;
  const query = new URLSearchParams({
    container,
    ...(follow ? { follow: 'true' } : {}),
    ...(previous ? { previous: 'true' } : {}),
    ...(timestamps ? { timestamps: 'true' } : {}),
    ...(tail === undefined ? {} : { tailLines: String(tail) }),
    ...(since === undefined ? {} : { sinceSeconds: String(Math.max(1, Math.round(since / 1000))) }),
  });
  return `${resourcePath(PODS, { namespace, name })}/log?${query.toString()}`;
}
