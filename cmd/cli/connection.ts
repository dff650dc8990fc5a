/**
 * The platform a command speaks to, and how.
 *
 * It is found where the reader would look: what the command line or the environment names (`--server`, `--token`), a
 * platform started in a folder that is named (`--data-dir`), the context one signed in to, and last the platform
 * started in this folder. Everything goes through the platform's one entrance, as the one who signed in.
 */
import { readFile } from 'node:fs/promises';
import { Agent } from 'node:https';
import { join } from 'node:path';
import type { DescService } from '@bufbuild/protobuf';
import type { Client, Interceptor } from '@connectrpc/connect';
import { createConnectTransport } from '@connectrpc/connect-node';
import { InstanceService } from '#gen/proto/kairship/api/instance/v1alpha1/instance_service_pb.ts';
import { type HttpClient, httpClient } from '#kube/client/http-client.ts';
import { loadKubeconfig } from '#kube/client/load-config.ts';
import { rpcClient } from '#rpc/rpc-client.ts';
import { DEFAULT_DIRECTORY } from '../up/default-directory.ts';
import { allPages } from './all-pages.ts';
import { findContext, readContexts } from './contexts.ts';
import { CommandFailure, EXIT, usageFailure } from './failure.ts';
import { notRunning } from './not-running.ts';
import { platformAddress } from './platform-address.ts';

/** What every command that speaks to a platform can be told. */
export interface ConnectionOptions {
  readonly server?: string;
  readonly token?: string;
  /** A file with the authority of the server's certificate. */
  readonly certificateAuthority?: string;
  readonly dataDir?: string;
  readonly context?: string;
  readonly instance?: string;
}

/** Where a platform is, and as whom to speak to it. */
export interface Platform {
  readonly server: string;
  readonly token: string;
  readonly ca?: string;
  readonly instance?: string;
  readonly user?: string;
  /** How it was found: flags for another command that is to find the same one. */
  readonly found: readonly string[];
  /** The same, in words. */
  readonly because: string;
}

export interface Connection extends Platform {
  /** A service of the platform; its failures are StatusErrors. */
  rpc<Desc extends DescService>(service: Desc): Client<Desc>;
  /** The API of an instance, or of one of its members. */
  kube(instance: string, cluster?: string): HttpClient;
  /** The instance that is meant: the one named, the context's, or the only one there is. */
  theInstance(): Promise<string>;
  close(): void;
}

/** The path of a member's API below an instance's. */
export const memberPath = (cluster: string) =>
  `/apis/cluster.karmada.io/v1alpha1/clusters/${encodeURIComponent(cluster)}/proxy`;

export const instanceUrl = (server: string, instance: string) =>
  `${server}/instances/${encodeURIComponent(instance)}/kube`;

/** Runs `work` with a connection, and ends it whatever happens. */
export async function connected<T>(options: ConnectionOptions, work: (on: Connection) => Promise<T>): Promise<T> {
  const connection = connectTo(await findPlatform(options), options);
  try {
    return await work(connection);
  } finally {
    connection.close();
  }
}

export function connectTo(platform: Platform, options: ConnectionOptions = {}): Connection {
  const { server, token, ca } = platform;
  const agent = new Agent({ keepAlive: true, ...(ca === undefined ? {} : { ca }) });
  const transport = createConnectTransport({
    baseUrl: server,
    httpVersion: '1.1',
    nodeOptions: server.startsWith('https:') ? { agent } : {},
    interceptors: [bearing(token), onFreshConnections(agent)],
  });
  const clients: HttpClient[] = [];
  let known: Promise<string> | undefined;

  function rpc<Desc extends DescService>(service: Desc): Client<Desc> {
    return rpcClient(service, transport);
  }

  return {
    ...platform,
    rpc,
    kube(instance, cluster) {
      const url = instanceUrl(server, instance) + (cluster === undefined ? '' : memberPath(cluster));
      const client = httpClient({ server: url, token, ...(ca === undefined ? {} : { ca }), userAgent: 'kairship' });
      clients.push(client);
      return client;
    },
    theInstance() {
      const named = options.instance ?? platform.instance;
      known ??= named === undefined ? onlyInstance(rpc(InstanceService)) : Promise.resolve(named);
      return known;
    },
    close() {
      agent.destroy();
      for (const client of clients) client.close();
    },
  };
}

