/**
 * Every object of the control plane that could be propagated, of every kind there is, as one live copy.
 *
 * Which kinds there are comes from discovery, asked at the start and again whenever a custom resource appears, changes or
 * goes; of a kind served in several versions, the one the server prefers is followed. The detector hears of changes
 * here, bindings find their templates here. Informers are shared with everybody else who follows the same resource.
 */
import { type Clock, sleep } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { hasReason } from '#base/status-error.ts';
import { LABELS, type ObjectReference, type ResourceSelector } from '#karmada/apis/index.ts';
import { resourceMatches } from '#karmada/selector/index.ts';
import type { ApiResource, KubeClient } from '#kube/client/kube-client.ts';
import { apiVersionOf, type Gvr, groupResource } from '#kube/meta/gvk.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import type { Change, Informer, Informers } from '#kube/runtime/index.ts';
import { isPropagatable } from './event-filter.ts';

export interface Templates {
  /** The object as the copy has it. */
  cached(reference: ObjectReference): KubeObject | undefined;
  /** The object, asked of the server when the copy does not have it; undefined when there is none. */
  find(reference: ObjectReference): Promise<KubeObject | undefined>;
  /** How the server serves a kind; undefined when it does not. */
  resource(kind: { readonly apiVersion: string; readonly kind: string }): ApiResource | undefined;
  /** Objects that a policy's selector means. */
  selected(selector: ResourceSelector): Iterable<KubeObject>;
  /** Objects that carry the permanent id of a policy, of either kind. */
  claimedBy(policyId: string): Iterable<KubeObject>;
  /** Told of every change of every kind, and first of everything there is. */
  subscribe(subscriber: (change: Change) => void): () => void;
  /** Resolves when the kinds known at the start have been read. */
  readonly synced: Promise<void>;
}

