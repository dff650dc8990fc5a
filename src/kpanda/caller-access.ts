/**
 * What callers may read of the index when nobody else decides: the global cluster says who they are (TokenReview) and
 * whether they may `get` `clusters/index` of `kpanda.io`, of all clusters or of some by name.
 */
import type { IncomingMessage } from 'node:http';
import { type Clock, systemClock } from '#base/clock.ts';
import { isObject } from '#base/json.ts';
import { StatusError } from '#base/status-error.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { Access, IndexReader } from './index/index.ts';

export interface CallerAccessDeps {
  readonly client: KubeClient;
  readonly reader: IndexReader;
  /** Whoever bears it may read everything. */
  readonly adminToken?: string;
  readonly clock?: Clock;
}

/** For so long an answer is taken for still true; a right taken away ends within it. */
const KNOWN_FOR_MS = 3_000;
const MAX_KNOWN = 1_000;
/** Of more clusters than these rights are not looked up one by one. */
const MAX_CLUSTERS = 200;

interface Caller {
  readonly user: string;
  readonly groups: readonly string[];
}

export function callerAccess(deps: CallerAccessDeps): (request: IncomingMessage) => Promise<Access> {
  const { client, reader, adminToken, clock = systemClock } = deps;
  const known = new Map<string, { readonly at: number; readonly access: Promise<Access> }>();

  async function callerOf(token: string): Promise<Caller> {
    const { status } = await client.create(
      { group: 'authentication.k8s.io', version: 'v1', resource: 'tokenreviews' },
      { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', metadata: {}, spec: { token } },
    );
    const user = isObject(status) && status['authenticated'] === true ? status['user'] : undefined;
    if (!isObject(user)) throw unauthorized();
    const groups = Array.isArray(user['groups']) ? user['groups'].map(String) : [];
    return { user: String(user['username']), groups };
  }

  async function allows({ user, groups }: Caller, name: string): Promise<boolean> {
    const resourceAttributes = { group: 'kpanda.io', resource: 'clusters', subresource: 'index', verb: 'get', name };
    const { status } = await client.create(
      { group: 'authorization.k8s.io', version: 'v1', resource: 'subjectaccessreviews' },
      {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SubjectAccessReview',
        metadata: {},
        spec: { user, groups, resourceAttributes },
      },
    );
    return isObject(status) && status['allowed'] === true;
  }

  async function accessOf(token: string): Promise<Access> {
    const caller = await callerOf(token);
    if (await allows(caller, '')) return 'everything';
    const sources = (await reader.sources()).slice(0, MAX_CLUSTERS);
    const granted = await Promise.all(
      sources.map(async ({ name }) => ((await allows(caller, name)) ? [{ cluster: name }] : [])),
    );
    return granted.flat();
  }

  return (request) => {
    const [, token] = /^bearer\s+(\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
    if (token === undefined) return Promise.reject(unauthorized());
    if (token === adminToken) return Promise.resolve('everything');
    let found = known.get(token);
    if (!found || clock.now() - found.at > KNOWN_FOR_MS) {
      if (known.size >= MAX_KNOWN) known.clear();
      known.set(token, (found = { at: clock.now(), access: accessOf(token) }));
      found.access.catch(() => known.delete(token));
    }
    return found.access;
  };
}

function unauthorized(): StatusError {
  return new StatusError('Unauthorized', 'Unauthorized');
}
