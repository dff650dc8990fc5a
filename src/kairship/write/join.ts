/**
 * A cluster of the inventory as a member of an instance: its Secrets and its Karmada `Cluster`, written by the
 * instance's own API.
 *
 * What the inventory knows (address, provider, region, zone, labels) is applied as a field manager of its own: it
 * follows the inventory, and what people or Karmada write beside it stays theirs.
 */
import { hasReason, StatusError } from '#base/status-error.ts';
import { CLUSTER, type Cluster, LABELS, NAMESPACES, SECRET_KEYS } from '#karmada/apis/index.ts';
import { type Connection, type Cluster as InventoryCluster, VIRTUAL_LABEL } from '#kpanda/registry/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { Gvr } from '#kube/meta/gvk.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import type { MemberAccess } from './member-access.ts';

/** On a Karmada Cluster: the cluster of the inventory it was made from, which has the same name. */
export const INVENTORY_ANNOTATION = 'kairship.io/inventory-cluster';
/** On its Secret: the credential of the inventory its token was made with. */
export const GENERATION_ANNOTATION = 'kairship.io/credential-generation';
/** On a Karmada Cluster that is to go at once, whatever its member holds. */
export const FORCE_ANNOTATION = 'cluster.kairship.io/force-unjoin';

const SECRET: Gvr = { group: '', version: 'v1', resource: 'secrets' };
const NAMESPACE: Gvr = { group: '', version: 'v1', resource: 'namespaces' };
const MANAGER = { fieldManager: 'kairship-inventory', force: true } as const;

/** How the inventory reaches a cluster, and so how an instance does. */
export type Reached = Connection['reached'];

export const impersonatorSecretOf = (cluster: string): string => `${cluster}-impersonator`;
const inOurs = (name: string) => ({ namespace: NAMESPACES.cluster, name });

/** Makes a member of it. Throws `AlreadyExists` when it is one, under this name or another. */
export async function joinInstance(
  control: KubeClient,
  cluster: InventoryCluster,
  access: MemberAccess,
  reached: Reached,
): Promise<Cluster> {
  await refuseTwice(control, cluster.metadata.name, access.id);
  await writeCredential(control, cluster, access, reached);
  const joined = await control.apply<Cluster>(CLUSTER, karmadaCluster(cluster, reached, access.id), MANAGER);
  await ownSecrets(control, joined);
  return joined;
}

async function refuseTwice(control: KubeClient, name: string, id: string): Promise<void> {
  const { items } = await control.list<Cluster>(CLUSTER);
  const same = items.find(({ metadata, spec }) => metadata.name === name || (id !== '' && spec.id === id));
  if (!same) return;
  const as = same.metadata.name === name ? '' : `, as "${same.metadata.name}"`;
  throw new StatusError('AlreadyExists', `cluster "${name}" is a member of this instance already${as}`);
}

/** Brings the facts of the inventory into a member that has joined. Nothing else of it is touched. */
export async function applyFacts(
  control: KubeClient,
  cluster: InventoryCluster,
  joined: Cluster,
  reached: Reached,
): Promise<void> {
  const wanted = karmadaCluster(cluster, reached, joined.spec.id);
  // One that has left meanwhile must not come back.
  const { uid } = joined.metadata;
  const metadata = uid === undefined ? wanted.metadata : { ...wanted.metadata, uid };
  await control.apply(CLUSTER, { ...wanted, metadata }, MANAGER);
}

