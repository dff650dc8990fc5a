/** What tests of the server share: a server on a fresh store, and a plain HTTP client for it. */
import { request } from 'node:http';
import type { TestContext } from 'node:test';
import { countingIds } from '#base/ids.ts';
import { memoryStore } from '#kube/store/index.ts';
import { type ApiServer, type ApiServerOptions, apiServer } from './api-server.ts';
import { staticTokens } from './auth/authenticate.ts';

export interface TestAnswer {
  readonly code: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly text: string;
  /** The body as JSON; undefined when it is none. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  readonly body: any;
}

export interface TestServer {
  readonly server: ApiServer;
  readonly url: string;
  readonly call: (
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<TestAnswer>;
}

/** A server with the built-in kinds that ends with the test; `admin` and `tok-alice` are its tokens. */
export async function testServer(t: TestContext, options: Partial<ApiServerOptions> = {}): Promise<TestServer> {
  const server = await apiServer({
    store: memoryStore(),
    ids: countingIds(),
    authenticators: [
      staticTokens({
        admin: { name: 'admin', uid: 'admin-uid', groups: ['system:masters'] },
        'tok-alice': { name: 'alice', uid: 'alice-uid', groups: ['devs'] },
      }),
    ],
    ...options,
  });
  t.after(() => server.close());
  const { url } = await server.listen();
  return { server, url, call: (...asked) => call(url, ...asked) };
}

export function call(
  url: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<TestAnswer> {
  const sent = body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  const type: Record<string, string> =
    sent === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(sent)) };
  return new Promise((resolve, reject) => {
    const asked = request(`${url}${path}`, { method, headers: { authorization: 'Bearer admin', ...type, ...headers } });
    asked.on('error', reject);
    asked.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ code: response.statusCode ?? 0, headers: response.headers, text, body: parsed(text) });
      });
    });
    asked.end(sent);
  });
}

/** The first events of a watch, which is then left. */
export function firstEvents(url: string, path: string, count: number): Promise<readonly TestAnswer['body'][]> {
  return new Promise((resolve, reject) => {
    const asked = request(`${url}${path}`, { headers: { authorization: 'Bearer admin' } });
    asked.on('error', reject);
    asked.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
        const lines = text.split('\n').slice(0, -1);
        if (lines.length < count) return;
        resolve(lines.map((line) => JSON.parse(line)));
        asked.destroy();
      });
      response.on('error', () => undefined);
    });
    asked.end();
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
