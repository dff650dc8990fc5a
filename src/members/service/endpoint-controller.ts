/** Keeps EndpointSlices, and the Endpoints of old, of every Service that selects pods. */
import type { Endpoints, EndpointSlice, Pod, Service } from '#gen/kube/types.ts';
import type { Clock } from '#base/clock.ts';
import { jsonEqual } from '#base/json.ts';
import { hasReason } from '#base/status-error.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { keyOf, type KubeObject } from '#kube/meta/object.ts';
import { type Controller, done, type Outcome, type Reconcile, retryIn } from '#kube/runtime/controller.ts';
import type { ClusterView } from '../cluster-view.ts';
import { namespaceOf, ownerKey } from '../owners.ts';
import { ENDPOINT_SLICES, ENDPOINTS, PODS, SERVICES } from '../resources.ts';
import { isNamespaceEnding } from '../workload/pod-control.ts';
import { isPodReady } from '../workload/pod-state.ts';
import { endpointGroups, isSelecting } from './endpoints.ts';
import { legacyEndpoints } from './legacy-endpoints.ts';
import { MANAGED_BY, MANAGER, planSlices } from './slices.ts';

/** While many pods come up at once, what they change is written together. */
const BATCH_MS = 100;

export function endpointController({
  client,
  clock,
  view,
}: {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly view: ClusterView;
}): Controller {
  const writtenAt = new Map<string, number>();

  async function reconcile({ key }: Reconcile): Promise<Outcome> {
    const service = view.services.get(key);
    if (!service?.spec?.selector || service.spec.type === 'ExternalName') {
      writtenAt.delete(key);
      return done;
    }
    const left = (writtenAt.get(key) ?? 0) + BATCH_MS - clock.now();
    if (left > 0) return retryIn(left, 'what changes now is written together');
    if (await write(service)) writtenAt.set(key, clock.now());
    return done;
  }

  /** Whether anything was written. */
  async function write(service: Service): Promise<boolean> {
    const pods = view.pods.inNamespace(namespaceOf(service)).filter((pod) => isSelecting(service, pod));
    const groups = endpointGroups(service, pods, (name) => view.nodes.get(name));
    const { create, update, remove } = planSlices(service, groups, slicesOf(service));
    try {
      for (const slice of create) await client.create<EndpointSlice>(ENDPOINT_SLICES, slice);
      for (const slice of update) await client.update<EndpointSlice>(ENDPOINT_SLICES, slice);
      for (const { metadata } of remove) await client.delete(ENDPOINT_SLICES, metadata).catch(ignoreGone);
      return (await writeLegacy(legacyEndpoints(service, groups))) || create.length + update.length + remove.length > 0;
    } catch (error) {
      if (isNamespaceEnding(error)) return false;
      throw error;
    }
  }

  const slicesOf = ({ metadata }: Service) =>
    view.endpointSlices
      .ownedBy(metadata.uid ?? '')
      .filter((slice) => slice.metadata.labels?.[MANAGED_BY] === MANAGER && !slice.metadata.deletionTimestamp);

  async function writeLegacy(wanted: Endpoints): Promise<boolean> {
    const known = view.endpoints.get(keyOf(wanted));
    if (!known) await client.create<Endpoints>(ENDPOINTS, wanted);
    else if (jsonEqual(known.subsets ?? [], wanted.subsets ?? [])) return false;
    else await client.update<Endpoints>(ENDPOINTS, { ...known, subsets: wanted.subsets ?? [] });
    return true;
  }

  function* wakes(pod: Pod, old: Pod | undefined, change: string): Iterable<string> {
    if (change === 'modified' && old && jsonEqual(relevant(pod), relevant(old))) return;
    for (const service of view.services.inNamespace(namespaceOf(pod))) {
      if (isSelecting(service, pod) || (old && isSelecting(service, old))) yield keyOf(service);
    }
  }

  return {
    name: 'endpoint-slice',
    concurrency: 8,
    watches: [
      { gvr: SERVICES },
      { gvr: PODS, wakes: (pod, old, change) => wakes(pod as Pod, old as Pod | undefined, change) },
      { gvr: ENDPOINT_SLICES, wakes: (slice: KubeObject) => ownerKey(slice, 'Service') },
    ],
    reconcile,
  };
}

/** What of a pod shows in its endpoint. */
const relevant = (pod: Pod) => [
  pod.metadata.labels,
  pod.metadata.deletionTimestamp,
  pod.spec?.nodeName,
  pod.status?.phase,
  pod.status?.podIP,
  isPodReady(pod),
];

function ignoreGone(error: unknown): void {
  if (!hasReason(error, 'NotFound')) throw error;
}
