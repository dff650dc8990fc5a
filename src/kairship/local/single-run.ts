/**
 * At most one `kairship up` per data directory, also after a crash.
 *
 * The holder listens on a socket in the directory. A lock file would outlive a killed process, and its pid may belong
 * to another by then; a socket that nobody answers is certainly stale.
 */
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import * as net from 'node:net';
import { join } from 'node:path';
import { StatusError } from '#base/status-error.ts';

/** Holds the directory until the returned function is called; refuses when another process holds it. */
export async function holdDirectory(directory: string): Promise<() => Promise<void>> {
  const path = socketPath(directory);
  if (await answers(path)) {
    throw new StatusError('Conflict', `kairship is already running on ${directory}`);
  }
  await rm(path, { force: true });
  const server = net.createServer((socket) => socket.end());
  server.listen(path);
  await once(server, 'listening');
  server.unref();
  return async () => {
    server.close();
    await rm(path, { force: true });
  };
}

/** Unix socket paths are short (108 bytes); a relative one is as good as the absolute one. */
function socketPath(directory: string): string {
  const absolute = join(directory, 'up.sock');
  return absolute.length < 100 ? absolute : join(directory.replace(`${process.cwd()}/`, './'), 'up.sock');
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(path);
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}
