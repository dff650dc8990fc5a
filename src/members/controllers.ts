/** Everyone who works in a simulated cluster, by the name they sign with. */
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import type { ApiServer } from '#kube/apiserver/api-server.ts';
import type { Controller } from '#kube/runtime/controller.ts';
import { eventRecorder } from '#kube/runtime/events.ts';
import type { Addresses } from './addresses.ts';
import { autoscalerController } from './autoscaler/autoscaler-controller.ts';
import type { ClusterView } from './cluster-view.ts';
import { cronJobController } from './cron-job/cron-job-controller.ts';
import { daemonSetController } from './daemon-set/daemon-set-controller.ts';
import { deploymentController } from './deployment/deployment-controller.ts';
import { disruptionController } from './disruption/disruption-controller.ts';
import { expiredJobController, jobController } from './job/job-controller.ts';
import { kubeletController } from './kubelet/kubelet-controller.ts';
import type { Pace } from './kubelet/pace.ts';
import type { PodMeter } from './metrics/pod-meter.ts';
import { evictionController } from './node/eviction-controller.ts';
import { nodeController } from './node/node-controller.ts';
import { replicaSetController, replicationController } from './replica-set/replica-set-controller.ts';
import { podSchedulerController } from './scheduler/pod-scheduler-controller.ts';
import { endpointController } from './service/endpoint-controller.ts';
import { ingressController, loadBalancerController } from './service/load-balancer-controller.ts';
import { claimController, volumeController } from './storage/claim-controller.ts';
import { statefulSetController } from './stateful-set/stateful-set-controller.ts';

export interface Cluster {
  readonly server: ApiServer;
  readonly clock: Clock;
  readonly log: Log;
  readonly view: ClusterView;
  readonly addresses: Addresses;
  readonly meter: PodMeter;
  readonly pace: Pace;
  readonly speed: number;
}

/** Renewing leases is for those who look at them: how often is a matter of real time, whatever the cluster's speed. */
const LEASE_MS = 10_000;

export function controllersOf(cluster: Cluster): readonly Controller[] {
  const { server, clock, log, view, addresses, meter, pace, speed } = cluster;
  /** What a controller works with: `program` is recorded with its writes, `component` with its events. */
  const as = (component: string, program = 'kube-controller-manager') => {
    const client = server.client(undefined, program);
    return { client, clock, view, events: eventRecorder({ client, component, clock, log }) };
  };
  return [
    deploymentController(as('deployment-controller')),
    replicaSetController(as('replicaset-controller')),
    replicationController(as('replication-controller')),
    statefulSetController(as('statefulset-controller')),
    daemonSetController(as('daemonset-controller')),
    jobController(as('job-controller')),
    expiredJobController(as('ttl-after-finished-controller')),
    cronJobController(as('cronjob-controller')),
    podSchedulerController({ ...as('default-scheduler', 'kube-scheduler'), server }),
    kubeletController({ ...as('kubelet', 'kubelet'), pace, addresses }),
    nodeController({ ...as('node-controller'), leaseMs: LEASE_MS * speed }),
    endpointController(as('endpoint-slice-controller')),
    loadBalancerController({ ...as('service-controller', 'cloud-controller-manager'), addresses }),
    ingressController({ ...as('ingress-controller', 'ingress-controller'), addresses }),
    disruptionController(as('controllermanager')),
    autoscalerController({ ...as('horizontal-pod-autoscaler'), meter }),
    claimController(as('persistentvolume-controller')),
    volumeController(as('persistentvolume-controller')),
    evictionController(as('taint-eviction-controller')),
  ];
}
