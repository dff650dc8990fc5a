/**
 * A simulated Kubernetes cluster: a real API server whose nodes and pods exist only as objects.
 *
 * Deployments become ReplicaSets, ReplicaSets become Pods, Pods are scheduled by their requests and become Ready, as in
 * any cluster, so everything above cannot tell the difference; only the containers are missing. Start at
 * {@link memberCluster}; each controller has a folder with its pure core beside it.
 */
import { type Clock, systemClock } from '#base/clock.ts';
import { type Log, silentLog } from '#base/log.ts';
import type { ApiServer } from '#kube/apiserver/api-server.ts';
import { KUBERNETES_VERSION } from '#kube/apiserver/version.ts';
import { controlPlane, type ControlPlaneOptions } from '#kube/control-plane/index.ts';
import { manager } from '#kube/runtime/manager.ts';
import { podStreamExtensions } from '#kube/streams/index.ts';
import { deploymentController } from './deployment/deployment-controller.ts';
import { kubeletController } from './kubelet/kubelet-controller.ts';
import { DEFAULT_PACE, type Pace } from './kubelet/pod-life.ts';
import { ensureNodes, type NodeShape } from './node/node-controller.ts';
import { replicaSetController } from './replica-set/replica-set-controller.ts';
import { podSchedulerController } from './scheduler/pod-scheduler-controller.ts';
import type { LogPace } from './pod-streams/log/life-log.ts';
import { simulatedPodStreams } from './pod-streams/simulated-pod-streams.ts';

export interface MemberOptions extends ControlPlaneOptions {
  readonly name: string;
  readonly nodes: NodeShape;
  readonly pace?: Pace;
  /** How often simulated containers say something. */
  readonly logPace?: LogPace;
}

export async function memberCluster(options: MemberOptions): Promise<ApiServer> {
  const { name, nodes, pace = DEFAULT_PACE, clock = systemClock, log = silentLog } = options;
  const streams = simulatedPodStreams({
    cluster: name,
    client: () => server.client(undefined, 'kubelet'),
    clock,
    ...(options.logPace ? { pace: options.logPace } : {}),
  });
  const server = await controlPlane({
    ...options,
    extensions: [
      ...(options.extensions ?? []),
      ...podStreamExtensions({ client: () => server.client(), streams, clock }),
    ],
  });
  const stop = new AbortController();
  await ensureNodes(server.client(undefined, 'kubelet'), clock, name, nodes, KUBERNETES_VERSION.gitVersion);
  const running = controllers(server, { clock, log, pace }).start(stop.signal);
  return {
    ...server,
    async close() {
      stop.abort();
      await running;
      await server.close();
    },
  };
}

function controllers(server: ApiServer, { clock, log, pace }: { clock: Clock; log: Log; pace: Pace }) {
  const client = server.client(undefined, 'kube-controller-manager');
  return manager({
    client,
    clock,
    log,
    controllers: [
      deploymentController({ client, clock }),
      replicaSetController({ client }),
      podSchedulerController({ client: server.client(undefined, 'kube-scheduler'), clock }),
      kubeletController({ client: server.client(undefined, 'kubelet'), clock, pace }),
    ],
  });
}
