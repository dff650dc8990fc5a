/**
 * `kairship apiserver`: the platform's entrance, with identities, inventory and index.
 *
 * On a global cluster of its own it is a whole platform, controllers included. On a shared one (`--kubeconfig`) it keeps
 * nothing: any number of them serve the same, and the controllers and the index's writer are programs of their own. It
 * answers from its first moment, but is not ready until it knows who may do what.
 */
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { systemClock } from '#base/clock.ts';
import { randomIds } from '#base/ids.ts';
import type { Metrics } from '#base/metrics.ts';
import { badRequest, StatusError } from '#base/status-error.ts';
import { ensureFirstAdmin } from '#ghippo/bootstrap.ts';
import type { Database } from '#ghippo/database/database.ts';
import { type Ghippo, startGhippo } from '#ghippo/ghippo.ts';
import { ghippoApi } from '#ghippo/services/index.ts';
import type { PlatformCaller } from '#kairship/access/authorize.ts';
import { type Identify, identify } from '#kairship/access/identify.ts';
import { type ClustersOf, installInstances, instanceDeletion } from '#kairship/instances/index.ts';
import { type InstanceAddress, instanceClients, platformClients } from '#kairship/proxy/instance-client.ts';
import { type InstancePool, instancePool } from '#kairship/proxy/instance-pool.ts';
import { GLOBAL_CLUSTER, instanceProxy, refuse } from '#kairship/proxy/instance-proxy.ts';
import { clustersOf } from '#kairship/read/clusters-of.ts';
import { indexDoor } from '#kairship/read/index-door.ts';
import { type Reads, reads } from '#kairship/read/reads.ts';
import { search } from '#kairship/read/search.ts';
import { watches } from '#kairship/read/watches.ts';
import { shellTerminals } from '#kairship/services/cloudshell/shell-terminals.ts';
import { consoleFiles } from '#kairship/services/console-files.ts';
import { type Entrance, entrance } from '#kairship/services/entrance.ts';
import { inventoryApi } from '#kairship/services/inventory-api.ts';
import { platformApi } from '#kairship/services/platform-api.ts';
import { signInDesk } from '#kairship/services/sign-in.ts';
import type { SqlDatabase } from '#kpanda/index/index.ts';
import { type Kpanda, kpanda } from '#kpanda/kpanda.ts';
import { type MemberClients, memberClients } from '#kpanda/registry/index.ts';
import { type Serving, serving } from '#kube/pki/serving.ts';
import { type Informers, informers } from '#kube/runtime/index.ts';
import { type NodeRequest, type NodeResponse, onePort } from '#rpc/index.ts';
import { CommandFailure, EXIT } from './cli/failure.ts';
import { agentCallers } from '#kairship/proxy/agent-callers.ts';
import {
  ADMIN,
  admission,
  agentTokens,
  auditTrail,
  kubeconfigs,
  kubeRecords,
  withAdministrator,
} from './platform/access.ts';
import { chosen, runControllers } from './platform/controllers.ts';
import { openIndex, openPeople } from './platform/databases.ts';
import { type GlobalCluster, ownGlobalCluster, sharedGlobalCluster } from './platform/global-cluster.ts';
import { type Check, health, processMetrics } from './platform/health.ts';
import { insist } from './platform/insist.ts';
import { type LogOptions, type Program, runProgram } from './program.ts';
import { version } from './version.ts';

export interface PlatformOptions extends LogOptions {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  readonly tokenFile: string;
  /** How it is reached from elsewhere. */
  readonly publicUrl?: string;
  readonly globalPort: number;
  readonly controllers: string;
  /** Of a shared global cluster; one of its own when absent. */
  readonly kubeconfig?: string;
  readonly index?: string;
  readonly database?: string;
  /** Registries of images, each as `name=url`. */
  readonly registry: readonly string[];
  /** The address of a metrics store. */
  readonly prometheus?: string;
}

