/**
 * The engine against an API server of others, with what it has to bring along there: admission of what it writes, stamps
 * for policies, and a fence for its writes while it leads.
 */
import { randomIds } from '#base/ids.ts';
import type { AdmissionPlugin, ApiServerOptions } from '#kube/apiserver/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { groupResource } from '#kube/meta/gvk.ts';
import { fenced, informers as informersOf, type Leadership, manager } from '#kube/runtime/index.ts';
import { admittedClient } from './admitted-client.ts';
import { type Explanations, explanationsApi } from './explanations-api.ts';
import { policyStampController } from './policy-stamp-controller.ts';
import type { Simulator } from './simulator.ts';
import { interpretationsApi } from './interpretations-api.ts';
import { simulationsApi } from './simulations-api.ts';
import { type Engine, type EngineOptions, startEngine } from './start-engine.ts';
import type { TraceStore } from '#karmada/trace/index.ts';
import { tracesApi } from './traces-api.ts';

export interface RemoteEngineOptions extends EngineOptions {
  readonly admission: readonly AdmissionPlugin[];
  /** Absent: it is alone. */
  readonly leadership?: Leadership;
}

export function startRemoteEngine({ admission, leadership, ...options }: RemoteEngineOptions): Engine {
  const guarded = leadership ? fencedButEvents(options.client, leadership) : options.client;
  const client = admittedClient(guarded, admission);
  const engine = startEngine({ ...options, client });
  const { signal, ids = randomIds, clock, log } = options;
  const deps = { ...(clock ? { clock } : {}), ...(log ? { log } : {}), ids };
  const informers = informersOf(client, { ...deps, signal });
  const stamps = manager({
    ...deps,
    client,
    informers,
    controllers: [policyStampController({ client, informers, ids })],
  });
  const stamping = stamps.start(signal);
  return { ...engine, ended: Promise.all([engine.ended, stamping]).then(() => undefined) };
}

const EVENTS = new Set(['events', 'events.events.k8s.io']);

/** Counting an event once more undoes nobody's work: it needs no guard but the lease. */
function fencedButEvents(client: KubeClient, leadership: Leadership): KubeClient {
  const safe = fenced(client, leadership);
  return {
    ...safe,
    async patch(gvr, key, patch, options) {
      if (!EVENTS.has(groupResource(gvr))) return safe.patch(gvr, key, patch, options);
      leadership.guard();
      return client.patch(gvr, key, patch, options);
    },
  };
}

export interface PlacementSources {
  readonly explanations: () => Explanations;
  readonly simulate: () => Simulator;
  readonly traces?: () => TraceStore;
}

/** What makes an API server one that serves the placement group and nothing else. */
export function placementServer(sources: PlacementSources): Pick<ApiServerOptions, 'resources' | 'extensions'> {
  const { explanations, simulate, traces } = sources;
  return {
    resources: [],
    extensions: [
      ...explanationsApi(explanations),
      ...(traces ? tracesApi(traces) : []),
      simulationsApi(simulate),
      interpretationsApi(),
    ],
  };
}
