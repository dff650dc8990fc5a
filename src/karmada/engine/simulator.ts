/**
 * Simulations on the live state: the world as the informers have it, objects admitted by a dry run, members asked what
 * they have where something would be created. It reads, and writes nothing.
 */
import { type Clock, rfc3339 } from '#base/clock.ts';
import type { Ids } from '#base/ids.ts';
import { StatusError } from '#base/status-error.ts';
import {
  type AnyBinding,
  type Cluster,
  CLUSTER,
  CLUSTER_OVERRIDE_POLICY,
  CLUSTER_PROPAGATION_POLICY,
  CLUSTER_RESOURCE_BINDING,
  type ClusterOverridePolicy,
  type ClusterPropagationPolicy,
  OVERRIDE_POLICY,
  type OverridePolicy,
  PROPAGATION_POLICY,
  type PropagationPolicy,
  RESOURCE_BINDING,
} from '#karmada/apis/index.ts';
import type { Members } from '#karmada/cluster/index.ts';
import type { Templates } from '#karmada/detector/index.ts';
import {
  type DecodeDeps,
  decodeSimulation,
  type SimulateInput,
  type SimulationSpec,
  type SimulationStatus,
  simulate,
  type World,
} from '#karmada/simulate/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { gvkOf } from '#kube/meta/gvk.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import type { Informers } from '#kube/runtime/index.ts';
import { PLACEMENT_API_VERSION } from './placement-group.ts';

export interface SimulationObject extends KubeObject {
  readonly spec: SimulationSpec;
  readonly status: SimulationStatus;
}

export interface Simulator {
  (body: unknown, signal: AbortSignal): Promise<SimulationObject>;
}

export interface SimulatorDeps
  extends Pick<SimulateInput, 'interpreter' | 'preemption' | 'skippedNamespaces' | 'failover' | 'scheduling'>,
    Pick<DecodeDeps, 'admit'> {
  readonly informers: Informers;
  readonly templates: Templates;
  readonly members: Pick<Members, 'find'>;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** For so long one turn may last: what else the process does is not kept waiting. */
const TURN_MS = 5;
const AT_ONCE = 2;
const LOOKED_AT_MEMBERS = 200;
const MEMBER_TIMEOUT_MS = 2_000;

export function simulator(deps: SimulatorDeps): Simulator {
  const { clock, ids, interpreter, preemption, skippedNamespaces, failover, scheduling } = deps;
  const world = liveWorld(deps.informers, deps.templates);
  let running = 0;

  async function run(body: unknown, signal: AbortSignal): Promise<SimulationObject> {
    const snapshot = world();
    const { name, spec, change } = await decodeSimulation(body, { ...deps, world: snapshot });
    const status = await simulate({
      world: snapshot,
      change,
      interpreter,
      now: clock.now(),
      breathe: turns(signal),
      observe: observer(deps.members, signal),
      includeUnchanged: spec.includeUnchanged === true,
      ...(preemption === undefined ? {} : { preemption }),
      ...(skippedNamespaces ? { skippedNamespaces } : {}),
      ...(failover ? { failover } : {}),
      ...(scheduling ? { scheduling } : {}),
    });
    const metadata = { name: name || 'simulation', uid: ids.uid(), creationTimestamp: rfc3339(clock.now()) };
    return { apiVersion: PLACEMENT_API_VERSION, kind: 'Simulation', metadata, spec, status };
  }

  return async (body, signal) => {
    if (running >= AT_ONCE) {
      const details = { retryAfterSeconds: 1 };
      throw new StatusError('TooManyRequests', `${AT_ONCE} simulations are under way already`, { details });
    }
    running++;
    try {
      return await run(body, signal);
    } finally {
      running--;
    }
  };
}

/** A promise to wait for whenever the turn has lasted long enough. */
function turns(signal: AbortSignal): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    signal.throwIfAborted();
    if (performance.now() - since < TURN_MS) return undefined;
    return new Promise((resolve) => {
      setImmediate(() => {
        since = performance.now();
        resolve();
      });
    });
  };
}

function liveWorld(informers: Informers, templates: Templates): () => World {
  const bindings = [RESOURCE_BINDING, CLUSTER_RESOURCE_BINDING].map((gvr) => informers<AnyBinding>(gvr));
  const clusters = informers<Cluster>(CLUSTER);
  const policies = informers<PropagationPolicy>(PROPAGATION_POLICY);
  const clusterPolicies = informers<ClusterPropagationPolicy>(CLUSTER_PROPAGATION_POLICY);
  const overridePolicies = informers<OverridePolicy>(OVERRIDE_POLICY);
  const clusterOverridePolicies = informers<ClusterOverridePolicy>(CLUSTER_OVERRIDE_POLICY);
  return () => ({
    clusters: clusters.list(),
    bindings: bindings.flatMap((informer) => informer.list()),
    policies: policies.list(),
    clusterPolicies: clusterPolicies.list(),
    overridePolicies: overridePolicies.list(),
    clusterOverridePolicies: clusterOverridePolicies.list(),
    template: (reference) => templates.cached(reference),
    selected: (selector) => templates.selected(selector),
  });
}

/** What members have is asked only so often, and not waited for long: a conflict not found is no failure. */
function observer(members: Pick<Members, 'find'>, signal: AbortSignal): NonNullable<SimulateInput['observe']> {
  let left = LOOKED_AT_MEMBERS;
  return async (cluster, manifest) => {
    const member = members.find(cluster);
    if (!member || left-- <= 0) return undefined;
    try {
      const resource = await member.mapper.byKind(gvkOf(manifest));
      const limit = AbortSignal.any([signal, AbortSignal.timeout(MEMBER_TIMEOUT_MS)]);
      return await member.client.get(resource, manifest.metadata, { signal: limit });
    } catch {
      return undefined;
    }
  };
}

/** Admission by the server itself, in a dry run: defaults, schemas, webhooks and all. */
export function admittedByServer(
  client: Pick<KubeClient, 'create' | 'update'>,
  templates: Pick<Templates, 'resource'>,
): DecodeDeps['admit'] {
  return async (object, existing) => {
    const resource = templates.resource(object);
    if (!resource) throw new StatusError('NotFound', `the server has no kind ${object.kind} in ${object.apiVersion}`);
    if (!existing) return client.create(resource, object, { dryRun: true });
    return client.update(resource, laidOver(object, existing), { dryRun: true });
  };
}

const OWN_MARK = /(^|\.)karmada\.io\//;

/** What somebody would write in place of what is there: what belongs to the server and to Karmada stays. */
export function laidOver(object: KubeObject, existing: KubeObject): KubeObject {
  const marks = (entries: Readonly<Record<string, string>> = {}) =>
    Object.fromEntries(Object.entries(entries).filter(([key]) => OWN_MARK.test(key)));
  const { metadata } = existing;
  const own = object.metadata;
  return {
    ...object,
    metadata: {
      ...metadata,
      ...own,
      labels: { ...marks(metadata.labels), ...own.labels },
      annotations: { ...marks(metadata.annotations), ...own.annotations },
      ...(metadata.finalizers ? { finalizers: metadata.finalizers } : {}),
      ...(metadata.resourceVersion === undefined ? {} : { resourceVersion: metadata.resourceVersion }),
    },
    ...(existing['status'] === undefined ? {} : { status: existing['status'] }),
  };
}
