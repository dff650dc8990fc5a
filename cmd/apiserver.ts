import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { systemClock } from '#base/clock.ts';
import { sameText } from '#base/same-text.ts';
import { randomIds } from '#base/ids.ts';
import type { Log } from '#base/log.ts';
import { badRequest, StatusError } from '#base/status-error.ts';
import { instanceScope } from '#ghippo/apis/scope.ts';
import { ensureFirstAdmin, FIRST_ADMIN } from '#ghippo/bootstrap.ts';
import { ghippoControllers } from '#ghippo/controllers.ts';
import type { Database } from '#ghippo/database/database.ts';
import { sqliteDatabase as peopleDatabase } from '#ghippo/database/sqlite-database.ts';
import { type Ghippo, startGhippo } from '#ghippo/ghippo.ts';
import { ghippoApi } from '#ghippo/services/index.ts';
import { isOnRecord, recordOf } from '#kairship/access/audit-trail.ts';
import type { PlatformCaller } from '#kairship/access/authorize.ts';
import { identify } from '#kairship/access/identify.ts';
import { instanceGroups } from '#kairship/access/instance-groups.ts';
import { clusterSyncController } from '#kairship/controllers/cluster-sync-controller.ts';
import { globalResourceRegistryController } from '#kairship/controllers/global-resource-registry-controller.ts';
import { instanceRegistryController } from '#kairship/controllers/instance-registry-controller.ts';
import { rbacSyncController } from '#kairship/controllers/rbac-sync-controller.ts';
import { resourceStatisticsController } from '#kairship/controllers/resource-statistics-controller.ts';
import { virtualClusterSyncController } from '#kairship/controllers/virtual-cluster-sync-controller.ts';
import { installInstances, instanceController, statusSyncController } from '#kairship/instances/index.ts';
import { askInstance } from '#kairship/proxy/ask-instance.ts';
import { instanceClients, memberPath, platformClients } from '#kairship/proxy/instance-client.ts';
import { type InstancePool, instancePool } from '#kairship/proxy/instance-pool.ts';
import { GLOBAL_CLUSTER, instanceProxy } from '#kairship/proxy/instance-proxy.ts';
import { indexDoor } from '#kairship/read/index-door.ts';
import { type Reads, reads } from '#kairship/read/reads.ts';
import { search } from '#kairship/read/search.ts';
import { watches } from '#kairship/read/watches.ts';
import { consoleFiles } from '#kairship/services/console-files.ts';
import { entrance } from '#kairship/services/entrance.ts';
import { inventoryApi } from '#kairship/services/inventory-api.ts';
import { platformApi, type PlatformApiDeps } from '#kairship/services/platform-api.ts';
import { signInDesk } from '#kairship/services/sign-in.ts';
import { sqliteDatabase as indexDatabase } from '#kpanda/index/index.ts';
import { kpanda } from '#kpanda/kpanda.ts';
import { type MemberClients, memberClients } from '#kpanda/registry/index.ts';
import { type ApiServer, clientCertificates, MASTERS, staticTokens } from '#kube/apiserver/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { kubeconfigFor, kubeconfigText, saveKubeconfig } from '#kube/client/kubeconfig.ts';
import { type Transport, transport } from '#kube/client/transport.ts';
import { controlPlane } from '#kube/control-plane/index.ts';
import { type Serving, serving } from '#kube/pki/serving.ts';
import { type Informers, informers, manager } from '#kube/runtime/index.ts';
import { sqliteStore, type Store } from '#kube/store/index.ts';
import { type NodeRequest, type NodeResponse, onePort } from '#rpc/index.ts';
import { serviceAccountKey } from './kube-program.ts';
import { runProgram } from './program.ts';
import { version } from './version.ts';

export interface PlatformOptions {
  readonly host: string;
  readonly port: number;
  readonly globalPort: number;
  readonly dataDir: string;
  readonly tokenFile: string;
  /** Registries of images, each as `name=url`. */
  readonly registry: readonly string[];
  /** The address of a metrics store. */
  readonly prometheus?: string;
}

