/** Workloads of an instance that run until they are stopped, and those of its members that could be promoted. */
import { AppsService } from '#gen/proto/kairship/api/apps/v1alpha1/apps_service_pb.ts';
import {
  DeploymentSchema,
  type Deployment as DeploymentMessage,
} from '#gen/proto/kairship/api/apps/v1alpha1/deployment_pb.ts';
import { DaemonSetSchema, StatefulSetSchema } from '#gen/proto/kairship/api/apps/v1alpha1/pod_sets_pb.ts';
import { WorkloadStateSchema } from '#gen/proto/kairship/api/types/v1alpha1/types_pb.ts';
import type { DaemonSet, Deployment, StatefulSet } from '#gen/kube/types.ts';
import { rfc3339 } from '#base/clock.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { type ServedService, service } from '#rpc/index.ts';
import { kairshipPermission } from '../../access/kairship-product.ts';
import { asMessage } from '../as-message.ts';
import { type Context, type ServiceDeps, writesIn } from '../deps.ts';
import { type Distribution, distributionOf } from '../distribution.ts';
import { inPhase } from '../in-phase.ts';
import { DAEMON_SET, DEPLOYMENT, STATEFUL_SET } from '../kinds.ts';
import { listed, type ListedRequest } from '../listing.ts';
import { manifestRpcs, type Named } from '../manifest-rpcs.ts';
import { promoteRpc } from '../promote-rpc.ts';
import { daemonSetState } from './daemon-set-state.ts';
import { deploymentState, statefulSetState } from './deployment-state.ts';
import { workloadRpcs } from './workload-rpcs.ts';

type DeploymentObject = KubeObject & Deployment;

const LIST = kairshipPermission('workload', 'list');
/** What `kubectl rollout restart` writes, so that both are the same to whoever looks. */
const RESTARTED_AT = 'kubectl.kubernetes.io/restartedAt';
const REVISION = 'deployment.kubernetes.io/revision';

export function appsService(deps: ServiceDeps): ServedService {
  const manifests = manifestRpcs(deps, DEPLOYMENT);
  const statefulSets = workloadRpcs(deps, STATEFUL_SET, StatefulSetSchema, (set) =>
    statefulSetState(set as StatefulSet),
  );
  const daemonSets = workloadRpcs(deps, DAEMON_SET, DaemonSetSchema, (set) => daemonSetState(set as DaemonSet));

  async function list(request: ListedRequest & { readonly phase?: string }, context: Context) {
    const only = inPhase<DeploymentObject>(WorkloadStateSchema, request.phase, deploymentState);
    const { objects, pagination } = await listed<DeploymentObject>(deps, context, request, {
      resource: DEPLOYMENT,
      permission: LIST,
      only,
    });
    const where = request.cluster ? undefined : await distributionOf(deps.reads, request.instance, objects);
    return { items: objects.map((object) => message(object, where)), pagination };
  }

  /** Changes one and tells how it is now. */
  async function change(request: Named, context: Context, body: object) {
    const at = { namespace: request.namespace ?? '', name: request.name };
    const write = writesIn(deps, context, { instance: request.instance });
    const { object } = await write.patch(DEPLOYMENT, at, { type: 'merge', body });
    return {
      deployment: message(object as DeploymentObject, await distributionOf(deps.reads, request.instance, [object])),
    };
  }

  return service(AppsService, {
    listInstanceDeployments: list,
    listDeployments: list,
    listMemberClusterAllDeployments: list,
    listMemberClusterDeployments: list,
    async getDeployment(request, context) {
      const object = (await manifests.read(request, context)) as DeploymentObject;
      return message(object, await distributionOf(deps.reads, request.instance, [object]));
    },
    getDeploymentJSON: manifests.json,
    createDeployment: manifests.create,
    updateDeployment: manifests.update,
    patchDeployment: manifests.patch,
    deleteDeployment: manifests.remove,
    pauseDeployment: (request, context) => change(request, context, { spec: { paused: true } }),
    resumeDeployment: (request, context) => change(request, context, { spec: { paused: false } }),
    restartDeployment(request, context) {
      const annotations = { [RESTARTED_AT]: rfc3339(deps.clock.now()) };
      return change(request, context, { spec: { template: { metadata: { annotations } } } });
    },
    promoteMemberClusterDeployment: (request, context) => promoteRpc(deps, DEPLOYMENT, request, context),
    promoteMemberClusterStatefulSet: (request, context) => promoteRpc(deps, STATEFUL_SET, request, context),
    promoteMemberClusterDaemonSet: (request, context) => promoteRpc(deps, DAEMON_SET, request, context),

    listInstanceStatefulSets: statefulSets.list,
    listStatefulSets: statefulSets.list,
    getStatefulSet: statefulSets.get,
    getStatefulSetJSON: statefulSets.json,
    createStatefulSet: statefulSets.create,
    updateStatefulSet: statefulSets.update,
    patchStatefulSet: statefulSets.patch,
    deleteStatefulSet: statefulSets.remove,

    listInstanceDaemonSets: daemonSets.list,
    listDaemonSets: daemonSets.list,
    getDaemonSet: daemonSets.get,
    getDaemonSetJSON: daemonSets.json,
    createDaemonSet: daemonSets.create,
    updateDaemonSet: daemonSets.update,
    patchDaemonSet: daemonSets.patch,
    deleteDaemonSet: daemonSets.remove,
  });
}

function message(object: DeploymentObject, where?: Distribution): DeploymentMessage {
  const told = asMessage(DeploymentSchema, {
    ...object,
    revision: object.metadata.annotations?.[REVISION],
    status: { ...object.status, clusters: [] },
  });
  if (told.status) Object.assign(told.status, { state: deploymentState(object), clusters: where?.(object) ?? [] });
  return told;
}
