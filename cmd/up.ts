/** `kairship up`: a whole platform on this machine, as supervised processes, with its data in one folder. */
import { readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import pc from 'picocolors';
import { parseAllDocuments } from 'yaml';
import { text } from 'node:stream/consumers';
import { sleep, systemClock } from '#base/clock.ts';
import { jsonLog } from '#base/log.ts';
import { hasReason, StatusError } from '#base/status-error.ts';
import { holdDirectory } from '#kairship/local/single-run.ts';
import { type DataDirectory, dataDirectory } from '#kairship/local/data-directory.ts';
import { embeddedOperator, INSTANCES, type Instance } from '#kairship/instances/index.ts';
import { type InstanceRunner, instanceRunner } from '#kairship/supervisor/instance-runner.ts';
import { type Supervised, supervise } from '#kairship/supervisor/supervise.ts';
import { KARMADA_VERSION } from '#karmada/apis/index.ts';
import { type ClusterAdmission, clusterAdmission } from '#kpanda/registry/index.ts';
import { KUBERNETES_VERSION } from '#kube/apiserver/version.ts';
import { type HttpClient, httpClient } from '#kube/client/http-client.ts';
import { kubeconfigFor, saveKubeconfig } from '#kube/client/kubeconfig.ts';
import { loadKubeconfig } from '#kube/client/load-config.ts';
import { writePrivate } from '#kube/pki/private-file.ts';
import { restMapper } from '#kube/client/rest-mapper.ts';
import { type Transport, transport } from '#kube/client/transport.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { gvkOf } from '#kube/meta/gvk.ts';
import { informers, manager } from '#kube/runtime/index.ts';
import { CommandFailure } from './cli/failure.ts';
import { signInLink } from './cli/sign-in-link.ts';

export interface UpOptions {
  readonly dataDir: string;
  readonly port: number;
  readonly members: number;
  readonly bare: boolean;
  readonly registry: readonly string[];
  readonly prometheus?: string;
}

const ROOT = resolve(import.meta.dirname, '..');
const INSTANCE = 'demo';

/** Simulated clusters of different clouds and regions, so that policies have something to choose from. */
const MEMBERS = [
  { name: 'frankfurt', provider: 'aws', region: 'eu-central-1', zone: 'eu-central-1a' },
  { name: 'singapore', provider: 'alibaba', region: 'ap-southeast-1', zone: 'ap-southeast-1b' },
  { name: 'virginia', provider: 'azure', region: 'eastus', zone: 'eastus-2' },
  { name: 'beijing', provider: 'huawei', region: 'cn-north-4', zone: 'cn-north-4a' },
  { name: 'saopaulo', provider: 'gcp', region: 'southamerica-east1', zone: 'southamerica-east1-a' },
] as const;
type Member = (typeof MEMBERS)[number];
export const MOST_MEMBERS = MEMBERS.length;

export async function up(options: UpOptions): Promise<void> {
  const started = systemClock.now();
  const directory = await dataDirectory(options.dataDir);
  const release = await holdDirectory(directory.path).catch((cause: unknown) => {
    throw new CommandFailure(`${directory.path} is in use`, {
      why: 'another kairship up runs on it',
      next: 'stop that one with Ctrl-C, or choose another folder with --data-dir',
      cause,
    });
  });
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop.abort());

  const log = jsonLog((line) => process.stderr.write(line), 'error', { program: 'up' });
  const members = options.bare ? [] : MEMBERS.slice(0, options.members);
  const token = await directory.adminToken();
  const port = options.port === 0 ? await directory.portFor('platform') : options.port;
  const watching = { log, signal: stop.signal };
  const programs = await start(directory, members, [`--port=${port}`, ...choices(options)], watching);
  const runner = runnerOf(directory, watching);
  try {
    const operated = programs[0]?.ready.then(() => operate(directory, runner, watching));
    await Promise.race([Promise.all([operated, ...programs.map(({ ready }) => ready)]), aborted(stop.signal)]);
    await connect(directory, members, token, port);
    announce(directory, members, await signInLink(directory.path), started);
    await aborted(stop.signal);
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  } finally {
    stop.abort();
    process.stderr.write('\nStopping…\n');
    await Promise.all([runner.stopped(), ...programs.map(({ stopped }) => stopped)]);
    await release();
  }
}

type Watching = Pick<Parameters<typeof supervise>[1], 'log' | 'signal'>;

