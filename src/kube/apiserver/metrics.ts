/** Counters of the server in the text format Prometheus reads. */
export interface Metrics {
  request(method: string, code: number, ms: number): void;
  render(gauges: Readonly<Record<string, number>>): string;
}

const BUCKETS = [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.8, 1.5, 3, 6, 10, 30, 60];

export function metrics(): Metrics {
  const counts = new Map<string, number>();
  const buckets = BUCKETS.map(() => 0);
  let total = 0;
  let seconds = 0;

  return {
    request(method, code, ms) {
      const key = `method="${method}",code="${code}"`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
      const took = ms / 1000;
      const at = BUCKETS.findIndex((limit) => took <= limit);
      if (at >= 0) buckets[at] = (buckets[at] ?? 0) + 1;
      total++;
      seconds += took;
    },
    render(gauges) {
      const lines = ['# TYPE apiserver_request_total counter'];
      for (const [labels, count] of counts) lines.push(`apiserver_request_total{${labels}} ${count}`);
      lines.push('# TYPE apiserver_request_duration_seconds histogram');
      let below = 0;
      for (const [index, limit] of BUCKETS.entries()) {
        below += buckets[index] ?? 0;
        lines.push(`apiserver_request_duration_seconds_bucket{le="${limit}"} ${below}`);
      }
      lines.push(`apiserver_request_duration_seconds_bucket{le="+Inf"} ${total}`);
      lines.push(
        `apiserver_request_duration_seconds_sum ${seconds}`,
        `apiserver_request_duration_seconds_count ${total}`,
      );
      for (const [name, value] of Object.entries(gauges)) lines.push(`# TYPE ${name} gauge`, `${name} ${value}`);
      return `${lines.join('\n')}\n`;
    },
  };
}
