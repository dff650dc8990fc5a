/**
 * `kairship doctor`: what could be wrong between this terminal and the members, each with what to do about it.
 *
 * Checks go outwards, from this machine to the platform, its instances and their members. Those behind one that failed
 * are left out: they would only say the same again.
 */
import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { promisify } from 'node:util';
import pc from 'picocolors';
import { AccountService } from '#gen/proto/ghippo/api/account/v1alpha1/account_service_pb.ts';
import { InstanceService } from '#gen/proto/kairship/api/instance/v1alpha1/instance_service_pb.ts';
import type { Cluster } from '#karmada/apis/index.ts';
import { CLUSTER } from '#karmada/apis/resources.ts';
import { humanDuration } from '#kube/meta/age.ts';
import { allPages } from '../cli/all-pages.ts';
import { type Connection, type ConnectionOptions, connectTo, findPlatform } from '../cli/connection.ts';
import { contextsPath } from '../cli/contexts.ts';
import { CommandFailure, failureOf } from '../cli/failure.ts';
import { type Format, printValue, write } from '../cli/output.ts';
import { waiting } from '../cli/screen.ts';
import { table } from '../cli/table.ts';
import { stateOf } from './words.ts';

interface Check {
  readonly name: string;
  readonly result: 'ok' | 'warning' | 'failed';
  readonly message: string;
  readonly fix?: string;
}

const ok = (name: string, message: string): Check => ({ name, result: 'ok', message });
const bad = (name: string, message: string, fix: string): Check => ({ name, result: 'failed', message, fix });
const doubt = (name: string, message: string, fix: string): Check => ({ name, result: 'warning', message, fix });

const DEFAULT_PORT = 7300;
const DAY_MS = 86_400_000;

export async function doctor(options: ConnectionOptions & { readonly output?: Format }): Promise<void> {
  const checks = await waiting('looking', examine(options));
  const { output } = options;
  if (output && output.type !== 'table') printValue({ checks }, output);
  else write(report(checks));
  const failed = checks.filter(({ result }) => result === 'failed');
  if (failed.length > 0) process.exitCode = 1;
}

function report(checks: readonly Check[]): string {
  const marks = { ok: pc.green('ok'), warning: pc.yellow('warning'), failed: pc.red('failed') };
  const rows = checks.map(({ name, result, message, fix }) => [
    name,
    marks[result],
    fix ? `${message} → ${fix}` : message,
  ]);
  const failed = checks.filter(({ result }) => result === 'failed').length;
  const { columns } = process.stdout;
  return [
    table(['CHECK', 'RESULT', 'DETAIL'], rows, columns ? { width: columns } : {}),
    '',
    failed === 0 ? 'Nothing is in the way.' : `${failed} of ${checks.length} checks failed.`,
  ].join('\n');
}

async function examine(options: ConnectionOptions): Promise<readonly Check[]> {
  const machine = [nodeVersion(), ...(await Promise.all([kubectlVersion(), configRights()]))];
  const platform = await findPlatform(options).catch((error: unknown) => error);
  if (platform instanceof CommandFailure)
    return [...machine, bad('platform', platform.message, platform.next), await portFree()];
  if (platform instanceof Error) throw platform;
  const connection = connectTo(platform as Awaited<ReturnType<typeof findPlatform>>, options);
  try {
    return [...machine, ...(await examinePlatform(connection))];
  } finally {
    connection.close();
  }
}

function nodeVersion(): Check {
  const { node } = process.versions;
  const fine = Number(node.split('.')[0]) >= 24;
  return fine ? ok('node', `v${node}`) : bad('node', `v${node} is too old`, 'npm ci installs the pinned one');
}

async function kubectlVersion(): Promise<Check> {
  try {
    const { stdout } = await promisify(execFile)('kubectl', ['version', '--client', '-o', 'json'], { timeout: 30_000 });
    const { clientVersion } = JSON.parse(stdout) as { clientVersion?: { gitVersion?: string } };
    return ok('kubectl', clientVersion?.gitVersion ?? 'unknown version');
  } catch {
    return doubt('kubectl', 'not found in PATH', 'kairship get, logs and exec work without it');
  }
}

async function configRights(): Promise<Check> {
  const path = contextsPath();
  try {
    const { mode } = await stat(path);
    if ((mode & 0o077) === 0) return ok('sign-in file', path);
    return bad('sign-in file', `others may read ${path}`, `chmod 600 ${path}`);
  } catch {
    return ok('sign-in file', 'none yet');
  }
}