export function apiserver(options: PlatformOptions): Promise<void> {
  requireShared(options);
  const runs = chosen(options.controllers);
  const registries = options.registry.map(registryAddress);
  const publicHost = publicHostOf(options);
  return runProgram(
    'apiserver',
    async (program) => {
      const { log, signal } = program;
      const adminToken = (await readFile(options.tokenFile, 'utf8')).trim();
      const dnsNames = publicHost === undefined ? [] : [publicHost];
      const tls = await serving({ directory: join(options.dataDir, 'pki'), commonName: 'Kairship CA', dnsNames });
      const metrics = processMetrics();
      const front = await openFront(options, tls, program, metrics);
      const base = await foundation(options, { adminToken, tls, program });
      const { global, ghippo, panda, pool, members, people, index, read, shared } = base;
      const parts = { client: global.client, database: people, pool, reads: read, members, log, metrics, runs };
      const controllers = options.kubeconfig === undefined ? runControllers(parts, shared, signal) : undefined;
      const url = options.publicUrl?.replace(/\/$/, '') ?? `https://${options.host}:${front.port}`;
      const identifies = identify({ identities: ghippo, adminToken, admin: ADMIN });
      front.open(
        behind({ ...base, registries, options, adminToken, ca: tls.ca.cert, url, identifies, metrics, program }),
      );
      program.ready({ port: front.port, global: global.url });
      if (program.alone) process.stdout.write(`Kairship serves at ${url}\n`);

      return async () => {
        await front.close();
        await Promise.all([controllers, panda.ended]);
        members.close();
        await Promise.all([people.close(), index.close()]);
        await global.close();
      };
    },
    options,
  );
}

function requireShared({ kubeconfig, index, database }: PlatformOptions): void {
  if (kubeconfig === undefined || (index !== undefined && database !== undefined)) return;
  throw new CommandFailure('--kubeconfig needs --index and --database', {
    why: 'what is not in a shared global cluster has to be shared as well',
    next: 'see docs/operations.md, or leave --kubeconfig out for a global cluster of its own',
    code: EXIT.usage,
  });
}

/** What is behind the entrance. */
interface Behind {
  readonly door: Entrance;
  readonly handle: (request: NodeRequest, response: NodeResponse) => boolean;
  readonly identifies: Identify;
  readonly checks: readonly Check[];
}

interface Front {
  readonly port: number;
  open(behind: Behind): void;
  close(): Promise<void>;
}

/** How long requests under way may take to end when the program stops; less when a person waits for all of it. */
const GRACE_MS = { alone: 5_000, supervised: 500 };

/** The port, from the first moment: whoever comes before there is anything behind it is told so. */
async function openFront(
  { host, port }: PlatformOptions,
  tls: Serving,
  { signal, alone }: Program,
  metrics: Metrics,
): Promise<Front> {
  let behind: Behind | undefined;
  const early = new StatusError('ServiceUnavailable', 'the platform is starting');
  const started: Check = { name: 'started', trouble: () => (behind ? undefined : early.message) };
  const stopping: Check = { name: 'stopping', trouble: () => (signal.aborted ? 'the program is stopping' : undefined) };
  const pages = health({
    checks: () => [started, stopping, ...(behind?.checks ?? [])],
    metrics,
    async mayMeasure({ method = 'GET', headers, socket }) {
      if (!behind) throw early;
      if (!(await behind.identifies({ method, headers, address: socket.remoteAddress })))
        throw new StatusError('Unauthorized', 'sign in first: what is measured is not for everybody');
    },
  });
  const server = onePort({
    tls: tls.current(),
    onRequest(request, response) {
      if (pages(request, response)) return;
      if (behind) behind.door.request(request, response);
      else refuse(response, early);
    },
    onHttp2: (request, response) => void (behind?.handle(request, response) || response.writeHead(404).end()),
    onUpgrade: (request, socket, head) => (behind ? behind.door.upgrade(request, socket, head) : socket.destroy()),
  });
  return {
    port: await server.listen(port, host),
    open: (given) => void (behind = given),
    close: () => server.close(alone ? GRACE_MS.alone : GRACE_MS.supervised),
  };
}

interface Foundation {
  readonly global: GlobalCluster;
  readonly ghippo: Ghippo;
  readonly panda: Kpanda;
  readonly pool: InstancePool;
  readonly instanceClusters: ClustersOf;
  readonly members: MemberClients;
  readonly people: Database;
  readonly index: SqlDatabase;
  readonly read: Reads;
  readonly shared: Informers;
}

