/**
 * Brings a member into a control plane in push mode, and takes it out again, as `karmadactl join` does.
 *
 * In the member: a service account with its role, and one that may impersonate, each with a token. In the control plane:
 * two Secrets with those tokens, and the Cluster that refers to them. Each step can be repeated; a cluster that is
 * already joined under another name, or another cluster under this one, is refused.
 */
import { type Clock, sleep, systemClock } from '#base/clock.ts';
import { hasReason, StatusError } from '#base/status-error.ts';
import { type Cluster, CLUSTER, LABELS, NAMESPACES, SECRET_KEYS } from '#karmada/apis/index.ts';
import {
  IMPERSONATOR_SERVICE_ACCOUNT,
  impersonationSecretName,
  memberRoleName,
  memberServiceAccountName,
} from '#karmada/names/index.ts';
import type { ClusterConfig } from '#kube/client/cluster-config.ts';
import { httpClient } from '#kube/client/http-client.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { Gvr } from '#kube/meta/gvk.ts';
import type { KubeObject } from '#kube/meta/object.ts';

export interface JoinOptions {
  readonly control: KubeClient;
  /** An administrator's access to the member, used only while joining. */
  readonly member: ClusterConfig;
  readonly name: string;
  readonly provider?: string;
  readonly region?: string;
  readonly zones?: readonly string[];
  /** The one zone, where there is but one. */
  readonly zone?: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** Where the control plane reaches the member, when that is not where we do. */
  readonly apiEndpoint?: string;
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
}

const CORE = { group: '', version: 'v1' } as const;
const NAMESPACE: Gvr = { ...CORE, resource: 'namespaces' };
const SECRET: Gvr = { ...CORE, resource: 'secrets' };
const SERVICE_ACCOUNT: Gvr = { ...CORE, resource: 'serviceaccounts' };
const RBAC = { group: 'rbac.authorization.k8s.io', version: 'v1' } as const;
const CLUSTER_ROLE: Gvr = { ...RBAC, resource: 'clusterroles' };
const CLUSTER_ROLE_BINDING: Gvr = { ...RBAC, resource: 'clusterrolebindings' };
const OURS = { labels: { [LABELS.system]: 'true' } };

export async function join(options: JoinOptions): Promise<Cluster> {
  const member = httpClient(options.member);
  try {
    const id = await memberId(member);
    await refuseTwice(options, id);
    const credentials = await memberCredentials(member, options);
    return await register(options, id, credentials);
  } finally {
    member.close();
  }
}

/** Deletes the Cluster; the control plane then takes its objects out of the member. Resolves when it is gone. */
export async function unjoin(options: {
  readonly control: KubeClient;
  readonly name: string;
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
}): Promise<void> {
  const { control, name, clock = systemClock, signal } = options;
  await control.delete(CLUSTER, { name });
  for (;;) {
    const gone = await control.get(CLUSTER, { name }).then(() => false, isNotFound);
    if (gone) return;
    await sleep(clock, 100, signal);
  }
}

/** The uid of kube-system: a cluster keeps it whatever it is called and wherever it moves. */
async function memberId(member: KubeClient): Promise<string> {
  const namespace = await member.get(NAMESPACE, { name: 'kube-system' });
  return namespace.metadata.uid ?? '';
}

async function refuseTwice({ control, name }: JoinOptions, id: string): Promise<void> {
  const { items } = await control.list<Cluster>(CLUSTER);
  const taken = items.some((cluster) => cluster.metadata.name === name || (id !== '' && cluster.spec.id === id));
  if (!taken) return;
  throw new StatusError('AlreadyExists', `the cluster ID ${id} or the cluster name ${name} has been registered`);
}

/** Base64, as Secrets carry it. */
interface Credentials {
  readonly token: string;
  readonly impersonatorToken: string;
  readonly caBundle: string | undefined;
}

async function memberCredentials(member: KubeClient, options: JoinOptions): Promise<Credentials> {
  const namespace = NAMESPACES.cluster;
  await ensure(member, NAMESPACE, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, ...OURS } });
  const impersonator = await serviceAccountToken(member, IMPERSONATOR_SERVICE_ACCOUNT, options);
  const account = memberServiceAccountName(options.name);
  const role = memberRoleName(options.name);
  const roleKind = { apiVersion: 'rbac.authorization.k8s.io/v1', metadata: { name: role, ...OURS } };
  await ensure(member, CLUSTER_ROLE, { ...roleKind, kind: 'ClusterRole', rules: FULL_ACCESS });
  await ensure(member, CLUSTER_ROLE_BINDING, {
    ...roleKind,
    kind: 'ClusterRoleBinding',
    subjects: [{ kind: 'ServiceAccount', name: account, namespace }],
    roleRef: { apiGroup: RBAC.group, kind: 'ClusterRole', name: role },
  });
  const secret = await serviceAccountToken(member, account, options);
  const own = options.member.ca;
  return {
    token: secret.token,
    impersonatorToken: impersonator.token,
    caBundle: secret.ca ?? (own === undefined ? undefined : Buffer.from(own).toString('base64')),
  };
}