/** What the inventory says of a cluster, as Karmada says it. */
export function karmadaCluster(
  { metadata, spec }: InventoryCluster,
  { server, insecureSkipTlsVerify, proxyUrl }: Reached,
  id = '',
): KubeObject & { readonly spec: Partial<Cluster['spec']> } {
  const { name } = metadata;
  return {
    apiVersion: CLUSTER.apiVersion,
    kind: CLUSTER.kind,
    metadata: { name, labels: inventoryLabels(metadata.labels), annotations: { [INVENTORY_ANNOTATION]: name } },
    spec: {
      syncMode: 'Push',
      secretRef: inOurs(name),
      impersonatorSecretRef: inOurs(impersonatorSecretOf(name)),
      ...(id === '' ? {} : { id }),
      apiEndpoint: server,
      ...(spec.provider ? { provider: spec.provider } : {}),
      ...(spec.region ? { region: spec.region } : {}),
      ...(spec.zone ? { zones: [spec.zone] } : {}),
      ...(insecureSkipTlsVerify ? { insecureSkipTLSVerification: true } : {}),
      ...(proxyUrl ? { proxyURL: proxyUrl } : {}),
    },
  };
}

/** All but what the platform itself notes on clusters. */
export function inventoryLabels(labels: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).filter(([key]) => key !== VIRTUAL_LABEL));
}

/** The Secrets by which the instance reaches the member; a new token takes the old one's place. */
export async function writeCredential(
  control: KubeClient,
  { metadata }: InventoryCluster,
  access: MemberAccess,
  reached: Reached,
): Promise<void> {
  const { name } = metadata;
  const ca = reached.ca === undefined ? access.ca : Buffer.from(reached.ca).toString('base64');
  const namespace = { name: NAMESPACES.cluster, labels: { [LABELS.system]: 'true' } };
  await ensure(control, NAMESPACE, { apiVersion: 'v1', kind: 'Namespace', metadata: namespace });
  const write = (secret: string, data: Readonly<Record<string, string>>) =>
    control.apply(SECRET, credentialSecret(secret, access.generation, data), MANAGER);
  await write(impersonatorSecretOf(name), { [SECRET_KEYS.token]: access.impersonatorToken });
  await write(name, {
    [SECRET_KEYS.token]: access.token,
    ...(ca === undefined ? {} : { [SECRET_KEYS.caBundle]: ca }),
  });
}

function credentialSecret(name: string, generation: string, data: Readonly<Record<string, string>>): KubeObject {
  const labels = { [LABELS.system]: 'true' };
  const metadata = { ...inOurs(name), labels, annotations: { [GENERATION_ANNOTATION]: generation } };
  return { apiVersion: 'v1', kind: 'Secret', type: 'Opaque', metadata, data };
}

/** With which credential of the inventory the token in use was made. */
export async function generationIn(control: KubeClient, cluster: string): Promise<string | undefined> {
  try {
    const secret = await control.get(SECRET, inOurs(cluster));
    return secret.metadata.annotations?.[GENERATION_ANNOTATION];
  } catch (error) {
    if (hasReason(error, 'NotFound')) return undefined;
    throw error;
  }
}

/** With the Cluster goes what it was reached by. */
async function ownSecrets(control: KubeClient, { metadata }: Cluster): Promise<void> {
  const { name, uid } = metadata;
  const owner = { apiVersion: CLUSTER.apiVersion, kind: CLUSTER.kind, name, uid, controller: true };
  const body = { metadata: { ownerReferences: [{ ...owner, blockOwnerDeletion: true }] } };
  for (const secret of [name, impersonatorSecretOf(name)])
    await control.patch(SECRET, inOurs(secret), { type: 'merge', body });
}

/** Takes a member out of an instance. Forced, it goes at once and what it still holds is written down in the instance. */
export async function leaveInstance(control: KubeClient, name: string, force: boolean): Promise<void> {
  if (force) {
    const body = { metadata: { annotations: { [FORCE_ANNOTATION]: 'true' } } };
    await control.patch(CLUSTER, { name }, { type: 'merge', body });
  }
  await control.delete(CLUSTER, { name });
}

async function ensure(control: KubeClient, gvr: Gvr, object: KubeObject): Promise<void> {
  try {
    await control.create(gvr, object);
  } catch (error) {
    if (!hasReason(error, 'AlreadyExists')) throw error;
  }
}
