/**
 * The engine's connections to its members: one client for each, made from the Cluster and the Secret it refers to.
 *
 * A connection is kept until the Cluster says another endpoint or the Secret another authority; a token that was refused
 * is read again from the Secret by itself, so that renewed credentials need no restart. Whoever watches through a
 * connection listens to its `signal`: it aborts when the connection is replaced or the cluster is gone. A member that pulls
 * and gave us no credential is reached through its agent's tunnel, while there is one.
 */
import type { Clock } from '#base/clock.ts';
import { StatusError } from '#base/status-error.ts';
import { type Cluster, SECRET_KEYS } from '#karmada/apis/index.ts';
import type { ClusterConfig } from '#kube/client/cluster-config.ts';
import { type HttpClient, httpClient } from '#kube/client/http-client.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { type RestMapper, restMapper } from '#kube/client/rest-mapper.ts';
import type { Gvr } from '#kube/meta/gvk.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import type { Tunnels } from './tunnels.ts';

export interface Member {
  readonly name: string;
  readonly client: HttpClient;
  readonly mapper: RestMapper;
  readonly signal: AbortSignal;
}

export interface Members {
  /** The connection to a cluster, made on first use. Throws when the Cluster or its Secret lacks what it takes. */
  connect(cluster: Cluster): Promise<Member>;
  /** The same, after another look at the Secret. */
  refresh(cluster: Cluster): Promise<Member>;
  /** The connection there is, if there is one. */
  find(name: string): Member | undefined;
  drop(name: string): void;
  close(): void;
}

export interface MembersDeps {
  readonly control: KubeClient;
  readonly clock: Clock;
  /** After how long a request to a member is given up. */
  readonly timeoutMs?: number;
  /** How many requests to one member may be under way at once. */
  readonly inFlight?: number;
  /** Where agents of members that pull have dialled in. */
  readonly tunnels?: Pick<Tunnels, 'dial'>;
}

const SECRET: Gvr = { group: '', version: 'v1', resource: 'secrets' };
const DEFAULT_TIMEOUT_MS = 40_000;
const DEFAULT_IN_FLIGHT = 64;
/** The first part is the field manager that members record, the same name Karmada has there. */
const USER_AGENT = 'karmada-controller-manager/kairship';

export function members(deps: MembersDeps): Members {
  const connections = new Map<string, { readonly print: string; readonly member: Member; readonly end: () => void }>();
  const opening = new Map<string, Promise<Member>>();

  function open(cluster: Cluster, access: Access | 'tunnel'): Member {
    const { name } = cluster.metadata;
    const print = fingerprint(cluster, access);
    const existing = connections.get(name);
    if (existing?.print === print) return existing.member;
    existing?.end();
    const ended = new AbortController();
    const client = httpClient(access === 'tunnel' ? tunnelConfig(cluster, deps) : configOf(cluster, access, deps));
    const member = { name, client, mapper: restMapper(client), signal: ended.signal };
    const end = () => {
      ended.abort();
      client.close();
    };
    connections.set(name, { print, member, end });
    return member;
  }

  /** One at a time for each cluster: two that open at once would close each other's connection. */
  function refresh(cluster: Cluster): Promise<Member> {
    const { name } = cluster.metadata;
    const before = opening.get(name) ?? Promise.resolve();
    const next = before
      .catch(() => undefined)
      .then(async () => open(cluster, await wayTo(cluster, deps)))
      .finally(() => {
        if (opening.get(name) === next) opening.delete(name);
      });
    opening.set(name, next);
    return next;
  }

  return {
    async connect(cluster) {
      const known = connections.get(cluster.metadata.name);
      return known && known.print.startsWith(addressOf(cluster)) ? known.member : refresh(cluster);
    },
    refresh,
    find: (name) => connections.get(name)?.member,
    drop(name) {
      connections.get(name)?.end();
      connections.delete(name);
    },
    close() {
      for (const { end } of connections.values()) end();
      connections.clear();
    },
  };
}

/** What the Secret of a cluster holds, decoded. */
interface Access {
  readonly token: string;
  readonly ca: string | undefined;
}

interface SecretObject extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

async function wayTo(cluster: Cluster, { control, tunnels }: MembersDeps): Promise<Access | 'tunnel'> {
  const { syncMode, secretRef } = cluster.spec;
  return tunnels && syncMode === 'Pull' && !secretRef ? 'tunnel' : accessOf(control, cluster);
}

async function accessOf(control: KubeClient, cluster: Cluster): Promise<Access> {
  const { name } = cluster.metadata;
  const { secretRef, insecureSkipTLSVerification } = cluster.spec;
  if (!secretRef) throw new StatusError('BadRequest', `cluster ${name} does not have a secret`);
  const { data = {} } = await control.get<SecretObject>(SECRET, secretRef);
  const token = decoded(data[SECRET_KEYS.token]);
  const ca = decoded(data[SECRET_KEYS.caBundle]);
  if (!token) {
    const key = SECRET_KEYS.token;
    throw new StatusError('BadRequest', `the secret for cluster ${name} is missing a non-empty value for "${key}"`);
  }
  if (!ca && !insecureSkipTLSVerification && cluster.spec.apiEndpoint?.startsWith('https:')) {
    const key = SECRET_KEYS.caBundle;
    throw new StatusError('BadRequest', `the secret for cluster ${name} is missing the CA data key "${key}"`);
  }
  return { token, ca };
}

function decoded(base64: string | undefined): string | undefined {
  return base64 === undefined ? undefined : Buffer.from(base64, 'base64').toString();
}

function configOf(cluster: Cluster, access: Access, deps: MembersDeps): ClusterConfig {
  const { apiEndpoint, insecureSkipTLSVerification, proxyURL } = cluster.spec;
  if (!apiEndpoint) {
    throw new StatusError('BadRequest', `the api endpoint of cluster ${cluster.metadata.name} is empty`);
  }
  let { token } = access;
  return {
    ...common(deps),
    server: apiEndpoint,
    async token(rejected) {
      if (rejected === token) ({ token } = await accessOf(deps.control, cluster));
      return token;
    },
    ...(access.ca ? { ca: access.ca } : {}),
    ...(insecureSkipTLSVerification ? { insecureSkipTlsVerify: true } : {}),
    ...(proxyURL ? { proxyUrl: proxyURL } : {}),
  };
}

/** What the agent adds to a request is its own: no credential of the member is here. */
function tunnelConfig({ metadata: { name } }: Cluster, deps: MembersDeps): ClusterConfig {
  const dial = async () => {
    if (!deps.tunnels) throw new StatusError('ServiceUnavailable', `no agent can dial in here`);
    return deps.tunnels.dial(name);
  };
  return { ...common(deps), server: `http://${name}`, dial };
}

function common({ clock, timeoutMs = DEFAULT_TIMEOUT_MS, inFlight = DEFAULT_IN_FLIGHT }: MembersDeps) {
  return { userAgent: USER_AGENT, timeoutMs, maxSockets: inFlight, clock };
}

function addressOf({ spec, metadata }: Cluster): string {
  const { apiEndpoint, insecureSkipTLSVerification, proxyURL, secretRef } = spec;
  return JSON.stringify([metadata.uid, apiEndpoint, insecureSkipTLSVerification, proxyURL, secretRef]);
}

function fingerprint(cluster: Cluster, access: Access | 'tunnel'): string {
  return `${addressOf(cluster)}${access === 'tunnel' ? access : (access.ca ?? '')}`;
}
