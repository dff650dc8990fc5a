/** Writes objects of its own, one write after the other, and remembers which of them the server has acknowledged. */
import { Agent } from 'node:https';
import { type Answer, ask, type Endpoint } from '../kube/kube-server.ts';
import type { Random } from '../kube/random.ts';

export interface Acknowledged {
  readonly name: string;
  /** Undefined when the write was a deletion. */
  readonly text: string | undefined;
  readonly revision: number;
}

export interface Writer {
  readonly acknowledged: readonly Acknowledged[];
  /** The write that was under way when the server went: nobody knows whether it was made. */
  underWay(): { readonly name: string; readonly deletes: boolean } | undefined;
  /** Writes until the server is gone; calls `told` after each acknowledgement. */
  run(told: () => void): Promise<void>;
}

const OBJECTS = 12;

export function writer(server: Endpoint, path: string, id: string, random: Random): Writer {
  const acknowledged: Acknowledged[] = [];
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let count = 0;
  let underWay: { readonly name: string; readonly deletes: boolean } | undefined;

  async function write(): Promise<void> {
    const name = `${id}-${random.whole(OBJECTS)}`;
    const text = `${id}.${count++} ${'x'.repeat(random.whole(3_000))}`;
    const at = `${path}/${name}`;
    const deletes = random.chance(0.2);
    underWay = { name, deletes };
    if (deletes) return note(name, undefined, await ask(server, { method: 'DELETE', path: at, agent }));
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { text } };
    const updated = await ask(server, { method: 'PUT', path: at, body, agent });
    if (updated.code === 200) return note(name, text, updated);
    note(name, text, await ask(server, { method: 'POST', path, body, agent }));
  }

  function note(name: string, text: string | undefined, { code, body }: Answer): void {
    underWay = undefined;
    if (code === 404) return;
    if (code >= 300) throw new Error(`${name} was refused: ${JSON.stringify(body)}`);
    // A deletion is answered without the revision it made; that it was after the last one is known all the same.
    const revision =
      text === undefined
        ? (acknowledged.findLast((one) => one.name === name)?.revision ?? 0)
        : Number(body.metadata.resourceVersion);
    acknowledged.push({ name, text, revision });
  }

  return {
    acknowledged,
    underWay: () => underWay,
    async run(told) {
      for (;;) {
        try {
          await write();
        } catch (error) {
          if (isGone(error)) return;
          throw error;
        }
        told();
      }
    },
  };
}

/** The server ended in the middle: nothing is known of the write that was under way. */
function isGone(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return ['ECONNRESET', 'ECONNREFUSED', 'EPIPE'].includes(code) || String(error).includes('aborted');
}
