/**
 * Many embedded instances at once: how long they take to come and go, what they weigh, and how fast one of them answers
 * beside the others.
 *
 *     npm run bench -- instances [--count 20]
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request as send } from 'node:https';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { INSTANCES, type Instance } from '#kairship/instances/index.ts';
import { httpClient } from '#kube/client/http-client.ts';
import { loadKubeconfig } from '#kube/client/load-config.ts';
import { startPlatform, temporaryDirectory } from '../e2e/platform.ts';
import { circumstances, writeSection } from './results.ts';

const { values } = parseArgs({ options: { count: { type: 'string', default: '20' } } });
const count = Number(values.count);
const CALLS = 500;

const { path: directory, remove } = temporaryDirectory();
const facts = circumstances();
const platform = await startPlatform(directory, ['--bare']);
const global = httpClient(await loadKubeconfig(join(directory, 'platform', 'kubeconfig')));
const agent = new Agent({ keepAlive: true, ca: readFileSync(join(directory, 'ca.crt')) });
const token = readFileSync(join(directory, 'admin.token'), 'utf8').trim();
const base = `https://127.0.0.1:${new URL(platform.consoleUrl).port}`;

async function list(instance: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const sent = send(`${base}/instances/${instance}/kube/api/v1/namespaces`, { headers, agent });
  sent.end();
  const [response] = await once(sent, 'response');
  response.resume();
  await once(response, 'end');
  if (response.statusCode !== 200) throw new Error(`${instance} answered ${response.statusCode}`);
}

async function percentiles(instances: readonly string[]): Promise<readonly [p50: number, p95: number]> {
  const times: number[] = [];
  for (let i = 0; i < CALLS; i += 1) {
    const started = performance.now();
    await list(instances[i % instances.length] ?? '');
    times.push(performance.now() - started);
  }
  const sorted = times.toSorted((a, b) => a - b);
  return [sorted[Math.floor(CALLS / 2)] ?? 0, sorted[Math.floor(CALLS * 0.95)] ?? 0];
}

async function until(check: () => Promise<boolean>): Promise<void> {
  while (!(await check())) await pause(20);
}

const create = (name: string) =>
  global.create(INSTANCES, {
    apiVersion: 'kairship.io/v1alpha1',
    kind: 'Instance',
    metadata: { name },
    spec: { mode: 'embedded' },
  });
const runs = async (name: string) => (await global.get<Instance>(INSTANCES, { name })).status?.state === 'RUNNING';
const isGone = async (name: string) =>
  !(await global.list(INSTANCES)).items.some(({ metadata }) => metadata.name === name);

/** Resident memory of the platform and of each instance, in MB. */
function memory(): { readonly platform: number; readonly instances: readonly number[] } {
  const lines = execFileSync('ps', ['-o', 'rss=,args=', '--ppid', String(platform.process.pid)], { encoding: 'utf8' });
  const of = (program: string) =>
    lines
      .split('\n')
      .filter((line) => line.includes(`kairship.ts ${program} `))
      .map((line) => Number.parseInt(line, 10) / 1024);
  return { platform: of('apiserver')[0] ?? 0, instances: of('karmada') };
}

async function timed(action: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await action();
  return performance.now() - started;
}

try {
  const first = 'one-more';
  const created = await timed(async () => {
    await create(first);
    await until(() => runs(first));
  });
  const alone = await percentiles([first]);
  const deleted = await timed(async () => {
    await global.delete(INSTANCES, { name: first });
    await until(() => isGone(first));
  });
  const names = Array.from({ length: count }, (_, i) => `instance-${i}`);
  const all = await timed(async () => {
    await Promise.all(names.map(create));
    for (const name of names) await until(() => runs(name));
  });
  await pause(5_000);
  const weight = memory();
  const among = await percentiles(names);
  const gone = await timed(async () => {
    await Promise.all(names.map((name) => global.delete(INSTANCES, { name })));
    for (const name of names) await until(() => isGone(name));
  });
  const mean = weight.instances.reduce((sum, each) => sum + each, 0) / weight.instances.length;
  const ms = (value: number) => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
  const rows: readonly (readonly [string, string])[] = [
    ['one instance, from asked for to RUNNING (goal ≤ 2,000 ms)', ms(created)],
    ['the same deleted, with nothing left', ms(deleted)],
    [`${count} at once, until all are RUNNING`, `${(all / 1000).toFixed(1)} s`],
    ['memory of each, idle', `${mean.toFixed(0)} MB`],
    ['memory of the platform beside them', `${weight.platform.toFixed(0)} MB`],
    ['a list through the entrance, one instance: p50, p95', `${ms(alone[0])}, ${ms(alone[1])}`],
    [`the same over all ${count}: p50, p95`, `${ms(among[0])}, ${ms(among[1])}`],
    [`${count} deleted at once`, `${(gone / 1000).toFixed(1)} s`],
  ];
  const table = ['|  | Kairship |', '| --- | --- |', ...rows.map(([what, value]) => `| ${what} | ${value} |`)].join(
    '\n',
  );
  const head = `## Embedded instances (\`npm run bench -- instances\`)\n\n${facts.map((each) => `- ${each}`).join('\n')}`;
  console.log(table);
  writeSection('instances', `${head}\n\n${table}`);
} finally {
  global.close();
  agent.destroy();
  await platform.stop();
  remove();
}
