import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import * as net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import * as tls from 'node:tls';
import { serving } from '#kube/pki/serving.ts';
import { memoryStore } from '#kube/store/index.ts';
import { apiServer } from './api-server.ts';

it('a server that closes does not wait for a caller who was still shaking hands', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'kairship-closing-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const own = await serving({ directory });
  const { ca } = own;
  const server = await apiServer({ store: memoryStore() });
  const { port, server: listening } = await server.listen({ port: 0, tls: { ...own.current(), ca: ca.cert } });
  const accepted = once(listening, 'connection');
  const socket = net.connect(port, '127.0.0.1');
  await Promise.all([accepted, once(socket, 'connect')]);
  const closed = server.close();
  // Two turns later everything that was a connection of HTTP by then has been cut off.
  for (let turn = 0; turn < 2; turn += 1) await new Promise((done) => setImmediate(done));
  const secure = tls.connect({ socket, ca: ca.cert, servername: 'localhost' });
  secure.on('error', () => undefined);
  await closed;
  assert.equal(listening.listening, false);
  secure.destroy();
});
