/** Makes a global cluster know Ghippo's kinds, and gives it the roles and the product that come with them. */
import { type Clock, systemClock } from '#base/clock.ts';
import { hasReason } from '#base/status-error.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { installCrds } from '#kube/crds/install-crds.ts';
import type { Gvr } from '#kube/meta/gvk.ts';
import { BUILTIN_ROLES } from './builtin-roles.ts';
import { ghippoCrds } from './crds.ts';
import { GHIPPO_PRODUCT, ghippoProduct } from './ghippo-product.ts';
import { GHIPPO_NAMESPACE, type ProductSpec } from './kinds.ts';
import { ghippoClients } from './resources.ts';

const NAMESPACES: Gvr = { group: '', version: 'v1', resource: 'namespaces' };

/** Can be done again, by every replica: what exists is brought up to date, what people made is left alone. */
export async function installGhippo(
  client: KubeClient,
  { clock = systemClock, signal }: { readonly clock?: Clock; readonly signal: AbortSignal },
): Promise<void> {
  await installCrds(client, ghippoCrds, clock, signal);
  await ensureNamespace(client);
  const { roles } = ghippoClients(client);
  await Promise.all(
    BUILTIN_ROLES.map(({ name, ...spec }) => roles.ensure({ metadata: { name }, spec: { ...spec, builtin: true } })),
  );
  await registerProduct(client, GHIPPO_PRODUCT, ghippoProduct);
}

/** Registers what a product can do, or what it can do now. */
export async function registerProduct(client: KubeClient, name: string, spec: ProductSpec): Promise<void> {
  await ghippoClients(client).products.ensure({ metadata: { name }, spec });
}

async function ensureNamespace(client: KubeClient): Promise<void> {
  try {
    await client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: GHIPPO_NAMESPACE } });
  } catch (error) {
    if (!hasReason(error, 'AlreadyExists')) throw error;
  }
}
