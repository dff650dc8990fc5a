/**
 * A simulated Kubernetes cluster: a real API server whose nodes and pods exist only as objects.
 *
 * Workloads become pods, pods are scheduled by their requests, start, become ready and end, services get endpoints, as in
 * any cluster, so everything above cannot tell the difference; only the containers are missing. Start at
 * {@link memberCluster}; `controllers.ts` lists who does what, and each has a folder with its pure core beside it.
 * `requests.ts` says how to ask for failures.
 */
import { systemClock } from '#base/clock.ts';
import { silentLog } from '#base/log.ts';
import type { ApiServer } from '#kube/apiserver/api-server.ts';
import { controlPlane, type ControlPlaneOptions } from '#kube/control-plane/index.ts';
import { manager } from '#kube/runtime/manager.ts';
import { podStreamExtensions } from '#kube/streams/index.ts';
import { ensureAccount } from './admission/default-account.ts';
import { claimAdmission } from './admission/claim-admission.ts';
import { addressesOf } from './addresses.ts';
import { type ClusterView, clusterView } from './cluster-view.ts';
import { controllersOf } from './controllers.ts';
import { DEFAULT_PACE, type Pace } from './kubelet/pace.ts';
import { metricsApi } from './metrics/metrics-api.ts';
import { podMeter } from './metrics/pod-meter.ts';
import { ensureNodes } from './node/node-controller.ts';
import type { NodeShape } from './node/node-shape.ts';
import type { LogPace } from './pod-streams/log/life-log.ts';
import { simulatedPodStreams } from './pod-streams/simulated-pod-streams.ts';
import { ensureNetwork } from './service/load-balancer-controller.ts';
import { ensureStorageClass } from './storage/claim-controller.ts';
import { scaledClock } from './scaled-clock.ts';

export interface MemberOptions extends ControlPlaneOptions {
  readonly name: string;
  readonly nodes: NodeShape;
  readonly pace?: Partial<Pace>;
  /** How often simulated containers say something. */
  readonly logPace?: LogPace;
  /** How much faster than real time passes in the cluster. */
  readonly speed?: number;
}

/** A request or a reconcile may take this long, whatever the cluster's time does meanwhile. */
const RECONCILE_MS = 300_000;

export async function memberCluster(options: MemberOptions): Promise<ApiServer> {
  const { name, nodes, pace = {}, speed = 1, log = silentLog } = options;
  const { clock: realClock = systemClock } = options;
  const clock = scaledClock(speed, realClock);
  const addresses = addressesOf(name);
  const streams = simulatedPodStreams({
    cluster: name,
    client: () => server.client(undefined, 'kubelet'),
    clock,
    ...(options.logPace ? { pace: options.logPace } : {}),
  });
  const server = await controlPlane({
    ...options,
    clock,
    admission: [...(options.admission ?? []), claimAdmission(() => view)],
    extensions: [
      ...(options.extensions ?? []),
      // Clients wait in real time, however fast the cluster's time passes.
      ...podStreamExtensions({ client: () => server.client(), streams, clock: realClock, now: () => clock.now() }),
      ...metricsApi({ view: () => view, meter: () => meter, clock }),
    ],
  });
  const view: ClusterView = clusterView(server);
  const meter = podMeter(view, clock);
  const stop = new AbortController();
  await ensureAccount(server.client(undefined, 'kube-controller-manager'));
  await ensureStorageClass(server.client(undefined, 'kube-addon-manager'), view);
  await ensureNetwork(server.client(undefined, 'kube-apiserver'));
  await ensureNodes(server.client(undefined, 'kubelet'), name, nodes, addresses);
  const running = manager({
    client: server.client(undefined, 'kube-controller-manager'),
    clock,
    log,
    reconcileTimeoutMs: RECONCILE_MS * speed,
    controllers: controllersOf({
      server,
      clock,
      log,
      view,
      addresses,
      meter,
      pace: { ...DEFAULT_PACE, ...pace },
      speed,
    }),
  }).start(stop.signal);
  return {
    ...server,
    async close() {
      stop.abort();
      await running;
      await server.close();
    },
  };
}
