/** `kairship up`: a whole platform on this machine, as supervised processes, with its data in one folder. */
import { resolve } from 'node:path';
import { systemClock } from '#base/clock.ts';
import { jsonLog } from '#base/log.ts';
import { embeddedFlags, INSTANCES, type Instance } from '#kairship/instances/index.ts';
import type { DataDirectory } from '#kairship/local/data-directory.ts';
import type { InstanceRunner } from '#kairship/supervisor/instance-runner.ts';
import { type Supervised, supervise } from '#kairship/supervisor/supervise.ts';
import { httpClient } from '#kube/client/http-client.ts';
import { loadKubeconfig } from '#kube/client/load-config.ts';
import { informers } from '#kube/runtime/index.ts';
import { signInLink } from './cli/sign-in-link.ts';
import { embeddedRunner, operate, ownProgram } from './platform/embedded.ts';
import { announcement } from './up/announce.ts';
import { connect } from './up/connect.ts';
import { DEFAULT_DIRECTORY } from './up/default-directory.ts';
import { MEMBERS, type Member } from './up/members.ts';
import { doesNotStart, holdAlone, openDirectory, requireFreePort } from './up/obstacles.ts';

export interface UpOptions {
  readonly dataDir: string;
  readonly port: number;
  readonly members: number;
  readonly bare: boolean;
  readonly registry: readonly string[];
  readonly prometheus?: string;
}

const INSTANCE = 'demo';

export async function up(options: UpOptions): Promise<void> {
  const started = systemClock.now();
  const directory = await openDirectory(options.dataDir);
  const release = await holdAlone(directory);
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop.abort());
  const begun: Begun = { directory, stop, failed: Promise.withResolvers<never>() };
  begun.failed.promise.catch(() => undefined);
  try {
    await run(options, begun, started);
  } finally {
    stop.abort();
    await release();
  }
}

interface Begun {
  readonly directory: DataDirectory;
  readonly stop: AbortController;
  /** Rejects when a program does not start. */
  readonly failed: PromiseWithResolvers<never>;
}

async function run(options: UpOptions, begun: Begun, started: number): Promise<void> {
  const { directory, stop, failed } = begun;
  const members = options.bare ? [] : MEMBERS.slice(0, options.members);
  const token = await directory.adminToken();
  const port = options.port === 0 ? await directory.portFor('platform') : options.port;
  await requireFreePort(port);
  const watching = { log: jsonLog((line) => process.stderr.write(line), 'error', { program: 'up' }), stop };
  const onEnd = (name: string, how: string) => sayItEnded(directory, name, how);
  const runner = embeddedRunner({ directory, log: watching.log, signal: stop.signal, onEnd });
  const programs = await start(begun, members, [`--port=${port}`, ...choices(options)], watching);
  // Instances need nothing of the platform to start: they are there when it asks for them.
  runner.resume();
  await directory.once('first run', async () => void runner.run(INSTANCE, embeddedFlags({}).flags));
  try {
    const operated = programs[0]?.ready.then(() => firstInstance(directory, runner, watching));
    const ready = Promise.all([operated, ...programs.map((program) => program.ready)]);
    const [instance] = await Promise.race([ready, failed.promise, aborted(stop.signal).then(() => [undefined])]);
    if (stop.signal.aborted) return;
    await connect({ directory, instance, members, token, port, signal: stop.signal });
    announce(options, { directory, instance, members, link: await signInLink(directory.path), started });
    await aborted(stop.signal);
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  } finally {
    stop.abort();
    process.stderr.write('\nStopping…\n');
    await Promise.all([runner.stopped(), ...programs.map(({ stopped }) => stopped)]);
  }
}

interface Watching extends Pick<Parameters<typeof supervise>[1], 'log'> {
  readonly stop: AbortController;
}

/** What the platform is told of the world around it. */
function choices({ registry, prometheus }: UpOptions): readonly string[] {
  return [
    ...registry.map((each) => `--registry=${each}`),
    ...(prometheus === undefined ? [] : [`--prometheus=${prometheus}`]),
  ];
}

