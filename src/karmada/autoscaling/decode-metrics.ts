/**
 * Metrics as members answer them, read into {@link Sample}s and values. What is not of the expected shape is left out.
 */
import { isObject } from '#base/json.ts';
import { quantityMilliValue, tryParseQuantity } from '#kube/meta/quantity.ts';
import type { Sample } from './pod-groups.ts';

/** Of metrics.k8s.io: what the containers of one pod use. */
export interface PodMetrics {
  readonly pod: string;
  readonly at: number;
  readonly windowMs: number;
  readonly containers: readonly { readonly name: string; readonly usage: Readonly<Record<string, unknown>> }[];
}

export function decodePodMetrics(item: Readonly<Record<string, unknown>>): PodMetrics {
  const { metadata, timestamp, window, containers } = item;
  return {
    pod: isObject(metadata) ? String(metadata['name']) : '',
    at: Date.parse(String(timestamp)) || 0,
    windowMs: durationMs(window),
    containers: (Array.isArray(containers) ? containers : []).filter(isObject).map((container) => ({
      name: String(container['name']),
      usage: isObject(container['usage']) ? container['usage'] : {},
    })),
  };
}

/** Of the whole pod, or of one container; undefined when a container has no such reading, `absent` when it is none. */
export function sampleOf(
  { at, windowMs, containers }: PodMetrics,
  resource: string,
  container: string | undefined,
): Sample | 'absent' | undefined {
  const counted = container === undefined ? containers : containers.filter(({ name }) => name === container);
  if (counted.length === 0) return container === undefined ? undefined : 'absent';
  let value = 0;
  for (const { usage } of counted) {
    const used = milli(usage[resource]);
    if (used === undefined) return undefined;
    value += used;
  }
  return { value, at, windowMs };
}

/** One item of custom.metrics.k8s.io or external.metrics.k8s.io. */
export interface MetricValue {
  /** The object described; absent for external metrics. */
  readonly name?: string;
  readonly sample: Sample;
}

/** As servers of custom metrics that do not say. */
const DEFAULT_WINDOW_MS = 60_000;

export function decodeMetricValues(answer: unknown): readonly MetricValue[] {
  const items = isObject(answer) && Array.isArray(answer['items']) ? answer['items'] : [];
  return items.filter(isObject).flatMap((item) => {
    const value = milli(item['value']);
    if (value === undefined) return [];
    const { describedObject, timestamp, windowSeconds } = item;
    const windowMs = typeof windowSeconds === 'number' ? windowSeconds * 1_000 : DEFAULT_WINDOW_MS;
    const named = isObject(describedObject) ? { name: String(describedObject['name']) } : {};
    return [{ ...named, sample: { value, at: Date.parse(String(timestamp)) || 0, windowMs } }];
  });
}

function milli(quantity: unknown): number | undefined {
  if (typeof quantity !== 'string' && typeof quantity !== 'number') return undefined;
  const parsed = tryParseQuantity(quantity);
  return parsed && quantityMilliValue(parsed);
}

const UNITS: Readonly<Record<string, number>> = {
  h: 3_600_000,
  m: 60_000,
  s: 1_000,
  ms: 1,
  us: 1e-3,
  µs: 1e-3,
  ns: 1e-6,
};

/** `1m30s`, as Go writes durations. */
function durationMs(text: unknown): number {
  const parts = String(text).matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s|us|µs|ns)/g);
  return [...parts].reduce((sum, [, amount, unit = 's']) => sum + Number(amount) * (UNITS[unit] ?? 0), 0);
}
