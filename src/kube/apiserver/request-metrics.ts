/** What the server measures of itself, named as Kubernetes names it. */
import type { Counter, Histogram, Metrics } from '#base/metrics.ts';
import type { Core } from './core.ts';

export interface RequestMetrics {
  answered(method: string, code: number, ms: number): void;
}

export function requestMetrics(metrics: Metrics, { hub, cache }: Core): RequestMetrics {
  const total = metrics.counter('apiserver_request_total', 'Requests answered.', ['method', 'code']);
  const seconds = metrics.histogram('apiserver_request_duration_seconds', 'How long requests took.', ['method']);
  const gauge = (name: string, help: string, read: () => number) => metrics.gauge(name, help).labels({}).follow(read);
  gauge('apiserver_watchers', 'Watches that are open.', () => hub.watchers());
  gauge('apiserver_resource_version', 'The newest revision seen.', () => cache.revision());
  gauge('process_resident_memory_bytes', 'Memory of the process.', () => process.memoryUsage.rss());
  const series = new Map<string, { readonly total: Counter; readonly seconds: Histogram }>();
  function seriesOf(method: string, code: number) {
    const id = `${method} ${code}`;
    let found = series.get(id);
    if (!found) {
      found = { total: total.labels({ method, code: String(code) }), seconds: seconds.labels({ method }) };
      series.set(id, found);
    }
    return found;
  }
  return {
    answered(method, code, ms) {
      const found = seriesOf(method, code);
      found.total.inc();
      found.seconds.observe(ms / 1000);
    },
  };
}
