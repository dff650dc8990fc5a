/**
 * How fast the API server is, over HTTPS with a bearer token, beside Kubernetes' own in the same run.
 *
 *     npm run bench -- kube [--no-real]
 *     KUBE_APISERVER=…/kube-apiserver ETCD=…/etcd npm run bench -- kube
 *
 * Without those variables the programs of `npm run real:setup` are taken, and where there are none only ours is measured.
 * Prints a table and writes it to RESULTS.md. The client is a process of its own (`kube/client.ts`) on the same machine.
 * BENCH_SECONDS (2) is the length of a timed step.
 */
import { execFileSync, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { realPath } from '../scripts/real-setup.ts';
import type { Figure } from './kube/client.ts';
import { table } from './kube/report.ts';
import { type Measured, memory, type RealBinaries, startOurs, startReal } from './kube/servers.ts';
import { circumstances, writeSection } from './results.ts';

const directory = mkdtempSync(join(tmpdir(), 'bench-kube-'));

/** Runs the workload in a process of its own; the figures in the order in which they were measured. */
async function measure(start: () => Promise<Measured>, name: string): Promise<readonly Figure[]> {
  const server = await start();
  try {
    const figures: Figure[] = [{ what: 'start-up', value: server.startUpMs, unit: 'ms' }];
    const idle = memory(server.pids).now;
    figures.push({ what: 'memory when idle', value: idle, unit: 'MB' });
    const { port, token, pids } = server;
    const client = fork(join(import.meta.dirname, 'kube/client.ts'), [JSON.stringify({ port, token, pids })]);
    client.on('message', (figure) => {
      figures.push(figure as Figure);
      if (process.stdout.isTTY) process.stdout.write(`\r${name}: ${(figure as Figure).what}\x1b[K`);
    });
    const code = await new Promise((done) => client.on('exit', done));
    if (code !== 0) throw new Error(`the client of ${name} ended with ${String(code)}`);
    const { now, most } = memory(pids);
    figures.push({ what: 'memory after the run', value: now, unit: 'MB' });
    figures.push({ what: 'memory at most', value: most, unit: 'MB' });
    return figures;
  } finally {
    await server.stop();
    if (process.stdout.isTTY) process.stdout.write('\r\x1b[K');
  }
}

function realBinaries(): RealBinaries | undefined {
  if (process.argv.includes('--no-real')) return undefined;
  const apiserver = process.env['KUBE_APISERVER'] ?? realPath('kube-apiserver');
  const etcd = process.env['ETCD'] ?? realPath('etcd');
  return apiserver === undefined || etcd === undefined ? undefined : { apiserver, etcd };
}

function versionsOf({ apiserver, etcd }: RealBinaries): string {
  const say = (command: string) => execFileSync(command, ['--version'], { encoding: 'utf8' }).split('\n')[0] ?? '';
  return `kube-apiserver ${say(apiserver).replace('Kubernetes ', '')}, ${say(etcd).replace(' Version:', '')}`;
}

try {
  const about = [...circumstances()];
  const real = realBinaries();
  // The second start is the usual one: the first fills the compile cache.
  await (await startOurs(join(directory, 'first'))).stop();
  const ours = await measure(() => startOurs(join(directory, 'ours')), 'ours');
  const theirs = real && (await measure(() => startReal(join(directory, 'real'), real), 'Kubernetes'));
  about.push(real ? `compared with ${versionsOf(real)}` : 'no Kubernetes to compare with: set KUBE_APISERVER and ETCD');
  const rows = table(ours, theirs);
  console.log(`${about.join('\n')}\n\n${rows}`);
  const lines = about.map((line) => `- ${line}`).join('\n');
  const command = 'npm run bench -- kube';
  if (theirs || !process.argv.includes('--no-real')) {
    writeSection('kube', `## The API server (\`${command}\`)\n\n${lines}\n\n${rows}`);
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
}