/** The command line of one of our own programs. */
const program = (...args: readonly string[]) => ({
  command: process.execPath,
  args: [...process.execArgv, join(ROOT, 'cmd', 'kairship.ts'), ...args],
});

/** What the platform is told of the world around it. */
function choices({ registry, prometheus }: UpOptions): readonly string[] {
  return [
    ...registry.map((each) => `--registry=${each}`),
    ...(prometheus === undefined ? [] : [`--prometheus=${prometheus}`]),
  ];
}

/** The platform first, then the members. */
async function start(
  directory: DataDirectory,
  members: readonly Member[],
  told: readonly string[],
  watching: Watching,
): Promise<Supervised[]> {
  const run = async (name: string, args: readonly string[]) =>
    supervise(
      { name, ...program(...args), logFile: directory.at('logs', `${name}.log`) },
      { clock: systemClock, ...watching, onEnd: (how) => sayItEnded(directory, name, how) },
    );
  const common = async (program: string, ...folder: readonly string[]) => [
    `--data-dir=${directory.at(...folder)}`,
    `--port=${await directory.portFor(program)}`,
    `--kubeconfig-out=${directory.at(...folder, 'kubeconfig')}`,
  ];
  const platform = [
    `--data-dir=${directory.at('platform')}`,
    ...told,
    `--global-port=${await directory.portFor('global')}`,
    `--token-file=${directory.at('admin.token')}`,
  ];
  const programs = [run('platform', ['apiserver', ...platform])];
  for (const { name, provider, region, zone } of members) {
    const where = ['--provider', provider, '--region', region, '--zone', zone];
    programs.push(
      run(`member-${name}`, ['member', '--name', name, ...where, ...(await common(name, 'members', name))]),
    );
  }
  return Promise.all(programs);
}

function sayItEnded(directory: DataDirectory, name: string, how: string): void {
  const logFile = directory.at('logs', `${name}.log`);
  process.stderr.write(`${name} ended (${how}) and is started again; see ${logFile}\n`);
}

function runnerOf(directory: DataDirectory, watching: Watching): InstanceRunner {
  return instanceRunner({
    directory,
    program: (flags) => program('karmada', ...flags),
    versions: { karmadaVersion: KARMADA_VERSION, kubernetesVersion: KUBERNETES_VERSION.gitVersion },
    clock: systemClock,
    ...watching,
    onEnd: (name, how) => sayItEnded(directory, name, how),
  });
}

/** Runs the operator of embedded instances, asks for the first one, and waits until it serves. */
async function operate(directory: DataDirectory, runner: InstanceRunner, { log, signal }: Watching): Promise<void> {
  const client = httpClient(await loadKubeconfig(directory.at('platform', 'kubeconfig')));
  const shared = informers(client, { log, signal });
  const operator = embeddedOperator({ client, informers: shared, clock: systemClock, runner });
  void manager({ client, controllers: [operator], informers: shared, log })
    .start(signal)
    .finally(() => client.close());
  await directory.once('instance', async () => {
    const wanted = { apiVersion: 'kairship.io/v1alpha1', kind: 'Instance', metadata: { name: INSTANCE } };
    const options = { fieldManager: 'kairship-up', force: true };
    await client.apply(INSTANCES, { ...wanted, spec: { mode: 'embedded', alias: 'Demo' } }, options);
  });
  const known = shared<Instance>(INSTANCES);
  await new Promise<void>((running) => {
    known.subscribe(({ object }) => {
      if (object.metadata.name === INSTANCE && object.status?.state === 'RUNNING') running();
    });
  });
}

/** Joins the members and hands out the sample application and the kubeconfig; all of it can be done again. */
async function connect(
  directory: DataDirectory,
  members: readonly Member[],
  token: string,
  port: number,
): Promise<void> {
  const control = httpClient(await loadKubeconfig(directory.at('instances', INSTANCE, 'kubeconfig')));
  const global = httpClient(await loadKubeconfig(directory.at('platform', 'kubeconfig')));
  const ca = await readFile(directory.at('platform', 'pki', 'ca.crt'), 'utf8');
  const door = transport({ server: `https://127.0.0.1:${port}`, ca, token });
  try {
    const inventory = clusterAdmission({ client: global });
    await Promise.all(
      members.map(async (member) => {
        const kubeconfig = await readFile(directory.at('members', member.name, 'kubeconfig'), 'utf8');
        await importOnce(inventory, member, kubeconfig);
        await joinOnce(door, member.name);
      }),
    );
    if (members.length > 0)
      await directory.once('sample', () => applyFile(control, join(ROOT, 'docs/examples/storefront.yaml')));
    await writeAdminKubeconfig(directory, members, token, port);
  } finally {
    for (const each of [control, global, door]) each.close();
  }
}