/** `kairship apiserver`: the platform's entrance, with identities, inventory and index, on a global cluster of its own. */
export function apiserver(options: PlatformOptions): Promise<void> {
  return runProgram('apiserver', async (program) => {
    const { log, signal } = program;
    const adminToken = (await readFile(options.tokenFile, 'utf8')).trim();
    const pki = join(options.dataDir, 'pki');
    const tls = await serving({ directory: pki, commonName: 'Kairship CA' });
    const store = await sqliteStore({ file: join(options.dataDir, 'store.db'), durability: 'full', log });
    const global = await globalCluster({ store, tls, pki, adminToken, log });
    const client = global.client(undefined, 'kairship');
    const [people, index] = [
      await peopleDatabase(join(options.dataDir, 'people.db')),
      indexDatabase({ file: join(options.dataDir, 'index.db') }),
    ];
    const shared = informers(client, { log, signal });
    const [ghippo, panda] = await Promise.all([
      startGhippo({ client, database: people, informers: shared, log, signal }),
      kpanda({ client, database: index, identity: hostname(), log, signal }),
      installInstances(client, systemClock, signal),
    ]);
    const pool = instancePool({ client, log, signal });
    await Promise.all([pool.ready, ghippo.ready]);
    await ensureFirstAdmin(ghippo);
    const read = reads(panda.reader, systemClock);
    const members = memberClients({ client });
    const controllers = runControllers({ client, shared, people, pool, read, members, log, signal });

    const address = Promise.withResolvers<string>();
    const parts = { ghippo, adminToken, ca: tls.ca.cert, address: address.promise };
    const identifies = identify({ identities: ghippo, adminToken, admin: ADMIN });
    let own_: Transport | undefined;
    const find = (name: string) => pool.find(name);
    // Only kubectl may ask for the global cluster itself, never the API in the place of an instance.
    const findAll = (name: string) => (name === GLOBAL_CLUSTER ? own_ : find(name));
    const [clients, admit] = [instanceClients(find), admission(ghippo)];
    const api = platformApi({
      global: client,
      clients: (address, caller) => clients(address, admit(caller, address.instance)),
      members,
      reads: read,
      search: search(panda.reader, read),
      watches: watches(panda.reader, systemClock),
      access: ghippo.snapshot,
      workspaces: ghippo.workspaces,
      ids: randomIds,
      registries: options.registry.map(registryAddress),
      prometheus: options.prometheus,
      clock: systemClock,
      identify: identifies,
      kubeconfig: kubeconfigs(parts),
      audit: auditTrail(ghippo, log),
      log,
      version,
    });
    const identityApi = ghippoApi({ ghippo: withAdministrator(ghippo, adminToken), clock: systemClock, log });
    const kubectlIndex = indexDoor({ kpanda: panda, identify: identifies, access: ghippo.snapshot });
    const inventory = inventoryApi({
      registry: panda.registry,
      members,
      identify: identifies,
      access: ghippo.snapshot,
      audit: auditTrail(ghippo, log),
      clock: systemClock,
      log,
    });
    const handle = (request: NodeRequest, response: NodeResponse) =>
      [api, identityApi, inventory, kubectlIndex].some((each) => each.handle(request, response));
    const files = consoleFiles(resolve(import.meta.dirname, '..', 'console'));
    const door = entrance({
      proxy: instanceProxy(findAll),
      identify: identifies,
      admit,
      desk: signInDesk({ identities: ghippo, files }),
      console: files,
      api: handle,
      ready: () => !signal.aborted && ghippo.snapshot.isReady(),
    });
    const server = onePort({
      tls: tls.current(),
      onRequest: (...exchange) => door.request(...exchange),
      onHttp2: (request, response) => void (handle(request, response) || response.writeHead(404).end()),
      onUpgrade: (...asked) => door.upgrade(...asked),
    });
    const port = await server.listen(options.port, options.host);
    address.resolve(`https://${options.host}:${port}`);
    const own = await global.listen({ port: options.globalPort, tls: { ...tls.current(), ca: tls.ca.cert } });
    const config = kubeconfigFor({ name: 'global', server: own.url, ca: tls.ca.cert, token: adminToken });
    await saveKubeconfig(join(options.dataDir, 'kubeconfig'), config);
    own_ = transport({ server: own.url, ca: tls.ca.cert, token: adminToken });
    program.ready({ port, global: own.url });
    if (program.alone) process.stdout.write(`Kairship serves at https://${options.host}:${port}\n`);

    return async () => {
      await server.close();
      await Promise.all([controllers, panda.ended]);
      members.close();
      own_?.close();
      await Promise.all([people.close(), index.close()]);
      await global.close();
      await store.close();
    };
  });
}

function registryAddress(text: string): { readonly name: string; readonly url: string } {
  const [, name = '', url = ''] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (!URL.canParse(url)) throw badRequest(`--registry ${text}: say it as name=https://host`);
  return { name, url };
}