function portFree(): Promise<Check> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () =>
      resolve(doubt('port', `${DEFAULT_PORT} is taken`, 'kairship up --port 0 takes a free one')),
    );
    server.listen(DEFAULT_PORT, '127.0.0.1', () => server.close(() => resolve(ok('port', `${DEFAULT_PORT} is free`))));
  });
}

async function examinePlatform(on: Connection): Promise<readonly Check[]> {
  const door = await reach(on);
  if (door.some(({ result }) => result === 'failed')) return door;
  const account = await on
    .rpc(AccountService)
    .getUser({})
    .then(({ name }) => ok('signed in', `as ${name}`))
    .catch((error: unknown) => bad('signed in', wordsOf(error), 'kairship login'));
  if (account.result === 'failed') return [...door, account];
  return [...door, account, ...(await instances(on))];
}

/** One request tells three things: whether it answers, with which certificate, and what time it is there. */
function reach({ server, ca, because }: Connection): Promise<readonly Check[]> {
  return new Promise((resolve) => {
    const asked = Date.now();
    const failed = (error: Error) =>
      resolve([bad('platform', `${server} (${because}): ${error.message}`, 'is it running? kairship up')]);
    const call = request(
      `${server}/readyz`,
      { ...(ca === undefined ? {} : { ca }), timeout: 30_000, agent: false },
      (answer) => {
        answer.resume();
        const socket = answer.socket as import('node:tls').TLSSocket;
        const ends = Date.parse(socket.getPeerCertificate().valid_to);
        const ready =
          answer.statusCode === 200
            ? ok('platform', `${server} (${because})`)
            : bad('platform', `${server} answers ${answer.statusCode}`, 'it may be starting: try again in a moment');
        resolve([ready, certificate(ends), clock(Date.parse(answer.headers.date ?? ''), asked)]);
      },
    );
    call.on('timeout', () => call.destroy(new Error('no answer within 30 s')));
    call.on('error', failed);
    call.end();
  });
}

function certificate(ends: number): Check {
  const left = ends - Date.now();
  if (Number.isNaN(left)) return doubt('certificate', 'it does not say when it ends', 'look at it with openssl');
  if (left < 0) return bad('certificate', 'it has ended', 'restart the platform: it makes a new one');
  const message = `valid for ${humanDuration(left)}`;
  return left < 14 * DAY_MS
    ? doubt('certificate', message, 'restart the platform: it makes a new one')
    : ok('certificate', message);
}

/** Servers say the time in whole seconds, so that a difference of one says nothing. */
function clock(there: number, asked: number): Check {
  if (Number.isNaN(there)) return ok('clock', 'the platform does not say the time');
  const now = Date.now();
  const off = there + 1_000 < asked ? asked - there : there - 1_000 > now ? there - now : 0;
  if (off <= 5_000) return ok('clock', 'agrees with the platform');
  return doubt('clock', `differs from the platform's by ${humanDuration(off)}`, 'set it, for example by NTP');
}

async function instances(on: Connection): Promise<readonly Check[]> {
  const items = await allPages((page) => on.rpc(InstanceService).listInstances(page));
  if (items.length === 0) return [doubt('instances', 'there is none', 'kairship instance create NAME')];
  const each = items.map(async (instance): Promise<readonly Check[]> => {
    const name = instance.metadata?.name ?? '';
    const state = stateOf(instance);
    if (state !== 'running') return [bad(`instance ${name}`, `is ${state}`, `kairship instance get ${name}`)];
    return [
      ok(`instance ${name}`, `runs Karmada ${instance.status?.karmadaVersion ?? ''}`),
      ...(await members(on, name)),
    ];
  });
  return (await Promise.all(each)).flat();
}

async function members(on: Connection, instance: string): Promise<readonly Check[]> {
  const name = `clusters of ${instance}`;
  try {
    const { items } = await on.kube(instance).list<Cluster>(CLUSTER);
    if (items.length === 0) return [doubt(name, 'there is none', 'kairship cluster join NAME --kubeconfig FILE')];
    return Promise.all(items.map(({ metadata }) => member(on, instance, metadata.name)));
  } catch (error) {
    return [bad(name, wordsOf(error), `kairship instance get ${instance}`)];
  }
}

async function member(on: Connection, instance: string, cluster: string): Promise<Check> {
  const name = `cluster ${cluster}`;
  const asked = Date.now();
  try {
    await on.kube(instance, cluster).getText('/readyz', AbortSignal.timeout(30_000));
    return ok(name, `answers in ${Date.now() - asked} ms`);
  } catch (error) {
    return bad(name, wordsOf(error), `kairship cluster list -i ${instance}`);
  }
}

const wordsOf = (error: unknown) => failureOf(error).lines[0]?.replace('Error: ', '') ?? '';
