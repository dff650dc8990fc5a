/**
 * What an instance needs in a member to push to it, made there with the inventory's credential: the accounts, the role
 * and the tokens that Karmada's own `join` makes, under the same names.
 *
 * Tokens belong to the credential they were made with (`generation`): another credential gives other tokens, and the
 * ones before can be taken back once no instance uses them. Each step can be repeated; what somebody else made under
 * our names is used but never removed.
 */
import { createHash } from 'node:crypto';
import type { Secret } from '#gen/kube/types.ts';
import { type Clock, sleep } from '#base/clock.ts';
import { hasReason, StatusError } from '#base/status-error.ts';
import { LABELS, NAMESPACES } from '#karmada/apis/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { Gvr } from '#kube/meta/gvk.ts';
import type { KubeObject, ObjectKey } from '#kube/meta/object.ts';

export interface MemberAccess {
  /** The uid of its kube-system: a cluster keeps it whatever it is called and wherever it moves. */
  readonly id: string;
  readonly generation: string;
  /** Base64, as Secrets carry it. */
  readonly token: string;
  readonly impersonatorToken: string;
  /** The member's own authority, base64. */
  readonly ca?: string;
}

/** On everything made here; on tokens, the generation. */
const MADE_LABEL = 'kairship.io/member-access';
const CORE = { group: '', version: 'v1' } as const;
const RBAC = { group: 'rbac.authorization.k8s.io', version: 'v1' } as const;
const NAMESPACE: Gvr = { ...CORE, resource: 'namespaces' };
const SERVICE_ACCOUNT: Gvr = { ...CORE, resource: 'serviceaccounts' };
const SECRET: Gvr = { ...CORE, resource: 'secrets' };
const CLUSTER_ROLE: Gvr = { ...RBAC, resource: 'clusterroles' };
const CLUSTER_ROLE_BINDING: Gvr = { ...RBAC, resource: 'clusterrolebindings' };

const IMPERSONATOR = 'karmada-impersonator';
const accountOf = (cluster: string) => `karmada-${cluster}`;
const roleOf = (cluster: string) => `karmada-controller-manager:karmada-${cluster}`;

const TOKEN_WITHIN_MS = 30_000;
const LOOK_EVERY_MS = 20;
const EVERYTHING = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['get'], nonResourceURLs: ['*'] },
];

/** Short, the same for the same credential, and telling nothing of it. */
export function generationOf(credential: string): string {
  return createHash('sha256').update(credential).digest('hex').slice(0, 10);
}

export async function memberAccess(
  member: KubeClient,
  cluster: string,
  generation: string,
  { clock, signal }: { readonly clock: Clock; readonly signal?: AbortSignal | undefined },
): Promise<MemberAccess> {
  const { metadata } = await member.get(NAMESPACE, { name: 'kube-system' });
  await ensure(member, NAMESPACE, labelled('v1', 'Namespace', { name: NAMESPACES.cluster }));
  await ensureRole(member, cluster);
  const token = async (account: string) => {
    await ensure(member, SERVICE_ACCOUNT, labelled('v1', 'ServiceAccount', inOurs(account)));
    return filledToken(member, account, generation, { clock, signal });
  };
  const [own, impersonator] = [await token(accountOf(cluster)), await token(IMPERSONATOR)];
  return {
    id: metadata.uid ?? '',
    generation,
    token: own.token,
    impersonatorToken: impersonator.token,
    ...(own.ca === undefined ? {} : { ca: own.ca }),
  };
}

async function ensureRole(member: KubeClient, cluster: string): Promise<void> {
  const [name, version] = [roleOf(cluster), `${RBAC.group}/${RBAC.version}`];
  await ensure(member, CLUSTER_ROLE, { ...labelled(version, 'ClusterRole', { name }), rules: EVERYTHING });
  await ensure(member, CLUSTER_ROLE_BINDING, {
    ...labelled(version, 'ClusterRoleBinding', { name }),
    subjects: [{ kind: 'ServiceAccount', name: accountOf(cluster), namespace: NAMESPACES.cluster }],
    roleRef: { apiGroup: RBAC.group, kind: 'ClusterRole', name },
  });
}

/** A Secret that the member fills with a token of the account. */
async function filledToken(
  member: KubeClient,
  account: string,
  generation: string,
  { clock, signal }: { readonly clock: Clock; readonly signal?: AbortSignal | undefined },
): Promise<{ readonly token: string; readonly ca?: string }> {
  const wanted = labelled('v1', 'Secret', inOurs(`${account}-${generation}`), generation);
  await ensure(member, SECRET, {
    ...wanted,
    metadata: { ...wanted.metadata, annotations: { 'kubernetes.io/service-account.name': account } },
    type: 'kubernetes.io/service-account-token',
  });
  const until = clock.now() + TOKEN_WITHIN_MS;
  for (;;) {
    const { data } = await member.get<Secret & KubeObject>(SECRET, inOurs(`${account}-${generation}`));
    const { token, 'ca.crt': ca } = data ?? {};
    if (token) return { token, ...(ca === undefined ? {} : { ca }) };
    if (clock.now() > until)
      throw new StatusError('Timeout', `the member gave service account ${account} no token within 30 s`);
    await sleep(clock, LOOK_EVERY_MS, signal);
  }
}

/** Takes back the tokens made with other credentials. */
export async function retireTokens(member: KubeClient, cluster: string, keep: string): Promise<void> {
  const { items } = await member.list(SECRET, {
    namespace: NAMESPACES.cluster,
    labelSelector: `${MADE_LABEL},${MADE_LABEL}!=${keep}`,
  });
  const accounts = [accountOf(cluster), IMPERSONATOR];
  for (const { metadata } of items) {
    const account = metadata.annotations?.['kubernetes.io/service-account.name'] ?? '';
    if (accounts.includes(account)) await remove(member, SECRET, inOurs(metadata.name));
  }
}

/** Nothing that was made here stays; what others made does. */
export async function removeMemberAccess(member: KubeClient, cluster: string): Promise<void> {
  await retireTokens(member, cluster, '');
  const made: readonly (readonly [Gvr, ObjectKey])[] = [
    [CLUSTER_ROLE_BINDING, { name: roleOf(cluster) }],
    [CLUSTER_ROLE, { name: roleOf(cluster) }],
    [SERVICE_ACCOUNT, inOurs(accountOf(cluster))],
    [SERVICE_ACCOUNT, inOurs(IMPERSONATOR)],
  ];
  for (const [gvr, key] of made) {
    const found = await member.get(gvr, key).catch(orUndefined);
    if (found?.metadata.labels?.[MADE_LABEL] !== undefined) await remove(member, gvr, key);
  }
}

const inOurs = (name: string) => ({ namespace: NAMESPACES.cluster, name });

function labelled(apiVersion: string, kind: string, key: ObjectKey, generation = 'true'): KubeObject {
  return { apiVersion, kind, metadata: { ...key, labels: { [LABELS.system]: 'true', [MADE_LABEL]: generation } } };
}

/** Made unless it is there; what is there is left as it is. */
async function ensure(client: KubeClient, gvr: Gvr, object: KubeObject): Promise<void> {
  try {
    await client.create(gvr, object);
  } catch (error) {
    if (!hasReason(error, 'AlreadyExists')) throw error;
  }
}

async function remove(client: KubeClient, gvr: Gvr, key: ObjectKey): Promise<void> {
  await client.delete(gvr, key).catch(orUndefined);
}

function orUndefined(error: unknown): undefined {
  if (hasReason(error, 'NotFound')) return undefined;
  throw error;
}
