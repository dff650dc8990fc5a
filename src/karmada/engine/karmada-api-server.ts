/**
 * A whole Karmada control plane in one process: a Kubernetes one with Karmada's kinds and rules, and the engine behind it.
 *
 *     const karmada = await karmadaApiServer({ store: memoryStore() });
 *     await karmada.ready;
 *     await karmada.server.listen({ port: 5443, tls });
 *
 * The engine uses the server's in-process client, so nothing it does crosses a network until it reaches a member.
 */
import { systemClock } from '#base/clock.ts';
import { randomIds } from '#base/ids.ts';
import { silentLog } from '#base/log.ts';
import { interpreterAdmission, karmadaAdmission } from '#karmada/admission/index.ts';
import { convertBinding } from '#karmada/apis/binding-versions.ts';
import {
  CLUSTER_RESOURCE_BINDING,
  RESOURCE_BINDING,
  RESOURCE_INTERPRETER_CUSTOMIZATION,
  type ResourceInterpreterCustomization,
} from '#karmada/apis/index.ts';
import { clusterProxyApi } from '#karmada/cluster/cluster-proxy-api.ts';
import { clusterTraceApi } from '#karmada/cluster/cluster-trace-api.ts';
import { clusterTunnelApi } from '#karmada/cluster/cluster-tunnel-api.ts';
import { tunnels } from '#karmada/cluster/tunnels.ts';
import { type ApiServer, SYSTEM_USER } from '#kube/apiserver/index.ts';
import type { HealthCheck } from '#kube/apiserver/http/health.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { controlPlane, type ControlPlaneOptions } from '#kube/control-plane/index.ts';
import { groupResource } from '#kube/meta/gvk.ts';
import { CONTROLLERS } from './controller-names.ts';
import { explanationsApi } from './explanations-api.ts';
import { installCrds } from './install-crds.ts';
import { interpretationsApi } from './interpretations-api.ts';
import { simulationsApi } from './simulations-api.ts';
import { type Engine, type EngineOptions, startEngine } from './start-engine.ts';
import { tracesApi } from './traces-api.ts';

/** In place of Karmada's conversion webhook. */
const BINDING_CONVERSIONS = {
  [groupResource(RESOURCE_BINDING)]: convertBinding,
  [groupResource(CLUSTER_RESOURCE_BINDING)]: convertBinding,
};

export interface KarmadaOptions extends ControlPlaneOptions {
  readonly engine?: Omit<EngineOptions, 'client' | 'signal' | 'clock' | 'ids' | 'log' | 'tunnels'>;
  /** `--allow-no-execute-taint-policy` of Karmada's webhook: whether a ClusterTaintPolicy may evict. Default: no. */
  readonly allowNoExecuteTaintPolicy?: boolean;
}

export interface KarmadaApiServer {
  readonly server: ApiServer;
  readonly engine: Engine;
  /** A client that may do everything, in this process. */
  readonly client: KubeClient;
  /** Resolves when every controller has begun to work. */
  readonly ready: Promise<void>;
  /** Ends the engine, then the server. The store is its owner's to close. */
  close(): Promise<void>;
}

export async function karmadaApiServer(options: KarmadaOptions): Promise<KarmadaApiServer> {
  const { clock = systemClock, ids = randomIds, log = silentLog, allowNoExecuteTaintPolicy = false } = options;
  const stopping = new AbortController();
  const agents = tunnels({ clock });
  let started: Engine | undefined;
  const customizations = async () =>
    (await client.list<ResourceInterpreterCustomization>(RESOURCE_INTERPRETER_CUSTOMIZATION)).items;
  const server = await controlPlane({
    // As upstream: they would be templates like any other, and in the way of those that members have.
    defaultServiceAccounts: false,
    ...options,
    conversions: BINDING_CONVERSIONS,
    admission: [
      ...karmadaAdmission({ ids, clock, allowNoExecuteTaintPolicy }),
      interpreterAdmission({ customizations }),
      ...(options.admission ?? []),
    ],
    health: [...controllerHealth(() => started), ...(options.health ?? [])],
    extensions: [
      ...explanationsApi(() => engine.decisions, clock),
      ...tracesApi(() => engine.traces, clock),
      simulationsApi(() => engine.simulate, clock),
      interpretationsApi(clock),
      ...clusterProxyApi({ client: () => client, members: () => engine.members }),
      clusterTunnelApi({ client: () => client, tunnels: agents }),
      clusterTraceApi({ client: () => client, trace: () => engine.traces }),
      ...(options.extensions ?? []),
    ],
  });
  const client = server.client(SYSTEM_USER, 'karmada-controller-manager');
  await installCrds(client, clock, stopping.signal);
  const engine = startEngine({
    ...options.engine,
    client,
    clock,
    ids,
    log,
    signal: stopping.signal,
    tunnels: agents,
  });
  started = engine;
  return {
    server,
    engine,
    client,
    ready: engine.ready,
    async close() {
      stopping.abort();
      agents.close();
      await engine.ended;
      await server.close();
    },
  };
}

/** One check a controller, so that `/readyz?verbose` shows which one has stopped. */
function controllerHealth(engine: () => Engine | undefined): readonly HealthCheck[] {
  return CONTROLLERS.map((name) => ({
    name: `controller-${name}`,
    readinessOnly: true,
    healthy: () => engine()?.isRunning(name) ?? true,
  }));
}
