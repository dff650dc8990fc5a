/**
 * What simulated pods are said to use. Pure.
 *
 * Left alone, a pod uses a part of what it requests that rises and falls over minutes, each pod in its own rhythm; asked
 * by annotation, it uses what it is told. Never more than its limit. The same pod at the same time uses the same.
 */
import { createHash } from 'node:crypto';
import type { Container, Pod } from '#gen/kube/types.ts';
import { milli } from '../pod-requests.ts';
import { requested } from '../requests.ts';

/** Thousandths of a CPU, and bytes. */
export interface Usage {
  readonly cpu: number;
  readonly memory: number;
}

const PERIOD_MS = 600_000;
const MI = 1024 * 1024;
/** Of a container that asks for nothing. */
const MODEST: Usage = { cpu: 20, memory: 64 * MI };
/** What a node uses for itself. */
export const SYSTEM: Usage = { cpu: 120, memory: 600 * MI };

/** By container; `siblings` is how many pods share a load. */
export function containerUsage(pod: Pod, siblings: number, now: number): ReadonlyMap<string, Usage> {
  const containers = pod.spec?.containers ?? [];
  const told = { cpu: toldCpu(pod, siblings), memory: toldMemory(pod) };
  return new Map(
    containers.map((container) => {
      const share = containers.length;
      const cpu = told.cpu === undefined ? wave(pod, container, 'cpu', now) : told.cpu / share;
      const memory = told.memory === undefined ? wave(pod, container, 'memory', now) : told.memory / share;
      return [container.name, { cpu: limited(container, 'cpu', cpu), memory: limited(container, 'memory', memory) }];
    }),
  );
}

export function podUsage(pod: Pod, siblings: number, now: number): Usage {
  return [...containerUsage(pod, siblings, now).values()].reduce(plus, { cpu: 0, memory: 0 });
}

export function plus(a: Usage, b: Usage): Usage {
  return { cpu: a.cpu + b.cpu, memory: a.memory + b.memory };
}

function toldCpu(pod: Pod, siblings: number): number | undefined {
  const usage = requested(pod, 'cpu-usage');
  if (usage !== undefined) return milli(usage);
  const load = requested(pod, 'cpu-load');
  return load === undefined ? undefined : milli(load) / Math.max(1, siblings);
}

function toldMemory(pod: Pod): number | undefined {
  const usage = requested(pod, 'memory-usage');
  return usage === undefined ? undefined : milli(usage) / 1000;
}

/** Between a fifth and three fifths of what is requested; memory moves less than CPU. */
function wave(pod: Pod, { name, resources }: Container, what: keyof Usage, now: number): number {
  const asked = resources?.requests?.[what];
  const base = asked === undefined ? MODEST[what] : what === 'cpu' ? milli(asked) : milli(asked) / 1000;
  const phase = createHash('sha256').update(`${pod.metadata.uid}/${name}/${what}`).digest().readUInt16BE() / 0xffff;
  const swing = what === 'cpu' ? 0.2 : 0.05;
  return base * (0.4 + swing * Math.sin(2 * Math.PI * (now / PERIOD_MS + phase)));
}

function limited({ resources }: Container, what: keyof Usage, usage: number): number {
  const limit = resources?.limits?.[what];
  const most = limit === undefined ? Number.POSITIVE_INFINITY : what === 'cpu' ? milli(limit) : milli(limit) / 1000;
  return Math.min(usage, most);
}
