/** Claims on storage of an instance, with where they have gone. */
import type { ServiceImpl } from '@connectrpc/connect';
import { isObject } from '#base/json.ts';
import type { CoreService } from '#gen/proto/kairship/api/core/v1alpha1/core_service_pb.ts';
import {
  type PersistentVolumeClaim as ClaimMessage,
  PersistentVolumeClaimSchema,
} from '#gen/proto/kairship/api/core/v1alpha1/volume_claim_pb.ts';
import type { PersistentVolumeClaim } from '#gen/kube/types.ts';
import { badRequest } from '#base/status-error.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { kairshipPermission } from '../../access/kairship-product.ts';
import type { Context, ServiceDeps } from '../deps.ts';
import { distributed } from '../distributed.ts';
import { PERSISTENT_VOLUME_CLAIM } from '../kinds.ts';
import type { ListedRequest } from '../listing.ts';
import { manifestRpcs } from '../manifest-rpcs.ts';

type Claim = KubeObject & PersistentVolumeClaim;

const LIST = kairshipPermission('storage', 'list');
const PHASES = ['Pending', 'Bound', 'Lost'];

export function volumeClaimRpcs(deps: ServiceDeps) {
  const manifests = manifestRpcs(deps, PERSISTENT_VOLUME_CLAIM);
  const messages = distributed<ClaimMessage, Claim>(deps, PersistentVolumeClaimSchema, (message, claim) => {
    if (message.spec) message.spec.storage = asked(claim);
  });
  const list = (request: ListedRequest & { readonly phase?: string }, context: Context) =>
    messages.list(context, request, {
      resource: PERSISTENT_VOLUME_CLAIM,
      permission: LIST,
      only: inPhase(request.phase),
    });

  return {
    listInstancePersistentVolumeClaims: list,
    listPersistentVolumeClaims: list,
    getPersistentVolumeClaim: async (request, context) =>
      messages.one(request.instance, (await manifests.read(request, context)) as Claim),
    getPersistentVolumeClaimJSON: manifests.json,
    createPersistentVolumeClaim: manifests.create,
    updatePersistentVolumeClaim: manifests.update,
    patchPersistentVolumeClaim: manifests.patch,
    deletePersistentVolumeClaim: manifests.remove,
  } satisfies Partial<ServiceImpl<typeof CoreService>>;
}

function asked({ spec }: Claim): string {
  const requests: unknown = spec?.resources?.requests;
  const storage = isObject(requests) ? requests['storage'] : undefined;
  return typeof storage === 'string' || typeof storage === 'number' ? String(storage) : '';
}

function inPhase(phase: string | undefined): ((claim: Claim) => boolean) | undefined {
  if (!phase) return undefined;
  const wanted = PHASES.find((one) => one.toLowerCase() === phase.toLowerCase());
  if (!wanted) throw badRequest(`phase "${phase}" is none of ${PHASES.join(', ')}`);
  return ({ status }) => (status?.phase ?? 'Pending') === wanted;
}