/** Puts a cluster into the inventory; one that is there may have moved to another port. */
async function importOnce(inventory: ClusterAdmission, member: Member, kubeconfig: string): Promise<void> {
  try {
    await inventory.importCluster({ ...member, kubeconfig });
  } catch (error) {
    if (!hasReason(error, 'AlreadyExists')) throw error;
    await inventory.rotate(member.name, kubeconfig);
  }
}

const JOIN_WITHIN_MS = 30_000;

/** Asks the platform to join a cluster, as anybody would; it may not know the new instance for a moment. */
async function joinOnce(door: Transport, name: string): Promise<void> {
  const path = `/apis/kairship.io/v1alpha1/instances/${INSTANCE}/clusters/${name}`;
  const headers = { 'content-type': 'application/json' };
  const until = systemClock.now() + JOIN_WITHIN_MS;
  for (;;) {
    const response = await door.send({ method: 'POST', path, headers, body: '{}' });
    const answer = await text(response);
    const { statusCode = 0 } = response;
    if (statusCode < 300 || statusCode === 409) return;
    if (systemClock.now() > until)
      throw new StatusError('InternalError', `cluster "${name}" cannot join: ${statusCode} ${answer}`);
    await sleep(systemClock, 200);
  }
}

async function applyFile(client: HttpClient, path: string): Promise<void> {
  const mapper = restMapper(client);
  for (const document of parseAllDocuments(await readFile(path, 'utf8'))) {
    const object = document.toJS() as KubeObject;
    const { group, version, resource } = await mapper.byKind(gvkOf(object));
    await client.apply({ group, version, resource }, object, { fieldManager: 'kairship-up', force: true });
  }
}

async function writeAdminKubeconfig(
  directory: DataDirectory,
  members: readonly Member[],
  token: string,
  port: number,
): Promise<void> {
  const ca = await readFile(directory.at('platform', 'pki', 'ca.crt'), 'utf8');
  await writePrivate(directory.at('ca.crt'), ca);
  const server = `https://127.0.0.1:${port}/instances/${INSTANCE}/kube`;
  const proxied = (name: string) => `${server}/apis/cluster.karmada.io/v1alpha1/clusters/${name}/proxy`;
  await saveKubeconfig(
    directory.at('admin.kubeconfig'),
    kubeconfigFor(
      { name: INSTANCE, server, ca, token },
      ...members.map(({ name }) => ({ name: `${INSTANCE}/${name}`, server: proxied(name), ca, token })),
    ),
  );
}

function announce(
  directory: DataDirectory,
  members: readonly Member[],
  link: string,
  started: number,
): void {
  const seconds = ((systemClock.now() - started) / 1000).toFixed(1);
  const where = members.map(({ name, provider, region }) => `${name} ${pc.dim(`(${provider}, ${region})`)}`).join(', ');
  const folder = relative(process.cwd(), directory.path) || '.';
  const kairship = relative(process.cwd(), join(ROOT, 'bin', 'kairship'));
  const lines = [
    '',
    `  ${pc.bold('Kairship is up')} ${pc.dim(`in ${seconds} s`)}`,
    '',
    `  Console    ${pc.cyan(link)}`,
    `             ${pc.dim(`the link works once; ${kairship} open makes another`)}`,
    `  Instance   ${INSTANCE}`,
    `  Clusters   ${where || 'none yet'}`,
    '',
    '  Try, in another terminal:',
    `    export KUBECONFIG=${directory.at('admin.kubeconfig')}`,
    '    kubectl get clusters',
    `    kubectl apply -f ${relative(process.cwd(), join(ROOT, 'docs/examples/nginx.yaml'))}`,
    '    kubectl get deployment nginx',
    ...(members[0] ? [`    kubectl --context ${INSTANCE}/${members[0].name} get pods`] : []),
    `    ${kairship} why deployment/nginx`,
    '',
    pc.dim(`  Everything is kept in ${folder}; Ctrl-C stops it, the next start goes on where it was.`),
    '',
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve_) => {
    if (signal.aborted) resolve_();
    else signal.addEventListener('abort', () => resolve_(), { once: true });
  });
}
