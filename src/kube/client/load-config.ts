/**
 * A {@link ClusterConfig} from where configurations are found: kubeconfigs and the surroundings of a pod.
 *
 * Embedded data wins over files, as with kubectl. Tokens in files are read again when they may have been rotated, exec
 * plugins run when their credential ends (see `exec-credential.ts`). Refused: auth provider plugins, which Kubernetes
 * has removed; and in a kubeconfig that is not trusted, whatever would run a program or read a file here.
 */
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { type Clock, systemClock } from '#base/clock.ts';
import { badRequest } from '#base/status-error.ts';
import type { ClusterConfig, TokenProvider } from './cluster-config.ts';
import { execCredential } from './exec-credential.ts';
import {
  type Kubeconfig,
  type KubeconfigCluster,
  type KubeconfigUser,
  mergeKubeconfigs,
  readKubeconfig,
} from './kubeconfig.ts';

export interface ConfigOptions {
  /** The context to use; the file's current one when absent. */
  readonly context?: string;
  /** What relative paths in it are relative to. */
  readonly directory?: string;
  /** Whether it may run exec plugins and read files; never for what a user uploaded. False when absent. */
  readonly trusted?: boolean;
  readonly clock?: Clock;
}

/** What a context says, ready to connect; `namespace` is its default one. */
export type LoadedConfig = ClusterConfig & { readonly context: string; readonly namespace: string };

/** Reads `path`, or the files kubectl would read: those in KUBECONFIG, else ~/.kube/config. */
export async function loadKubeconfig(path?: string, options: Omit<ConfigOptions, 'directory'> = {}) {
  const paths = path === undefined ? defaultPaths() : [path];
  const files = await Promise.all(paths.map(readKubeconfig));
  return clusterConfig(mergeKubeconfigs(files), { trusted: true, ...options });
}

/** What one context of a kubeconfig says. */
export async function clusterConfig(config: Kubeconfig, options: ConfigOptions = {}): Promise<LoadedConfig> {
  const name = options.context ?? config['current-context'] ?? '';
  const context = named('context', config.contexts, name).context;
  const cluster = named('cluster', config.clusters, context.cluster).cluster;
  const user = context.user ? (named('user', config.users, context.user).user ?? {}) : {};
  if (!/^https?:\/\//.test(cluster.server ?? '')) {
    throw badRequest(`cluster "${context.cluster}" of the kubeconfig has no http or https server`);
  }
  if (!options.trusted) refuseReachingOut(cluster, user);
  const ca = await dataOrFile(cluster, 'certificate-authority', options.directory);
  return {
    context: name,
    namespace: context.namespace ?? 'default',
    server: cluster.server,
    ...(ca === undefined ? {} : { ca }),
    ...(cluster['insecure-skip-tls-verify'] ? { insecureSkipTlsVerify: true } : {}),
    ...(cluster['tls-server-name'] ? { tlsServerName: cluster['tls-server-name'] } : {}),
    ...(cluster['proxy-url'] ? { proxyUrl: cluster['proxy-url'] } : {}),
    ...(await credentials(user, cluster, options)),
    ...impersonation(user),
    ...(options.clock ? { clock: options.clock } : {}),
  };
}

async function credentials(
  user: KubeconfigUser,
  cluster: KubeconfigCluster,
  { directory, clock = systemClock }: ConfigOptions,
): Promise<Pick<ClusterConfig, 'token' | 'clientCert' | 'basicAuth'>> {
  const provider = user['auth-provider'];
  if (provider) throw badRequest(`auth provider "${provider.name ?? ''}" is not supported: use an exec plugin`);
  const cert = await dataOrFile(user, 'client-certificate', directory);
  const key = await dataOrFile(user, 'client-key', directory);
  if ((cert === undefined) !== (key === undefined)) {
    throw badRequest('the kubeconfig has a client certificate without its key, or a key without its certificate');
  }
  const exec = user.exec && execCredential(user.exec, { cluster, clock, ...(directory ? { directory } : {}) });
  return {
    ...(cert !== undefined && key !== undefined ? { clientCert: { cert, key } } : {}),
    ...(exec ? { token: exec.token, ...(cert === undefined ? { clientCert: exec.clientCert } : {}) } : {}),
    ...(user.tokenFile ? { token: fileToken(resolve(directory ?? '.', user.tokenFile), clock) } : {}),
    ...(user.token ? { token: user.token } : {}),
    ...(user.username ? { basicAuth: { username: user.username, password: user.password ?? '' } } : {}),
  };
}

function impersonation(user: KubeconfigUser): Pick<ClusterConfig, 'impersonate'> {
  if (!user.as) return {};
  return {
    impersonate: {
      user: user.as,
      ...(user['as-uid'] ? { uid: user['as-uid'] } : {}),
      ...(user['as-groups'] ? { groups: user['as-groups'] } : {}),
      ...(user['as-user-extra'] ? { extra: user['as-user-extra'] } : {}),
    },
  };
}

/** A token that something else keeps fresh in a file, as kubelets do: read at most once a minute, or when refused. */
export function fileToken(path: string, clock: Clock = systemClock): TokenProvider {
  let kept: { readonly token: string; readonly readAt: number } | undefined;
  return async (rejected) => {
    if (!kept || rejected === kept.token || clock.now() - kept.readAt > 60_000) {
      kept = { token: (await readFile(path, 'utf8')).trim(), readAt: clock.now() };
    }
    return kept.token;
  };
}

const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

/** The configuration a pod finds around itself; undefined when this is no pod. */
export async function inClusterConfig(
  env: Readonly<Record<string, string | undefined>> = process.env,
  directory = SERVICE_ACCOUNT,
): Promise<LoadedConfig | undefined> {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = env;
  if (!host || !port) return undefined;
  return {
    context: 'in-cluster',
    server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    ca: await readFile(join(directory, 'ca.crt'), 'utf8'),
    token: fileToken(join(directory, 'token')),
    namespace: (await readFile(join(directory, 'namespace'), 'utf8')).trim(),
  };
}

function defaultPaths(): readonly string[] {
  const listed = (process.env['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '');
  return listed.length > 0 ? listed : [join(homedir(), '.kube', 'config')];
}

function named<T extends { readonly name: string }>(what: string, all: readonly T[] | undefined, name: string): T {
  const found = all?.find((item) => item.name === name);
  if (!found) throw badRequest(`the kubeconfig has no ${what} "${name}"`);
  return found;
}

function refuseReachingOut(cluster: KubeconfigCluster, user: KubeconfigUser): void {
  if (user.exec) throw badRequest('the kubeconfig runs an exec plugin; only embedded credentials are accepted here');
  const files = [cluster['certificate-authority'], user['client-certificate'], user['client-key'], user.tokenFile];
  const file = files.find((path) => path !== undefined && path !== '');
  if (file) throw badRequest(`the kubeconfig refers to the file "${file}"; only embedded data is accepted here`);
}

async function dataOrFile<K extends string>(
  holder: { readonly [Key in K | `${K}-data`]?: string },
  field: K,
  directory = '.',
): Promise<string | undefined> {
  const { [`${field}-data`]: data, [field]: path } = holder as Readonly<Record<string, string | undefined>>;
  if (data) return Buffer.from(data, 'base64').toString('utf8');
  return path ? readFile(resolve(directory, path), 'utf8') : undefined;
}