/** The platform first, then the members. */
async function start(
  begun: Begun,
  members: readonly Member[],
  told: readonly string[],
  watching: Watching,
): Promise<Supervised[]> {
  const { directory } = begun;
  const common = async (name: string, ...folder: readonly string[]) => [
    `--data-dir=${directory.at(...folder)}`,
    `--port=${await directory.portFor(name)}`,
    `--kubeconfig-out=${directory.at(...folder, 'kubeconfig')}`,
  ];
  const platform = [
    `--data-dir=${directory.at('platform')}`,
    ...told,
    `--global-port=${await directory.portFor('global')}`,
    `--token-file=${directory.at('admin.token')}`,
  ];
  const programs = [startOne(begun, 'platform', ['apiserver', ...platform], watching)];
  for (const { name, provider, region, zone } of members) {
    const where = ['--provider', provider, '--region', region, '--zone', zone];
    const args = ['member', '--name', name, ...where, ...(await common(name, 'members', name))];
    programs.push(startOne(begun, `member-${name}`, args, watching));
  }
  return programs;
}

/** A program that ends so often before it ever served will not serve: whoever waits for it is told. */
const ATTEMPTS = 6;

function startOne(begun: Begun, name: string, args: readonly string[], { log, stop }: Watching): Supervised {
  const { directory, failed } = begun;
  const logFile = directory.at('logs', `${name}.log`);
  let left = ATTEMPTS;
  return supervise(
    { name, ...ownProgram(...args), logFile },
    {
      clock: systemClock,
      log,
      signal: stop.signal,
      onReady: () => void (left = Number.POSITIVE_INFINITY),
      onEnd(how) {
        left -= 1;
        if (left === 0) void doesNotStart(name, how, logFile).then(failed.reject);
        else sayItEnded(directory, name, how);
      },
    },
  );
}

function sayItEnded(directory: DataDirectory, name: string, how: string): void {
  const logFile = directory.at('logs', `${name}.log`);
  process.stderr.write(`${name} ended (${how}) and is started again; see ${logFile}\n`);
}

/** Runs the operator of embedded instances, asks for the first one, and waits until it serves, if it is still there. */
async function firstInstance(
  directory: DataDirectory,
  runner: InstanceRunner,
  { log, stop }: Watching,
): Promise<string | undefined> {
  const { signal } = stop;
  const client = httpClient(await loadKubeconfig(directory.at('platform', 'kubeconfig')));
  const shared = informers(client, { log, signal });
  void operate({ client, informers: shared, runner, directory, log, signal }).finally(() => client.close());
  await directory.once('instance', async () => {
    const wanted = { apiVersion: 'kairship.io/v1alpha1', kind: 'Instance', metadata: { name: INSTANCE } };
    const options = { fieldManager: 'kairship-up', force: true };
    await client.apply(INSTANCES, { ...wanted, spec: { mode: 'embedded', alias: 'Demo' } }, options);
  });
  const known = shared<Instance>(INSTANCES);
  await known.synced;
  // Its owner may have deleted it since.
  if (!known.get(INSTANCE)) return undefined;
  await new Promise<void>((settled) => {
    known.subscribe(({ type, object }) => {
      const isGone = type === 'deleted' || object.metadata.deletionTimestamp !== undefined;
      if (object.metadata.name === INSTANCE && (isGone || object.status?.state === 'RUNNING')) settled();
    });
  });
  return known.get(INSTANCE)?.status?.state === 'RUNNING' ? INSTANCE : undefined;
}

interface Running {
  readonly directory: DataDirectory;
  readonly instance: string | undefined;
  readonly members: readonly Member[];
  readonly link: string;
  readonly started: number;
}

function announce({ dataDir }: UpOptions, { directory, started, ...running }: Running): void {
  const isDefault = resolve(dataDir) === resolve(DEFAULT_DIRECTORY);
  const seconds = (systemClock.now() - started) / 1000;
  process.stdout.write(announcement({ ...running, directory: directory.path, isDefault, seconds }));
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve_) => {
    if (signal.aborted) resolve_();
    else signal.addEventListener('abort', () => resolve_(), { once: true });
  });
}
