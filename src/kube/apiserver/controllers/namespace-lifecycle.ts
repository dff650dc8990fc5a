/**
 * Empties namespaces that are being deleted, and lets them go when nothing is left in them.
 *
 * Everything namespaced that the server serves is deleted, custom resources included. What finalizers still hold is
 * told in the namespace's conditions, and looked at again until it is gone.
 */
import { type Clock, rfc3339 } from '#base/clock.ts';
import { hasReason } from '#base/status-error.ts';
import type { Namespace } from '#gen/kube/types.ts';
import type { ApiResource, KubeClient } from '#kube/client/kube-client.ts';
import { setCondition } from '#kube/meta/condition.ts';
import { groupResource } from '#kube/meta/gvk.ts';
import type { Condition, KubeObject } from '#kube/meta/object.ts';
import { type Controller, done, type Outcome, type Reconcile, retryIn } from '#kube/runtime/controller.ts';

const NAMESPACES = { group: '', version: 'v1', resource: 'namespaces' } as const;
const FINALIZER = 'kubernetes';
const AGAIN_MS = 1_000;

interface Deps {
  readonly client: KubeClient;
  readonly clock: Clock;
}

export function namespaceLifecycle({ client, clock }: Deps): Controller {
  async function reconcile({ key, signal }: Reconcile): Promise<Outcome> {
    const namespace = await client.get<Namespace>(NAMESPACES, { name: key }, { signal }).catch(ifGone);
    if (!namespace?.metadata.deletionTimestamp || !namespace.spec?.finalizers?.includes(FINALIZER)) return done;

    const left: Left[] = [];
    for (const resource of await contents()) {
      const remaining = await empty(resource, key, signal);
      if (remaining.length > 0) left.push({ resource, objects: remaining });
    }
    if (left.length > 0) {
      await tell(namespace, left);
      return retryIn(AGAIN_MS, `${left.length} resources still have objects`);
    }
    // Whoever else holds it sees that nothing of what was in it does.
    const isHeld = namespace.spec.finalizers.length > 1;
    await finalize(isHeld ? await tell(namespace, left) : namespace);
    return done;
  }

  async function contents(): Promise<readonly ApiResource[]> {
    const all = await client.discover();
    const kept = all.filter(
      ({ namespaced, verbs }) => namespaced && verbs.includes('list') && verbs.includes('delete'),
    );
    // One version is enough: all of them show the same objects.
    const seen = new Set<string>();
    return kept.filter((resource) => !seen.has(groupResource(resource)) && seen.add(groupResource(resource)));
  }

  async function empty(resource: ApiResource, namespace: string, signal: AbortSignal): Promise<readonly KubeObject[]> {
    const { items } = await client.list(resource, { namespace, signal }).catch(ifUnknown);
    if (items.length === 0) return items;
    await client.deleteCollection(resource, { namespace, signal });
    return (await client.list(resource, { namespace, signal })).items;
  }

  async function tell(namespace: Namespace, left: readonly Left[]): Promise<Namespace> {
    const before = (namespace.status?.conditions ?? []) as readonly Condition[];
    let conditions = before;
    for (const condition of conditionsOf(left)) conditions = setCondition(conditions, condition, rfc3339(clock.now()));
    if (conditions === before) return namespace;
    const told = { ...namespace, status: { ...namespace.status, conditions } };
    await client.update(NAMESPACES, told, { subresource: 'status' }).catch(ifMoved);
    return told;
  }

  async function finalize(namespace: Namespace): Promise<void> {
    const finalizers = (namespace.spec?.finalizers ?? []).filter((one) => one !== FINALIZER);
    const { resourceVersion: _, ...metadata } = namespace.metadata;
    const wanted = { ...namespace, metadata, spec: { ...namespace.spec, finalizers } };
    await client.update(NAMESPACES, wanted, { subresource: 'finalize' }).catch(ifMoved);
  }

  return { name: 'namespace', watches: [{ gvr: NAMESPACES }], concurrency: 5, reconcile };
}

interface Left {
  readonly resource: ApiResource;
  readonly objects: readonly KubeObject[];
}

type State = Omit<Condition, 'lastTransitionTime'>;

/** Of a namespace in which nothing is wrong and nothing is left, in the order in which they are told. */
const FINE: readonly State[] = [
  {
    type: 'NamespaceDeletionDiscoveryFailure',
    status: 'False',
    reason: 'ResourcesDiscovered',
    message: 'All resources successfully discovered',
  },
  {
    type: 'NamespaceDeletionGroupVersionParsingFailure',
    status: 'False',
    reason: 'ParsedGroupVersions',
    message: 'All legacy kube types successfully parsed',
  },
  {
    type: 'NamespaceDeletionContentFailure',
    status: 'False',
    reason: 'ContentDeleted',
    message: 'All content successfully deleted, may be waiting on finalization',
  },
  {
    type: 'NamespaceContentRemaining',
    status: 'False',
    reason: 'ContentRemoved',
    message: 'All content successfully removed',
  },
  {
    type: 'NamespaceFinalizersRemaining',
    status: 'False',
    reason: 'ContentHasNoFinalizers',
    message: 'All content-preserving finalizers finished',
  },
];

function conditionsOf(left: readonly Left[]): readonly State[] {
  const found = new Map([...remaining(left)].map((state) => [state.type, state]));
  return FINE.map((state) => found.get(state.type) ?? state);
}

function* remaining(left: readonly Left[]): Iterable<State> {
  if (left.length === 0) return;
  const counts = left.map(
    ({ resource, objects }) => `${groupResource(resource)} has ${objects.length} resource instances`,
  );
  yield {
    type: 'NamespaceContentRemaining',
    status: 'True',
    reason: 'SomeResourcesRemain',
    message: `Some resources are remaining: ${counts.join(', ')}`,
  };
  const finalizers = new Map<string, number>();
  for (const { metadata } of left.flatMap(({ objects }) => objects)) {
    for (const finalizer of metadata.finalizers ?? []) finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + 1);
  }
  if (finalizers.size === 0) return;
  const held = [...finalizers].map(([finalizer, count]) => `${finalizer} in ${count} resource instances`);
  yield {
    type: 'NamespaceFinalizersRemaining',
    status: 'True',
    reason: 'SomeFinalizersRemain',
    message: `Some content in the namespace has finalizers remaining: ${held.join(', ')}`,
  };
}

function ifGone(error: unknown): undefined {
  if (!hasReason(error, 'NotFound')) throw error;
}

/** A resource may be gone since it was discovered. */
function ifUnknown(error: unknown): { readonly items: readonly KubeObject[] } {
  if (!hasReason(error, 'NotFound', 'MethodNotAllowed')) throw error;
  return { items: [] };
}

function ifMoved(error: unknown): void {
  if (!hasReason(error, 'Conflict', 'NotFound')) throw error;
}
