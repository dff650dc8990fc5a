/**
 * A watch as clients keep it: resumed from the last revision it saw whenever the server goes away. What it was told is
 * checked as it comes: revisions only grow, and the server never says that it has forgotten.
 */
import { Agent, request } from 'node:https';
import type { Endpoint } from './kube-server.ts';

export interface Told {
  readonly type: string;
  readonly namespace: string;
  readonly name: string;
  readonly revision: number;
  readonly text: string;
}

export interface WatchClient {
  readonly events: readonly Told[];
  /** How often it had to begin again. */
  resumed(): number;
  /** Resolves when it has been told of this revision or a later one; rejects when something was wrong. */
  reaches(revision: number): Promise<void>;
  stop(): void;
}

const PAUSE_MS = 20;

export function watchClient({ port, ca, token }: Endpoint, path: string, from: number): WatchClient {
  const events: Told[] = [];
  const agent = new Agent({ keepAlive: false });
  const waiting: { readonly revision: number; readonly done: () => void; readonly fail: (error: Error) => void }[] = [];
  let last = from;
  let times = 0;
  let stopped = false;
  let failure: Error | undefined;

  function wrong(message: string): void {
    failure ??= new Error(`a watcher ${message}`);
    stopped = true;
    for (const { fail } of waiting.splice(0)) fail(failure);
  }

  function take(line: string): void {
    const { type, object } = JSON.parse(line) as { type: string; object: Watched };
    if (type === 'ERROR') return wrong(`was refused: ${line}`);
    const revision = Number(object.metadata.resourceVersion);
    if (type !== 'BOOKMARK') {
      if (revision <= last) return wrong(`was told of ${revision} after ${last}`);
      const { namespace = '', name } = object.metadata;
      events.push({ type, namespace, name, revision, text: object.data?.text ?? '' });
    }
    last = Math.max(last, revision);
    for (const one of waiting.filter((each) => each.revision <= last)) {
      waiting.splice(waiting.indexOf(one), 1);
      one.done();
    }
  }

  function begin(): void {
    if (stopped) return;
    const again = () => setTimeout(begin, PAUSE_MS);
    const query = `watch=1&allowWatchBookmarks=true&resourceVersion=${last}`;
    const headers = { authorization: `Bearer ${token}` };
    const asked = request({ host: '127.0.0.1', port, ca, agent, path: `${path}?${query}`, headers });
    asked.on('error', again);
    asked.on('response', (response) => {
      if (response.statusCode !== 200) return wrong(`was answered ${response.statusCode}`);
      times += 1;
      let rest = '';
      response.on('data', (chunk: Buffer) => {
        const lines = (rest + chunk.toString()).split('\n');
        // What came without its end is not known to be whole: it will come again.
        rest = lines.pop() ?? '';
        for (const line of lines) if (!stopped) take(line);
      });
      response.on('error', () => undefined);
      response.on('close', again);
    });
    asked.end();
  }

  begin();
  return {
    events,
    resumed: () => times - 1,
    reaches: (revision) =>
      new Promise((done, fail) => {
        if (failure) fail(failure);
        else if (last >= revision) done();
        else waiting.push({ revision, done, fail });
      }),
    stop() {
      stopped = true;
      agent.destroy();
    },
  };
}

interface Watched {
  readonly metadata: { readonly namespace?: string; readonly name: string; readonly resourceVersion: string };
  readonly data?: { readonly text?: string };
}
