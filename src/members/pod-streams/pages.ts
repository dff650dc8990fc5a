/** What simulated pods and nodes answer over HTTP: enough to see who answered. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';
import type { Pod } from '#gen/kube/types.ts';
import { createServer } from '#base/node-http.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A connection to a server of its own, that answers every request on it with `answer`. */
export function connectionTo(answer: Answer, signal: AbortSignal): Duplex {
  const server: Server = createServer((request, response) => {
    request.resume();
    answer(request, response);
  });
  const [near, far] = duplexPair();
  for (const end of [near, far]) end.on('error', () => undefined);
  signal.addEventListener('abort', () => near.destroy(), { once: true });
  near.once('close', () => far.destroy());
  server.emit('connection', far);
  return near;
}

export function podPage(cluster: string, pod: Pod, port: number): Answer {
  const { name, namespace = '' } = pod.metadata;
  const facts = { pod: name, namespace, cluster, node: pod.spec?.nodeName ?? '', port: String(port) };
  return (request, response) => {
    if (request.headers.accept?.includes('text/html')) return send(response, 'text/html', html(facts));
    const lines = Object.entries({ ...facts, path: request.url ?? '/' }).map(([key, value]) => `${key}: ${value}\n`);
    send(response, 'text/plain', lines.join(''));
  };
}

export function nodePage(pods: () => Promise<readonly Pod[]>): Answer {
  return (request, response) => {
    const path = request.url?.split('?')[0];
    if (path === '/healthz') return send(response, 'text/plain', 'ok');
    if (path !== '/pods') return send(response, 'text/plain', '404 page not found\n', 404);
    pods().then(
      (items) => {
        const list = { kind: 'PodList', apiVersion: 'v1', metadata: {}, items };
        send(response, 'application/json', JSON.stringify(list));
      },
      () => send(response, 'text/plain', 'the pods cannot be listed\n', 500),
    );
  };
}

function html(facts: Readonly<Record<string, string>>): string {
  const rows = Object.entries(facts).map(([key, value]) => `<tr><th>${key}</th><td>${escaped(value)}</td></tr>`);
  return `<!doctype html><title>${escaped(facts['pod'] ?? '')}</title><h1>A simulated pod</h1><table>${rows.join('')}</table>\n`;
}

const escaped = (text: string) => text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);

function send(response: ServerResponse, type: string, body: string, code = 200): void {
  response.writeHead(code, { 'Content-Type': `${type}; charset=utf-8`, 'Content-Length': Buffer.byteLength(body) });
  response.end(body);
}
