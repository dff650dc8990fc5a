/**
 * Clients of clusters, made from their Secrets. A new credential is tried before it takes the place of the old one: it
 * must work, and be of the same cluster. One that is not is reported, and the old one stays in use.
 */
import { type Clock, systemClock } from '#base/clock.ts';
import { StatusError } from '#base/status-error.ts';
import { type ClusterConfig, clusterConfig, type HttpClient, httpClient, parseKubeconfig } from '#kube/client/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { type Cluster, KUBECONFIG_KEY, secrets as secretsOf } from './cluster.ts';
import { type Credential, credentialOf } from './credential.ts';
import { identityOf } from './validate-kubeconfig.ts';

export interface Connection {
  readonly client: HttpClient;
  readonly credential: Credential;
  /** How the kubeconfig says it is reached. */
  readonly reached: Pick<ClusterConfig, 'server' | 'ca' | 'insecureSkipTlsVerify' | 'proxyUrl'>;
  /** Another one means that everything made with the old client is to be made anew. */
  readonly version: string;
  /** What is wrong with the credential that is in the Secret now; this one is the one before. */
  readonly problem?: string;
}

export interface MemberClients {
  /** The connection to a cluster; throws when its Secret cannot be used and there was none before. */
  connect(cluster: Cluster): Promise<Connection>;
  /** Ends the connections to a cluster. */
  forget(name: string): void;
  close(): void;
}

const PROBE_MS = 10_000;

export function memberClients(deps: { readonly client: KubeClient; readonly clock?: Clock }): MemberClients {
  const { clock = systemClock } = deps;
  const secrets = secretsOf(deps.client);
  const known = new Map<string, Connection>();

  async function candidate(cluster: Cluster, kubeconfig: string, version: string): Promise<Connection> {
    const found = await clusterConfig(parseKubeconfig(kubeconfig));
    const config = {
      ...found,
      server: found.server.replace(/\/$/, '') + (cluster.spec.apiPath ?? ''),
      timeoutMs: PROBE_MS,
      clock,
    };
    return { client: httpClient(config), credential: credentialOf(config), reached: config, version };
  }

  /** Throws when a connection is not to this cluster, or to none. */
  async function prove({ client }: Connection, { metadata, status }: Cluster): Promise<void> {
    const identity = await identityOf(client);
    const expected = status?.kubeSystemID;
    if (expected === undefined || identity === undefined || identity === expected) return;
    throw new StatusError(
      'Invalid',
      `the credential in its Secret is of another cluster: kube-system is ${identity}, that of "${metadata.name}" ${expected}`,
    );
  }

  async function replace(cluster: Cluster, old: Connection, fresh: Connection): Promise<Connection> {
    const { name } = cluster.metadata;
    try {
      await prove(fresh, cluster);
      old.client.close();
      known.set(name, fresh);
      return fresh;
    } catch (error) {
      fresh.client.close();
      const problem = error instanceof Error ? error.message : String(error);
      const kept = { ...old, problem };
      known.set(name, kept);
      return kept;
    }
  }

  return {
    async connect(cluster) {
      const { name } = cluster.metadata;
      const { secretRef } = cluster.spec;
      const secret = await secrets.get(secretRef);
      const data = secret.data?.[secretRef.key ?? KUBECONFIG_KEY];
      if (data === undefined) {
        throw new StatusError(
          'NotFound',
          `Secret ${secretRef.namespace}/${secretRef.name} has no ${secretRef.key ?? KUBECONFIG_KEY}`,
        );
      }
      const version = `${secret.metadata.uid}/${data}${cluster.spec.apiPath ?? ''}`;
      const current = known.get(name);
      if (current?.version === version) return current;
      const fresh = await candidate(cluster, Buffer.from(data, 'base64').toString('utf8'), version);
      if (current) return replace(cluster, current, fresh);
      known.set(name, fresh);
      return fresh;
    },
    forget(name) {
      known.get(name)?.client.close();
      known.delete(name);
    },
    close() {
      for (const { client } of known.values()) client.close();
      known.clear();
    },
  };
}
