/** A caller's request as a member gets it: by the impersonator of the cluster, on behalf of the caller. */
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { StatusError } from '#base/status-error.ts';
import { type Cluster, SECRET_KEYS } from '#karmada/apis/index.ts';
import type { User } from '#kube/apiserver/index.ts';
import type { HttpClient } from '#kube/client/http-client.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { onwardHeaders } from '#kube/client/relay.ts';
import { impersonationHeaders } from '#kube/client/transport.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import type { Members } from './members.ts';

export interface ClusterProxyDeps {
  readonly client: () => KubeClient;
  readonly members: () => Members;
}

const SECRET = { group: '', version: 'v1', resource: 'secrets' };
/** Groups that a member gives by itself to whoever it has authenticated. */
const GIVEN_GROUPS: ReadonlySet<string> = new Set(['system:authenticated', 'system:unauthenticated']);

/** The connection to a member, and the token that may speak for others there; an agent has its own. */
export async function reach(
  deps: ClusterProxyDeps,
  cluster: Cluster,
): Promise<{ readonly client: HttpClient; readonly token: string | undefined }> {
  const byAgent = cluster.spec.syncMode === 'Pull' && cluster.spec.impersonatorSecretRef === undefined;
  const token = byAgent ? undefined : await impersonatorToken(deps.client(), cluster);
  const { client } = await deps.members().connect(cluster);
  return { client, token };
}

interface SecretObject extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

async function impersonatorToken(client: KubeClient, cluster: Cluster): Promise<string> {
  const { name } = cluster.metadata;
  const { impersonatorSecretRef } = cluster.spec;
  if (!impersonatorSecretRef) {
    throw new StatusError('InternalError', `the impersonatorSecretRef of cluster ${name} is nil`);
  }
  const { data = {} } = await client.get<SecretObject>(SECRET, impersonatorSecretRef);
  const token = data[SECRET_KEYS.token];
  if (!token) throw new StatusError('InternalError', `the impersonate token of cluster ${name} is empty`);
  return Buffer.from(token, 'base64').toString();
}

const NOT_PASSED_ON = /^(host|authorization|cookie|impersonate-.*|x-remote-.*)$/;

export function headersFor(request: IncomingMessage, user: User, token: string | undefined): OutgoingHttpHeaders {
  return { ...onwardHeaders(request, NOT_PASSED_ON), ...speakingFor(user, token) };
}

/** Who is asking, and by whose right. */
export function speakingFor({ name, uid, groups, extra }: User, token: string | undefined): OutgoingHttpHeaders {
  return {
    ...impersonationHeaders({
      user: name,
      ...(uid === undefined ? {} : { uid }),
      groups: groups.filter((group) => !GIVEN_GROUPS.has(group)),
      ...(extra ? { extra } : {}),
    }),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
}