/** What everything stands on; waited for, where others run it. */
async function foundation(
  options: PlatformOptions,
  { adminToken, tls, program }: { readonly adminToken: string; readonly tls: Serving; readonly program: Program },
): Promise<Foundation> {
  const { log, signal } = program;
  const { dataDir, kubeconfig } = options;
  // Instances are found by what is in the global cluster, which in turn asks them before one may go.
  const asked = Promise.withResolvers<ClustersOf>();
  const deletion = instanceDeletion(async (instance) => (await asked.promise)(instance));
  const global = kubeconfig
    ? await sharedGlobalCluster(kubeconfig)
    : await ownGlobalCluster({ dataDir, port: options.globalPort, tls, adminToken, admission: [deletion], log });
  const { client } = global;
  const index = openIndex(options.index ?? join(dataDir, 'index.db'));
  const at = options.database ?? join(dataDir, 'people.db');
  const people = await insist('the database', () => openPeople(at), program);
  const shared = informers(client, { log, signal });
  const follows = kubeconfig === undefined;
  const [ghippo, panda] = await Promise.all([
    insist('identities', () => startGhippo({ client, database: people, informers: shared, log, signal }), program),
    insist('the index', () => kpanda({ client, database: index, identity: hostname(), follows, log, signal }), program),
    insist('instances', () => installInstances(client, systemClock, signal), program),
  ]);
  const read = reads(panda.reader, systemClock);
  const pool = instancePool({ client, log, signal });
  const instanceClusters = clustersOf(
    read,
    platformClients((name) => pool.find(name)),
  );
  asked.resolve(instanceClusters);
  await Promise.all([pool.ready, ghippo.ready]);
  await insist('the administrator', () => ensureFirstAdmin(ghippo), program);
  const members = memberClients({ client });
  return { global, ghippo, panda, pool, instanceClusters, members, people, index, read, shared };
}

interface BehindParts extends Foundation {
  readonly registries: readonly { readonly name: string; readonly url: string }[];
  readonly options: PlatformOptions;
  readonly adminToken: string;
  readonly ca: string;
  readonly url: string;
  readonly identifies: Identify;
  readonly metrics: Metrics;
  readonly program: Program;
}

function behind({ global, ghippo, panda, pool, members, read, ...parts }: BehindParts): Behind {
  const { options, adminToken, identifies, program } = parts;
  const { log } = program;
  const common = {
    identify: identifies,
    access: ghippo.snapshot,
    audit: auditTrail(ghippo, parts.metrics, log),
    clock: systemClock,
    log,
  };
  const find = (name: string) => pool.find(name);
  const [clients, admit] = [instanceClients(find), admission(ghippo)];
  const services = {
    ...common,
    global: global.client,
    clients: (address: InstanceAddress, caller: PlatformCaller) => clients(address, admit(caller, address.instance)),
    reads: read,
  };
  const api = platformApi({
    ...services,
    members,
    clustersOf: parts.instanceClusters,
    instances: platformClients(find),
    search: search(panda.reader),
    watches: watches(panda.reader, systemClock),
    workspaces: ghippo.workspaces,
    ids: randomIds,
    registries: parts.registries,
    prometheus: options.prometheus,
    kubeconfig: kubeconfigs({ ghippo, ca: parts.ca, url: parts.url }),
    agentToken: agentTokens(parts),
    version,
  });
  const identityApi = ghippoApi({ ghippo: withAdministrator(ghippo, adminToken), clock: systemClock, log });
  const kubectlIndex = indexDoor({ kpanda: panda, identify: identifies, access: ghippo.snapshot });
  const inventory = inventoryApi({ ...common, registry: panda.registry, members });
  const handle = (request: NodeRequest, response: NodeResponse) =>
    [api, identityApi, inventory, kubectlIndex].some((each) => each.handle(request, response));
  const files = consoleFiles(resolve(import.meta.dirname, '..', 'console'));
  const host = publicHostOf(options);
  const door = entrance({
    // Only kubectl may ask for the global cluster itself, never the API in the place of an instance.
    proxy: instanceProxy((name) => (name === GLOBAL_CLUSTER ? global.transport : find(name))),
    identify: identifies,
    admit,
    agents: agentCallers({ instances: platformClients(find), clock: systemClock }),
    desk: signInDesk({ identities: ghippo, files }),
    console: files,
    api: handle,
    terminals: shellTerminals(services),
    record: kubeRecords(ghippo, log),
    ready: () => ghippo.snapshot.isReady(),
    ...(host === undefined ? {} : { hosts: [host] }),
  });
  const permissions: Check = {
    name: 'permissions',
    trouble: () => (ghippo.snapshot.isReady() ? undefined : 'who may do what is not known yet'),
  };
  return { door, handle, identifies, checks: [permissions] };
}

function registryAddress(text: string): { readonly name: string; readonly url: string } {
  const [, name = '', url = ''] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (!URL.canParse(url)) throw badRequest(`--registry ${text}: say it as name=https://host`);
  return { name, url };
}

function publicHostOf({ publicUrl }: PlatformOptions): string | undefined {
  if (publicUrl === undefined) return undefined;
  if (!URL.canParse(publicUrl)) throw badRequest(`--public-url ${publicUrl}: say it as https://host[:port]`);
  return new URL(publicUrl).hostname;
}