const bearing =
  (token: string): Interceptor =>
  (next) =>
  (request) => {
    request.header.set('authorization', `Bearer ${token}`);
    request.header.set('user-agent', 'kairship');
    return next(request);
  };

const IDLE_MS = 2_000;

/** A server ends connections that nobody uses, after 5 s: one that it may be ending just now is not used again. */
function onFreshConnections(agent: Agent): Interceptor {
  let used = 0;
  return (next) => async (request) => {
    if (Date.now() - used > IDLE_MS) for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy();
    try {
      return await next(request);
    } finally {
      used = Date.now();
    }
  };
}

async function onlyInstance(instances: Client<typeof InstanceService>): Promise<string> {
  const items = await allPages((page) => instances.listInstances(page));
  const names = items.map(({ metadata }) => metadata?.name ?? '');
  const [only, ...others] = names;
  if (only === undefined)
    throw new CommandFailure('there is no instance', {
      why: 'none was created, or you may see none',
      next: 'kairship instance create NAME',
      code: EXIT.notFound,
    });
  if (others.length > 0)
    throw usageFailure(
      `which of ${names.length} instances?`,
      `there are ${names.join(', ')}`,
      `name one with -i ${only}, or once for all: kairship use ${only}`,
    );
  return only;
}

export async function findPlatform(options: ConnectionOptions): Promise<Platform> {
  const env = process.env;
  const server = options.server ?? env['KAIRSHIP_SERVER'];
  if (server !== undefined) return namedServer(server, options);
  const directory = options.dataDir ?? env['KAIRSHIP_DATA_DIR'];
  if (directory !== undefined) return localPlatform(directory);
  const contexts = await readContexts();
  const context = findContext(contexts, options.context);
  if (context) {
    const { name } = context;
    return { ...context, found: ['--context', name], because: `context ${name}` };
  }
  if (options.context !== undefined)
    throw new CommandFailure(`there is no context "${options.context}"`, {
      why: `there are ${contexts.contexts.map(({ name }) => name).join(', ') || 'none'}`,
      next: 'kairship login URL',
      code: EXIT.notFound,
    });
  return localPlatform(DEFAULT_DIRECTORY);
}

async function namedServer(server: string, options: ConnectionOptions): Promise<Platform> {
  const token = options.token ?? process.env['KAIRSHIP_TOKEN'];
  if (token === undefined)
    throw usageFailure(`no token for ${server}`, 'a server was named without one', `kairship login ${server}`);
  const file = options.certificateAuthority ?? process.env['KAIRSHIP_CA'];
  const ca = file === undefined ? undefined : await readFile(file, 'utf8');
  return {
    server: platformAddress(server).origin,
    token,
    ...(ca === undefined ? {} : { ca }),
    found: ['--server', server, ...(file === undefined ? [] : ['--certificate-authority', file])],
    because: options.server === undefined ? 'KAIRSHIP_SERVER' : '--server',
  };
}

/** The platform that `kairship up` started in a folder, as its administrator. */
export async function localPlatform(dataDir: string): Promise<Platform> {
  const config = await loadKubeconfig(join(dataDir, 'admin.kubeconfig')).catch((cause: unknown) => {
    throw notRunning(dataDir, cause);
  });
  const { server, ca, token } = config;
  return {
    server: new URL(server).origin,
    token: typeof token === 'string' ? token : '',
    ...(ca === undefined ? {} : { ca }),
    found: ['--data-dir', dataDir],
    because: `the platform in ${dataDir}`,
  };
}
