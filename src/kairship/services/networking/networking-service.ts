/** Ingresses of an instance, those of its members that could be promoted, and the classes its members have. */
import type { Ingress, IngressClass } from '#gen/kube/types.ts';
import {
  type Ingress as IngressMessage,
  IngressSchema,
} from '#gen/proto/kairship/api/networking/v1alpha1/ingress_pb.ts';
import { NetworkingService } from '#gen/proto/kairship/api/networking/v1alpha1/networking_service_pb.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { type ServedService, service } from '#rpc/index.ts';
import { kairshipPermission } from '../../access/kairship-product.ts';
import { EVERYWHERE } from '../../read/reads.ts';
import { dataOf } from '../../write/writes.ts';
import { clientIn, type Context, type ServiceDeps, writesIn } from '../deps.ts';
import { distributed } from '../distributed.ts';
import { fieldPatch } from '../field-patch.ts';
import { INGRESS, INGRESS_CLASS } from '../kinds.ts';
import type { ListedRequest } from '../listing.ts';
import { manifestRpcs } from '../manifest-rpcs.ts';
import { requireMember } from '../membership.ts';
import { promoteRpc } from '../promote-rpc.ts';
import { isFree } from '../promotion.ts';

const LIST = kairshipPermission('network', 'list');
const IS_DEFAULT = 'ingressclass.kubernetes.io/is-default-class';

export function networkingService(deps: ServiceDeps): ServedService {
  const manifests = manifestRpcs(deps, INGRESS);
  const messages = distributed<IngressMessage, KubeObject & Ingress>(deps, IngressSchema);
  const list = (request: ListedRequest, context: Context) =>
    messages.list(context, request, { resource: INGRESS, permission: LIST });
  const candidates = (request: ListedRequest, context: Context) =>
    messages.list(context, request, { resource: INGRESS, permission: LIST, only: isFree });

  return service(NetworkingService, {
    /** Classes have no namespace and no secrets: whoever may see ingresses of the instance may choose among them. */
    async listIngressClassForMemberCluster({ instance, cluster }) {
      await requireMember(deps, instance, cluster);
      const classes = await deps.reads.all<KubeObject & IngressClass>({
        place: { instance, cluster },
        resource: INGRESS_CLASS,
        reach: EVERYWHERE,
        sortBy: 'name',
        descending: false,
      });
      return { items: classes.map(summary) };
    },
    listInstanceIngresses: list,
    listIngresses: list,
    listMemberClusterAllIngresses: candidates,
    listMemberClusterIngresses: candidates,
    getIngress: async (request, context) =>
      messages.one(request.instance, (await manifests.read(request, context)) as KubeObject & Ingress),
    async getIngressJSON({ instance, namespace, name, stable }, context) {
      const ingress = await clientIn(deps, context, { instance }).get(INGRESS, { namespace, name });
      const { status: _, ...kept } = ingress;
      return { data: dataOf(stable ? (kept as KubeObject) : ingress) };
    },
    createIngress: manifests.create,
    updateIngress: manifests.update,
    async patchIngress({ instance, namespace, name, data: fields }, context) {
      const patch = { type: 'merge', body: fieldPatch(fields) } as const;
      const { data } = await writesIn(deps, context, { instance }).patch(INGRESS, { namespace, name }, patch);
      return { data };
    },
    deleteIngress: manifests.remove,
    promoteMemberClusterIngress: (request, context) => promoteRpc(deps, INGRESS, request, context),
  });
}

function summary({ metadata }: KubeObject) {
  return { name: metadata.name, isDefaultClass: metadata.annotations?.[IS_DEFAULT] === 'true' };
}