/** The administrator of this installation: a user like others, and beyond all rules inside instances. */
const ADMIN: PlatformCaller = { user: FIRST_ADMIN, groups: [MASTERS] };

/** The identity module, to which the administrator's token of this installation is theirs too. */
function withAdministrator(ghippo: Ghippo, adminToken: string): Ghippo {
  const admin = { user: FIRST_ADMIN, method: 'token' } as const;
  const isAdmin = (bearer: string | undefined) => bearer !== undefined && sameText(bearer, adminToken);
  return { ...ghippo, authenticate: async (shown) => (isAdmin(shown.bearer) ? admin : ghippo.authenticate(shown)) };
}

/** Who a caller is inside an instance or the global cluster: nobody, unless they were given something there. */
function admission({ snapshot }: Ghippo): (caller: PlatformCaller, instance: string) => PlatformCaller {
  return (caller, instance) => {
    if (caller === ADMIN) return caller;
    if (instance === GLOBAL_CLUSTER)
      throw new StatusError('Forbidden', 'only the administrator of the installation may do this');
    const groups = instanceGroups(snapshot, caller, instance);
    if (groups.length > 0) return { user: caller.user, groups };
    throw new StatusError('Forbidden', `user "${caller.user}" has no rights in instance "${instance}"`);
  };
}

interface KubeconfigParts {
  readonly ghippo: Ghippo;
  readonly ca: string;
  readonly address: Promise<string>;
}

/** Kubeconfigs through the entrance, each with a token of its own that opens one instance and nothing else. */
function kubeconfigs({ ghippo, ca, address }: KubeconfigParts): PlatformApiDeps['kubeconfig'] {
  return async ({ user }, { instance, members, seconds }) => {
    const { text: token } = await ghippo.tokens.createToken(
      { user, method: 'session' },
      {
        description: `kubeconfig of instance ${instance}`,
        scopes: [instanceScope(instance)],
        ...(seconds > 0 ? { lifeMs: seconds * 1000 } : {}),
      },
    );
    const server = `${await address}/instances/${encodeURIComponent(instance)}/kube`;
    const of = members.map((name) => ({ name: `${instance}/${name}`, server: server + memberPath(name), ca, token }));
    return kubeconfigText(kubeconfigFor({ name: instance, server, ca, token }, ...of));
  };
}

/** Writes and refusals go on record; whoever only looks leaves no trace. */
function auditTrail({ audit }: Ghippo, log: Log): PlatformApiDeps['audit'] {
  return (call) => {
    if (!isOnRecord(call)) return;
    audit.record(recordOf(call)).catch((error: unknown) => log.error('a call is not on record', { error }));
  };
}

interface GlobalParts {
  readonly store: Store;
  readonly tls: Serving;
  readonly pki: string;
  readonly adminToken: string;
  readonly log: Log;
}

/** The platform's own Kubernetes, where instances, clusters and people are written down. */
async function globalCluster({ store, tls, pki, adminToken, log }: GlobalParts): Promise<ApiServer> {
  return controlPlane({
    store,
    log,
    authenticators: [staticTokens({ [adminToken]: { name: 'admin', groups: [MASTERS] } }), clientCertificates()],
    serviceAccountKey: await serviceAccountKey(pki),
    ca: () => tls.ca.cert,
    signingAuthority: tls.ca,
    defaultServiceAccounts: false,
  });
}

interface ControllerParts {
  readonly client: KubeClient;
  readonly shared: Informers;
  readonly people: Database;
  readonly pool: InstancePool;
  readonly read: Reads;
  readonly members: MemberClients;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** Resolves when all of them have ended, after the signal has aborted. */
function runControllers({ client, shared, people, pool, read, members, log, signal }: ControllerParts): Promise<void> {
  const ask = (name: string, asking: AbortSignal) => askInstance((wanted) => pool.find(wanted), name, asking);
  const instances = platformClients((wanted) => pool.find(wanted));
  const common = { client, informers: shared };
  const controllers = [
    instanceController(common),
    statusSyncController({ ...common, clock: systemClock, ask }),
    globalResourceRegistryController(common),
    instanceRegistryController(common),
    virtualClusterSyncController(common),
    clusterSyncController({ ...common, instances, members, clock: systemClock, log }),
    resourceStatisticsController({ ...common, reads: read }),
    rbacSyncController({ informers: shared, instances }),
    ...ghippoControllers({ client, database: people, informers: shared }),
  ];
  return manager({ client, controllers, informers: shared, log }).start(signal);
}
