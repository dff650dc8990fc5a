/** Brings kinds into an API server, and waits until they are served. */
import { type Clock, sleep } from '#base/clock.ts';
import { jsonEqual } from '#base/json.ts';
import { hasReason } from '#base/status-error.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { isConditionTrue } from '#kube/meta/condition.ts';
import type { Gvr } from '#kube/meta/gvk.ts';
import type { Condition, KubeObject } from '#kube/meta/object.ts';
import type { CustomResourceDefinition } from './definition.ts';

const CRD: Gvr = { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' };
const LOOK_EVERY_MS = 2;

/** Can be done again: kinds that exist are brought up to date. */
export async function installCrds(
  client: KubeClient,
  crds: readonly CustomResourceDefinition[],
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  await Promise.all(crds.map((crd) => install(client, crd)));
  await Promise.all(crds.map(({ metadata }) => established(client, metadata.name, clock, signal)));
}

async function install(client: KubeClient, crd: CustomResourceDefinition): Promise<void> {
  try {
    await client.create(CRD, crd);
  } catch (error) {
    if (!hasReason(error, 'AlreadyExists')) throw error;
    const existing = await client.get<KubeObject & { readonly spec: object }>(CRD, { name: crd.metadata.name });
    const next = { ...existing, spec: { ...existing.spec, ...crd.spec } };
    if (!jsonEqual(existing, next)) await client.update(CRD, next);
  }
}

interface CrdState extends KubeObject {
  readonly status?: { readonly conditions?: readonly Condition[] };
}

async function established(client: KubeClient, name: string, clock: Clock, signal: AbortSignal): Promise<void> {
  for (;;) {
    const { status } = await client.get<CrdState>(CRD, { name });
    if (isConditionTrue(status?.conditions, 'Established')) return;
    await sleep(clock, LOOK_EVERY_MS, signal);
  }
}
