/**
 * How a program is, for those who look after it: `/healthz` and `/livez`, `/readyz` (each with `?verbose`), `/metrics`.
 *
 * Health is told to everybody. What is measured says who uses what, so it is told to those who may know it.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { METRICS_TYPE, type Metrics, metrics as newMetrics } from '#base/metrics.ts';
import { createServer } from '#base/node-http.ts';
import { refuse } from '#kairship/proxy/instance-proxy.ts';

export interface Check {
  readonly name: string;
  /** What is wrong; undefined when nothing is. */
  trouble(): string | undefined;
}

export interface HealthDeps {
  /** What must be well before anybody is served. */
  readonly checks: () => readonly Check[];
  readonly metrics: Metrics;
  /** Throws when a request may not see what is measured. */
  readonly mayMeasure?: (request: IncomingMessage) => Promise<void>;
}

/** Answers requests of its own and says true, or leaves a request alone. */
export type Health = (request: IncomingMessage, response: ServerResponse) => boolean;

export function health({ checks, metrics, mayMeasure }: HealthDeps): Health {
  async function measured(request: IncomingMessage, response: ServerResponse): Promise<void> {
    await mayMeasure?.(request);
    answer(response, 200, metrics.render(), METRICS_TYPE);
  }

  return (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === '/healthz' || pathname === '/livez') answer(response, 200, 'ok');
    else if (pathname === '/readyz') tell(response, checks(), searchParams.has('verbose'));
    else if (pathname === '/metrics') measured(request, response).catch((error: unknown) => refuse(response, error));
    else return false;
    return true;
  };
}

function tell(response: ServerResponse, checks: readonly Check[], verbose: boolean): void {
  const found = checks.map((check) => ({ name: check.name, trouble: check.trouble() }));
  const isReady = found.every(({ trouble }) => trouble === undefined);
  if (isReady && !verbose) return answer(response, 200, 'ok');
  const lines = found.map(({ name, trouble }) =>
    trouble === undefined ? `[+]${name} ok` : `[-]${name} failed: ${trouble}`,
  );
  const verdict = `readyz check ${isReady ? 'passed' : 'failed'}`;
  answer(response, isReady ? 200 : 503, [...lines, verdict, ''].join('\n'));
}

function answer(response: ServerResponse, code: number, text: string, type = 'text/plain; charset=utf-8'): void {
  response.writeHead(code, { 'content-type': type }).end(text);
}

/** What every program measures of itself, named as Prometheus' own clients do. */
export function processMetrics(): Metrics {
  const metrics = newMetrics();
  const gauge = (name: string, help: string, read: () => number) => metrics.gauge(name, help).labels({}).follow(read);
  gauge('process_resident_memory_bytes', 'Memory of the process.', () => process.memoryUsage.rss());
  gauge('process_cpu_seconds_total', 'Processor time used.', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  gauge('process_uptime_seconds', 'Time since the start.', () => process.uptime());
  return metrics;
}

/** Serves nothing but health, for programs that nobody else talks to. */
export async function serveHealth(
  own: Health,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    if (!own(request, response)) answer(response, 404, 'not found');
  });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
