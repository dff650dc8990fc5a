/**
 * Our API server beside a real one: the same random requests, the same answers.
 *
 *     REQUESTS=5000 SEED=7 node --test e2e/real/kube-differential.test.ts
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { startKube } from '../kube/kube-server.ts';
import { temporaryDirectory } from '../platform.ts';
import { report } from './differences.ts';
import { compareServers } from './kube-differential.ts';
import { isIntended, sentText } from './kube-intended.ts';
import { endpointOfReal, realMissing, startRealKube } from './real-kube.ts';

const requests = Number(process.env['REQUESTS'] ?? 200);
const seed = Number(process.env['SEED'] ?? 1);

test(`${requests} random requests are answered as a real kube-apiserver answers them`, {
  skip: realMissing(),
}, async (t) => {
  const { path, remove } = temporaryDirectory();
  t.after(remove);
  const real = await startRealKube({
    directory: join(path, 'real'),
    controllers: ['serviceaccount'],
    podAccounts: true,
  });
  t.after(() => real.stop());
  const ours = await startKube(join(path, 'ours'));
  t.after(() => ours.stop());
  const found = await compareServers({ real: endpointOfReal(real), ours, seed, requests, intended: isIntended });
  const told = found.map(({ asked, found: differing }) => {
    const sent = sentText(asked.body).slice(0, 2_000);
    const headers = Object.values(asked.headers ?? {}).filter((value) => value !== 'application/json');
    return `${asked.method ?? 'GET'} ${asked.path} ${headers.join(' ')} ${sent}\n${report(differing)}`;
  });
  assert.ok(found.length === 0, `seed ${seed}: ${found.length} of ${requests} differ\n\n${told.join('\n\n')}`);
});
