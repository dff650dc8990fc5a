/**
 * Counters, gauges and histograms with labels, rendered in the Prometheus text format.
 *
 * A metric is asked for by name; asking twice gives the same one, so parts of a program need not know each other. On hot
 * paths `labels(…)` is called once and its result kept: counting is then one addition. Start at {@link metrics}.
 */
export interface Metrics {
  counter<L extends string = never>(name: string, help: string, labels?: readonly L[]): Family<Counter, L>;
  gauge<L extends string = never>(name: string, help: string, labels?: readonly L[]): Family<Gauge, L>;
  histogram<L extends string = never>(
    name: string,
    help: string,
    labels?: readonly L[],
    buckets?: readonly number[],
  ): Family<Histogram, L>;
  /** Everything measured, as a scrape wants it. */
  render(): string;
}

/** One metric, with one series for each combination of label values. */
export interface Family<Series, L extends string = string> {
  labels(values: Readonly<Record<L, string>>): Series;
}

export interface Counter {
  inc(by?: number): void;
  value(): number;
}

export interface Gauge {
  set(value: number): void;
  inc(by?: number): void;
  /** Asks `read` for the value at each scrape, instead of being told. */
  follow(read: () => number): void;
  value(): number;
}

export interface Histogram {
  observe(value: number): void;
  count(): number;
  sum(): number;
}

/** From a millisecond to ten seconds, for durations in seconds. */
export const SECONDS: readonly number[] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The content type of what {@link Metrics.render} returns. */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

interface Registered {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly labelNames: readonly string[];
  readonly family: unknown;
  render(): string;
}

export function metrics(): Metrics {
  const known = new Map<string, Registered>();

  function family<S extends { render(name: string, labels: string): string }>(
    type: Registered['type'],
    name: string,
    help: string,
    labelNames: readonly string[],
    series: () => S,
  ): Family<S> {
    const existing = known.get(name);
    if (existing) {
      if (existing.type === type && existing.labelNames.join() === labelNames.join())
        return existing.family as Family<S>;
      throw new Error(`metric ${name} is already a ${existing.type} with labels [${existing.labelNames.join(', ')}]`);
    }
    const all = new Map<string, S>();
    const created: Family<S> = {
      labels(values) {
        const id = labelNames.map((label) => `${label}="${escaped(values[label] ?? '')}"`).join(',');
        let found = all.get(id);
        if (!found) all.set(id, (found = series()));
        return found;
      },
    };
    const head = `# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}\n# TYPE ${name} ${type}\n`;
    const render = () => head + [...all].map(([labels, one]) => one.render(name, labels)).join('');
    known.set(name, { type, labelNames, family: created, render });
    return created;
  }

  return {
    counter: (name, help, labels = []) => family('counter', name, help, labels, counter),
    gauge: (name, help, labels = []) => family('gauge', name, help, labels, gauge),
    histogram: (name, help, labels = [], buckets = SECONDS) =>
      family('histogram', name, help, labels, () => histogram(buckets)),
    render: () => [...known.values()].map((metric) => metric.render()).join(''),
  };
}

function counter() {
  let total = 0;
  return {
    inc(by = 1) {
      total += by;
    },
    value: () => total,
    render: (name: string, labels: string) => line(name, labels, total),
  };
}

function gauge() {
  let read = () => 0;
  const set = (value: number) => {
    read = () => value;
  };
  return {
    set,
    inc: (by = 1) => set(read() + by),
    follow(source: () => number) {
      read = source;
    },
    value: () => read(),
    render: (name: string, labels: string) => line(name, labels, read()),
  };
}

function histogram(bounds: readonly number[]) {
  const counts = bounds.map(() => 0);
  let count = 0;
  let sum = 0;
  return {
    observe(value: number) {
      count++;
      sum += value;
      const bucket = bounds.findIndex((bound) => value <= bound);
      if (bucket >= 0) counts[bucket] = (counts[bucket] ?? 0) + 1;
    },
    count: () => count,
    sum: () => sum,
    render(name: string, labels: string) {
      let below = 0;
      const within = bounds.map((bound, index) => {
        below += counts[index] ?? 0;
        return line(`${name}_bucket`, joined(labels, `le="${bound}"`), below);
      });
      const all = line(`${name}_bucket`, joined(labels, 'le="+Inf"'), count);
      return [...within, all, line(`${name}_sum`, labels, sum), line(`${name}_count`, labels, count)].join('');
    },
  };
}

function line(name: string, labels: string, value: number): string {
  return `${name}${labels === '' ? '' : `{${labels}}`} ${spelled(value)}\n`;
}

function joined(labels: string, more: string): string {
  return labels === '' ? more : `${labels},${more}`;
}

function spelled(value: number): string {
  if (Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
}
