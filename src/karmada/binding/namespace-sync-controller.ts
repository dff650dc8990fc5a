/**
 * Brings every namespace to every cluster, so that what is propagated into it finds it there.
 *
 * Reserved namespaces, `default`, skipped ones and those that say so are left out. The Works are owned by the namespace
 * and go with it. A namespace that a member had before, unmanaged, is not taken over: its Work reports the conflict.
 */
import type { Cluster, ClusterOverridePolicy, Work } from '#karmada/apis/index.ts';
import { CLUSTER, CLUSTER_OVERRIDE_POLICY, LABELS, NAMESPACES, WORK } from '#karmada/apis/index.ts';
import { isReservedNamespace } from '#karmada/names/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { keyOf, type KubeObject } from '#kube/meta/object.ts';
import { type Controller, done, type Informers, type Outcome, type Reconcile } from '#kube/runtime/index.ts';
import { type Overrides, workFor } from './render-work.ts';
import { workWriter } from './work-writer.ts';

export interface NamespaceSyncDeps {
  readonly client: KubeClient;
  readonly informers: Informers;
  readonly overrides: Overrides;
  readonly skippedNamespaces: readonly RegExp[];
}

const NAMESPACE = { group: '', version: 'v1', resource: 'namespaces' };
const CONCURRENCY = 8;

export function namespaceSyncController(deps: NamespaceSyncDeps): Controller {
  const { client, informers, overrides, skippedNamespaces } = deps;
  const namespaces = informers(NAMESPACE);
  const clusters = informers<Cluster>(CLUSTER);
  const write = workWriter(client, informers<Work>(WORK));

  async function reconcile({ key }: Reconcile): Promise<Outcome> {
    const namespace = namespaces.get(key);
    // The Works of one that is going are removed with it.
    if (!namespace || namespace.metadata.deletionTimestamp || !isSynced(namespace)) return done;
    const targets = clusters.list().filter(({ metadata }) => !metadata.deletionTimestamp);
    const results = await Promise.allSettled(targets.map(({ metadata }) => syncTo(namespace, metadata.name)));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
    return done;
  }

  async function syncTo(namespace: KubeObject, cluster: string): Promise<void> {
    const { object, applied } = overrides(namespace, cluster);
    const work = workFor(object, cluster, { annotations: { ...applied.annotations } });
    const { name, uid = '' } = namespace.metadata;
    work.metadata.ownerReferences = [
      { apiVersion: 'v1', kind: 'Namespace', name, uid, controller: true, blockOwnerDeletion: true },
    ];
    await write(work);
  }

  function isSynced({ metadata: { name, labels = {} } }: KubeObject): boolean {
    if (isReservedNamespace(name) || name === NAMESPACES.default) return false;
    if (labels[LABELS.skipAutoPropagation]?.toLowerCase() === 'true') return false;
    return !skippedNamespaces.some((pattern) => pattern.test(name));
  }

  function* wokenByOverride(policies: readonly (ClusterOverridePolicy | undefined)[]): Iterable<string> {
    for (const selector of policies.flatMap((policy) => policy?.spec.resourceSelectors ?? [])) {
      if (selector.apiVersion !== 'v1' || selector.kind !== 'Namespace') continue;
      if (selector.name) yield selector.name;
      else yield* namespaces.list().map(keyOf);
    }
  }

  return {
    name: 'namespace-sync',
    concurrency: CONCURRENCY,
    watches: [
      { gvr: NAMESPACE, wakes: (object) => [keyOf(object)] },
      // The execution namespace of a new cluster must be there first; until it is, the write is tried again.
      { gvr: CLUSTER, wakes: (_cluster, old) => (old ? [] : namespaces.list().map(keyOf)) },
      {
        gvr: CLUSTER_OVERRIDE_POLICY,
        wakes: (object, old) =>
          wokenByOverride([object as ClusterOverridePolicy, old as ClusterOverridePolicy | undefined]),
      },
      { gvr: WORK, wakes: () => [] },
    ],
    reconcile,
  };
}
