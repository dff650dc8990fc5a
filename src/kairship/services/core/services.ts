/** Services of an instance, those of its members, and those made for a workload. */
import type { ServiceImpl } from '@connectrpc/connect';
import {
  type CoreService,
  ListServicesForMemberClusterRequest_KindSchema as WorkloadKinds,
} from '#gen/proto/kairship/api/core/v1alpha1/core_service_pb.ts';
import {
  type Service as ServiceMessage,
  ServiceSchema,
  type ServiceType,
  ServiceTypeSchema,
} from '#gen/proto/kairship/api/core/v1alpha1/service_pb.ts';
import type { Service } from '#gen/kube/types.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { kairshipPermission } from '../../access/kairship-product.ts';
import { type Context, type ServiceDeps, writesIn } from '../deps.ts';
import { distributed } from '../distributed.ts';
import { fieldPatch } from '../field-patch.ts';
import { SERVICE } from '../kinds.ts';
import type { ListedRequest } from '../listing.ts';
import { manifestRpcs } from '../manifest-rpcs.ts';
import { requireMember } from '../membership.ts';
import { promoteRpc } from '../promote-rpc.ts';
import { isFree } from '../promotion.ts';
import { servicesOf } from '../workload-parts.ts';
import { createWorkloadService } from './workload-service.ts';

type ServiceObject = KubeObject & Service;
type Only = (service: ServiceObject) => boolean;

const LIST = kairshipPermission('network', 'list');

/** What the lists of services ask for beyond other lists; the numbers of the kinds are the same in all of them. */
interface ServicesRequest extends ListedRequest {
  readonly type?: readonly ServiceType[];
  readonly kind?: number;
  readonly kindName?: string;
}

export function serviceRpcs(deps: ServiceDeps) {
  const manifests = manifestRpcs(deps, SERVICE);
  const messages = distributed<ServiceMessage, ServiceObject>(deps, ServiceSchema);

  async function ofWorkload({ instance, cluster, namespace = '', kind = 0, kindName = '' }: ServicesRequest) {
    if (cluster) await requireMember(deps, instance, cluster);
    const place = { instance, ...(cluster ? { cluster } : {}) };
    const named = kind === 0 ? '' : (WorkloadKinds.values.find(({ number }) => number === kind)?.name ?? '');
    return servicesOf(deps.reads, { place, namespace, kind: named, name: kindName });
  }

  async function list(request: ServicesRequest, context: Context, ...more: readonly Only[]) {
    const only = all([ofType(request.type), await ofWorkload(request), ...more]);
    return messages.list(context, request, { resource: SERVICE, permission: LIST, only });
  }

  /** A balancer's address belongs to its cluster: such a service does not come along with its workload. */
  function candidates(request: ServicesRequest, context: Context) {
    const more = request.kindName ? [isFree, isNoBalancer] : [isFree];
    return list(request, context, ...more);
  }

  return {
    listInstanceServices: (request, context) => list(request, context),
    listServices: (request, context) => list({ ...request, sortDir: request.orderBy }, context),
    listMemberClusterAllServices: candidates,
    listMemberClusterServices: candidates,
    listServicesForMemberCluster: (request, context) => list(request, context),
    getService: async (request, context) =>
      messages.one(request.instance, (await manifests.read(request, context)) as ServiceObject),
    getServiceJSON: manifests.json,
    createService: manifests.create,
    updateService: manifests.update,
    async patchService({ instance, namespace, name, data: fields }, context) {
      const patch = { type: 'merge', body: fieldPatch(fields) } as const;
      const { data } = await writesIn(deps, context, { instance }).patch(SERVICE, { namespace, name }, patch);
      return { data };
    },
    deleteService: manifests.remove,
    promoteMemberClusterService: (request, context) => promoteRpc(deps, SERVICE, request, context),
    async createWorkloadService(request, context) {
      await createWorkloadService(deps, context, request);
      return {};
    },
  } satisfies Partial<ServiceImpl<typeof CoreService>>;
}

function all(tests: readonly (Only | undefined)[]): Only | undefined {
  const given = tests.filter((test) => test !== undefined);
  return given.length === 0 ? undefined : (service) => given.every((test) => test(service));
}

function ofType(types: readonly ServiceType[] = []): Only | undefined {
  const names = types.map((type) => ServiceTypeSchema.value[type]?.name ?? '');
  return names.length === 0 ? undefined : ({ spec }) => names.includes(spec?.type ?? 'ClusterIP');
}

function isNoBalancer({ spec }: ServiceObject): boolean {
  return spec?.type !== 'LoadBalancer';
}
