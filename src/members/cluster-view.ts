/** Everything the controllers of a simulated cluster look at, always as it is stored at this moment. */
import type {
  AutoscalingV2HorizontalPodAutoscaler as HorizontalPodAutoscaler,
  ConfigMap,
  ControllerRevision,
  CronJob,
  DaemonSet,
  Deployment,
  Endpoints,
  EndpointSlice,
  Job,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  PodDisruptionBudget,
  PriorityClass,
  ReplicaSet,
  ReplicationController,
  Secret,
  Service,
  StatefulSet,
  StorageClass,
} from '#gen/kube/types.ts';
import type { ApiServer } from '#kube/apiserver/api-server.ts';
import { type LiveView, liveView } from './live-view.ts';
import * as resources from './resources.ts';

export interface ClusterView {
  readonly pods: LiveView<Pod>;
  readonly nodes: LiveView<Node>;
  readonly replicaSets: LiveView<ReplicaSet>;
  readonly replicationControllers: LiveView<ReplicationController>;
  readonly deployments: LiveView<Deployment>;
  readonly statefulSets: LiveView<StatefulSet>;
  readonly daemonSets: LiveView<DaemonSet>;
  readonly jobs: LiveView<Job>;
  readonly cronJobs: LiveView<CronJob>;
  readonly controllerRevisions: LiveView<ControllerRevision>;
  readonly configMaps: LiveView<ConfigMap>;
  readonly secrets: LiveView<Secret>;
  readonly services: LiveView<Service>;
  readonly endpoints: LiveView<Endpoints>;
  readonly endpointSlices: LiveView<EndpointSlice>;
  readonly claims: LiveView<PersistentVolumeClaim>;
  readonly volumes: LiveView<PersistentVolume>;
  readonly storageClasses: LiveView<StorageClass>;
  readonly priorityClasses: LiveView<PriorityClass>;
  readonly disruptionBudgets: LiveView<PodDisruptionBudget>;
  readonly autoscalers: LiveView<HorizontalPodAutoscaler>;
  /** The pods bound to a node. */
  podsOn(node: string): readonly Pod[];
}

export function clusterView(server: Pick<ApiServer, 'observe'>): ClusterView {
  const pods = liveView<Pod>(server, resources.PODS, ({ spec }) => (spec?.nodeName ? [spec.nodeName] : []));
  return {
    pods,
    podsOn: (node) => pods.grouped(node),
    nodes: liveView(server, resources.NODES),
    replicaSets: liveView(server, resources.REPLICA_SETS),
    replicationControllers: liveView(server, resources.REPLICATION_CONTROLLERS),
    deployments: liveView(server, resources.DEPLOYMENTS),
    statefulSets: liveView(server, resources.STATEFUL_SETS),
    daemonSets: liveView(server, resources.DAEMON_SETS),
    jobs: liveView(server, resources.JOBS),
    cronJobs: liveView(server, resources.CRON_JOBS),
    controllerRevisions: liveView(server, resources.CONTROLLER_REVISIONS),
    configMaps: liveView(server, resources.CONFIG_MAPS),
    secrets: liveView(server, resources.SECRETS),
    services: liveView(server, resources.SERVICES),
    endpoints: liveView(server, resources.ENDPOINTS),
    endpointSlices: liveView(server, resources.ENDPOINT_SLICES),
    claims: liveView(server, resources.PERSISTENT_VOLUME_CLAIMS),
    volumes: liveView(server, resources.PERSISTENT_VOLUMES),
    storageClasses: liveView(server, resources.STORAGE_CLASSES),
    priorityClasses: liveView(server, resources.PRIORITY_CLASSES),
    disruptionBudgets: liveView(server, resources.DISRUPTION_BUDGETS),
    autoscalers: liveView(server, resources.AUTOSCALERS),
  };
}
