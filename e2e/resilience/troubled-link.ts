/**
 * The way to a member, and what can happen on it: nothing listens, nothing answers, everything takes its time.
 *
 * `hung` is a partition and a process that is stopped, both: connections are taken, bytes are kept and nobody answers;
 * when it ends they arrive after all, as packets that are sent again do. After `lost` they never arrive: the connections
 * of before stay open and silent for ever, as behind a firewall that has forgotten them. `killed` takes all down.
 */
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

export type Trouble = 'none' | 'killed' | 'hung' | 'lost' | 'slow';

export interface TroubledLink {
  readonly url: string;
  set(trouble: Trouble): Promise<void>;
  close(): Promise<void>;
}

const SLOW_MS = 150;

/** A way to the server at `target`, at an address of its own that stays the same. */
export async function troubledLink(target: string): Promise<TroubledLink> {
  const { hostname, port: targetPort } = new URL(target);
  const sockets = new Set<Socket>();
  let trouble: Trouble = 'none';
  let held: (() => void)[] = [];
  /** Connections older than this are forgotten on the way. */
  let forgotten = 0;
  let connections = 0;
  let server: Server | undefined;
  let port = 0;

  function pass(number: number, step: () => void): void {
    if (number <= forgotten) return;
    if (trouble === 'hung' || trouble === 'lost') held.push(step);
    else if (trouble === 'slow') setTimeout(step, SLOW_MS);
    else step();
  }

  function relay(number: number, from: Socket, to: Socket): void {
    sockets.add(from);
    from.on('data', (chunk) => pass(number, () => void (to.writable && to.write(chunk))));
    from.on('end', () => pass(number, () => void to.end()));
    from.on('error', () => to.destroy());
    from.on('close', () => {
      sockets.delete(from);
      pass(number, () => void to.destroy());
    });
  }

  async function listen(): Promise<void> {
    server = createServer({ allowHalfOpen: true }, (caller) => {
      const member = connect({ host: hostname, port: Number(targetPort), allowHalfOpen: true });
      const number = ++connections;
      relay(number, caller, member);
      relay(number, member, caller);
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as { port: number });
  }

  async function end(): Promise<void> {
    const gone = server ? once(server, 'close') : undefined;
    server?.close();
    server = undefined;
    held = [];
    for (const socket of sockets) socket.destroy();
    await gone;
  }

  await listen();
  return {
    url: `http://127.0.0.1:${port}`,
    async set(next) {
      const was = trouble;
      trouble = next;
      if (next === 'killed') return end();
      if (!server) await listen();
      if (next === 'hung' || next === 'lost') return;
      const late = was === 'lost' ? [] : held;
      if (was === 'lost') forgotten = connections;
      held = [];
      for (const step of late) step();
    },
    close: end,
  };
}