export interface TemplatesDeps {
  readonly client: KubeClient;
  readonly informers: Informers;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

const CRD: Gvr = { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' };
/** A custom resource is served a moment after it says so. */
const LOOK_AGAIN_MS = 100;
const DISCOVER_AGAIN_MS = 1_000;
const COPIED_WITHIN_MS = 10_000;
const NAMESPACE = 'namespace';
const CLAIM = 'claim';

export function templates(deps: TemplatesDeps): Templates {
  const { client, informers, clock, log, signal } = deps;
  const subscribers = new Set<(change: Change) => void>();
  /** By kind, in every version served. */
  let served = new Map<string, ApiResource>();
  /** By kind, in the version followed. */
  const followed = new Map<
    string,
    { readonly resource: ApiResource; readonly informer: Informer; readonly end: () => void }
  >();

  function follow(resource: ApiResource): void {
    const id = kindId(resource);
    if (followed.has(id)) return;
    const informer = informers(resource);
    informer.index(NAMESPACE, ({ metadata }) => [metadata.namespace ?? '']);
    informer.index(CLAIM, claimIds);
    const end = informer.subscribe((change) => {
      for (const subscriber of subscribers) subscriber(change);
    });
    followed.set(id, { resource, informer, end });
  }

  /** `name`: as custom resource definitions are named. */
  function unfollow(name: string): void {
    for (const [id, { resource, end }] of followed) {
      if (groupResource(resource) !== name) continue;
      end();
      followed.delete(id);
      informers.stop(resource);
    }
  }

  async function discover(): Promise<void> {
    const resources = await client.discover();
    served = new Map(resources.map((resource) => [kindId(resource), resource]));
    // What is missing now and then (an API served elsewhere) is still followed; only a deleted definition ends that.
    for (const resource of preferred(resources).filter(isPropagatable)) follow(resource);
  }

  const crds = informers(CRD);

  /** Whether everything that custom resources promise is served already. */
  function isComplete(): boolean {
    const resources = new Set([...served.values()].map(groupResource));
    return crds
      .list()
      .filter(isEstablished)
      .every((crd) => resources.has(crd.metadata.name));
  }

  async function start(): Promise<void> {
    for (;;) {
      try {
        await discover();
        break;
      } catch (error) {
        signal.throwIfAborted();
        log.warn('discovery failed', { error });
        await sleep(clock, DISCOVER_AGAIN_MS, signal);
      }
    }
    await copied();
  }

  /** Resolves when all is copied, or all but what a server keeps us waiting for: an API that is down stops nobody. */
  async function copied(): Promise<void> {
    const over = new AbortController();
    const patience = sleep(clock, COPIED_WITHIN_MS, AbortSignal.any([over.signal, signal])).catch(() => undefined);
    await Promise.race([Promise.all([...followed.values()].map(({ informer }) => informer.synced)), patience]);
    over.abort();
    const late = [...followed.values()].filter(({ informer }) => !informer.isSynced());
    if (late.length > 0 && !signal.aborted) {
      log.warn('some resources cannot be read yet', { resources: late.map(({ resource }) => groupResource(resource)) });
    }
  }

  const again = serialised(async () => {
    await discover();
    for (let looks = 0; looks < 50 && !isComplete() && !signal.aborted; looks++) {
      await sleep(clock, LOOK_AGAIN_MS, signal);
      await discover();
    }
  });

  const rediscover = () =>
    again().catch((error: unknown) => {
      if (!signal.aborted) log.warn('discovery failed', { error });
    });

  const synced = start();
  synced.catch(() => undefined);
  // A custom resource may have come between the two first looks.
  crds.synced.then(() => (isComplete() ? undefined : rediscover())).catch(() => undefined);
  const endCrds = crds.subscribe(({ object, old, type }) => {
    if (!crds.isSynced()) return;
    if (type === 'modified' && isEstablished(object) === isEstablished(old) && isSameSpec(object, old)) return;
    if (type === 'deleted') unfollow(object.metadata.name);
    void rediscover();
  });
  signal.addEventListener('abort', endCrds, { once: true });

  const informerOf = (kind: { readonly apiVersion: string; readonly kind: string }) =>
    followed.get(`${kind.apiVersion} ${kind.kind}`)?.informer;

  const cached = (reference: ObjectReference) => informerOf(reference)?.get(keyOfReference(reference));

  return {
    cached,
    async find(reference) {
      const known = cached(reference);
      const resource = served.get(`${reference.apiVersion} ${reference.kind}`);
      if (known || !resource) return known;
      const { namespace, name } = reference;
      try {
        return await client.get(resource, namespace === undefined ? { name } : { namespace, name });
      } catch (error) {
        if (hasReason(error, 'NotFound')) return undefined;
        throw error;
      }
    },
    resource: ({ apiVersion, kind }) => served.get(`${apiVersion} ${kind}`),
    *selected(selector) {
      const informer = informerOf(selector);
      if (!informer) return;
      for (const object of candidates(informer, selector)) if (resourceMatches(object, [selector])) yield object;
    },
    *claimedBy(policyId) {
      for (const { informer } of followed.values()) yield* informer.byIndex(CLAIM, policyId);
    },
    subscribe(subscriber) {
      for (const { informer } of followed.values()) {
        for (const object of informer.list()) subscriber({ type: 'added', object });
      }
      subscribers.add(subscriber);
      return () => void subscribers.delete(subscriber);
    },
    synced,
  };
}

/** The few objects among which the selector's are: one by name, else those of its namespace. */
function candidates(informer: Informer, { namespace, name }: ResourceSelector): readonly KubeObject[] {
  if (name && namespace) {
    const found = informer.get(`${namespace}/${name}`) ?? informer.get(name);
    return found ? [found] : [];
  }
  return namespace ? informer.byIndex(NAMESPACE, namespace) : informer.list();
}

function claimIds({ metadata: { labels = {} } }: KubeObject): string[] {
  return [labels[LABELS.propagationPolicyId], labels[LABELS.clusterPropagationPolicyId]].filter(
    (id) => id !== undefined,
  );
}

function kindId(resource: ApiResource): string {
  return `${apiVersionOf(resource)} ${resource.kind}`;
}

/** Discovery names the preferred version of a resource first. */
function preferred(resources: readonly ApiResource[]): ApiResource[] {
  const first = new Map<string, ApiResource>();
  for (const resource of resources) {
    if (!first.has(groupResource(resource))) first.set(groupResource(resource), resource);
  }
  return [...first.values()];
}

interface CrdView {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

function isEstablished(crd: KubeObject | undefined): boolean {
  const conditions = (crd as CrdView | undefined)?.status?.conditions ?? [];
  return conditions.some(({ type, status }) => type === 'Established' && status === 'True');
}

function isSameSpec(a: KubeObject, b: KubeObject | undefined): boolean {
  return a.metadata.generation === b?.metadata.generation;
}

/** `namespace/name` as informers key it. */
export function keyOfReference({ namespace, name }: ObjectReference): string {
  return namespace ? `${namespace}/${name}` : name;
}

/** Calls come together while one is under way: at most one more follows it. */
function serialised(action: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const run = (): Promise<void> => {
    running = action().finally(() => {
      running = undefined;
    });
    return running;
  };
  return () => {
    if (!running) return run();
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return run();
      });
    return next;
  };
}
