/** Federated autoscalers of an instance. */
import {
  AutoscalingService,
  ListFederatedHPAsRequest_Kind as Kind,
  ListFederatedHPAsRequest_KindSchema as KindSchema,
} from '#gen/proto/kairship/api/autoscaling/v1alpha1/autoscaling_service_pb.ts';
import {
  type FederatedHPA as FederatedHpaMessage,
  FederatedHPASchema,
} from '#gen/proto/kairship/api/autoscaling/v1alpha1/federated_hpa_pb.ts';
import { FEDERATED_HPA, type FederatedHpa } from '#karmada/apis/index.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { type ServedService, service } from '#rpc/index.ts';
import { kairshipPermission } from '../../access/kairship-product.ts';
import { asMessage } from '../as-message.ts';
import type { Context, ServiceDeps } from '../deps.ts';
import { listed, type ListedRequest } from '../listing.ts';
import { manifestRpcs } from '../manifest-rpcs.ts';
import { scalerPhase } from './scaler-phase.ts';

const LIST = kairshipPermission('scaling', 'list');

export function autoscalingService(deps: ServiceDeps): ServedService {
  const manifests = manifestRpcs(deps, FEDERATED_HPA);

  /** `kind` is that of what they scale; both lists number them alike. */
  async function list(request: ListedRequest & { readonly kind: number }, context: Context) {
    const kind =
      request.kind === Kind.KIND_UNSPECIFIED
        ? undefined
        : KindSchema.values.find(({ number }) => number === request.kind)?.name;
    const only = kind === undefined ? undefined : ({ spec }: FederatedHpa) => spec.scaleTargetRef.kind === kind;
    const wanted = { resource: FEDERATED_HPA, permission: LIST, only };
    const { objects, pagination } = await listed<FederatedHpa>(deps, context, request, wanted);
    return { items: objects.map(message), pagination };
  }

  return service(AutoscalingService, {
    listInstanceFederatedHPAs: list,
    listFederatedHPAs: list,
    getFederatedHPA: async (request, context) => ({ federatedHpa: message(await manifests.read(request, context)) }),
    getFederatedHPAJSON: manifests.json,
    createFederatedHPA: manifests.create,
    updateFederatedHPA: manifests.update,
    deleteFederatedHPA: manifests.remove,
  });
}

function message(object: KubeObject): FederatedHpaMessage {
  const told = asMessage(FederatedHPASchema, { ...object, status: object['status'] ?? {} });
  if (told.status) told.status.phase = scalerPhase(object);
  return told;
}