const FULL_ACCESS = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['get'], nonResourceURLs: ['*'] },
];

/** A service account and the Secret with its token, which the member fills in. */
async function serviceAccountToken(member: KubeClient, name: string, options: JoinOptions) {
  const namespace = NAMESPACES.cluster;
  await ensure(member, SERVICE_ACCOUNT, {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name, namespace, ...OURS },
  });
  await ensure(member, SECRET, {
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'kubernetes.io/service-account-token',
    metadata: { name, namespace, ...OURS, annotations: { 'kubernetes.io/service-account.name': name } },
  });
  return filledToken(member, name, options);
}

const TOKEN_WITHIN_MS = 30_000;
const TOKEN_LOOK_EVERY_MS = 20;

async function filledToken(member: KubeClient, name: string, { clock = systemClock, signal }: JoinOptions) {
  const until = clock.now() + TOKEN_WITHIN_MS;
  for (;;) {
    const secret = await member.get<SecretObject>(SECRET, { namespace: NAMESPACES.cluster, name });
    if (secret.data?.['token']) return { token: secret.data['token'], ca: secret.data['ca.crt'] };
    if (clock.now() > until) {
      throw new StatusError('Timeout', `the member gave service account ${name} no token within 30 s`);
    }
    await sleep(clock, TOKEN_LOOK_EVERY_MS, signal);
  }
}

interface SecretObject extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

async function register(options: JoinOptions, id: string, credentials: Credentials): Promise<Cluster> {
  const { control, name } = options;
  const namespace = NAMESPACES.cluster;
  await ensure(control, NAMESPACE, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, ...OURS } });
  const secret = (secretName: string, data: Record<string, string>) =>
    replaceSecret(control, {
      apiVersion: 'v1',
      kind: 'Secret',
      type: 'Opaque',
      metadata: { name: secretName, namespace, ...OURS },
      data,
    });
  const impersonator = impersonationSecretName(name);
  await secret(impersonator, { [SECRET_KEYS.token]: credentials.impersonatorToken });
  await secret(name, {
    ...(credentials.caBundle ? { [SECRET_KEYS.caBundle]: credentials.caBundle } : {}),
    [SECRET_KEYS.token]: credentials.token,
  });
  const cluster = await control.create<Cluster>(CLUSTER, clusterObject(options, id));
  // With the Cluster goes what it was reached by.
  for (const owned of [impersonator, name]) await ownSecret(control, owned, cluster);
  return cluster;
}

function clusterObject(options: JoinOptions, id: string): Cluster {
  const { name, member, provider, region, labels } = options;
  const zones = options.zones ?? (options.zone ? [options.zone] : []);
  return {
    apiVersion: CLUSTER.apiVersion,
    kind: 'Cluster',
    metadata: { name, ...(labels ? { labels } : {}) },
    spec: {
      syncMode: 'Push',
      apiEndpoint: options.apiEndpoint ?? member.server,
      ...(id === '' ? {} : { id }),
      secretRef: { namespace: NAMESPACES.cluster, name },
      impersonatorSecretRef: { namespace: NAMESPACES.cluster, name: impersonationSecretName(name) },
      ...(provider ? { provider } : {}),
      ...(region ? { region } : {}),
      ...(zones.length > 0 ? { zones } : {}),
      ...(member.insecureSkipTlsVerify ? { insecureSkipTLSVerification: true } : {}),
      ...(member.proxyUrl ? { proxyURL: member.proxyUrl } : {}),
    },
  };
}

async function ownSecret(control: KubeClient, name: string, cluster: Cluster): Promise<void> {
  const owner = {
    apiVersion: CLUSTER.apiVersion,
    kind: CLUSTER.kind,
    name: cluster.metadata.name,
    uid: cluster.metadata.uid,
    controller: true,
    blockOwnerDeletion: true,
  };
  const body = { metadata: { ownerReferences: [owner] } };
  await control.patch(SECRET, { namespace: NAMESPACES.cluster, name }, { type: 'merge', body });
}

/** Made unless it is there; what is there is left as it is. */
async function ensure(client: KubeClient, gvr: Gvr, object: KubeObject): Promise<void> {
  try {
    await client.create(gvr, object);
  } catch (error) {
    if (!hasReason(error, 'AlreadyExists')) throw error;
  }
}

/** A Secret left behind by an attempt that broke off holds credentials that may no longer work. */
async function replaceSecret(control: KubeClient, object: KubeObject): Promise<void> {
  try {
    await control.create(SECRET, object);
  } catch (error) {
    if (!hasReason(error, 'AlreadyExists')) throw error;
    const body = { data: object['data'], metadata: { labels: object.metadata.labels } };
    const { namespace = '', name } = object.metadata;
    await control.patch(SECRET, { namespace, name }, { type: 'merge', body });
  }
}

function isNotFound(error: unknown): boolean {
  if (hasReason(error, 'NotFound')) return true;
  throw error;
}
