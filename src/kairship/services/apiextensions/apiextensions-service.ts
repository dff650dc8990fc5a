/** Custom resource definitions of an instance, and objects of any group, version and resource. */
import type { CustomResourceDefinition } from '#gen/kube/types.ts';
import { ApiextensionsService } from '#gen/proto/kairship/api/apiextensions/v1alpha1/apiextensions_service_pb.ts';
import { CustomResourceDefinitionSchema } from '#gen/proto/kairship/api/apiextensions/v1alpha1/custom_resource_definition_pb.ts';
import { hasReason } from '#base/status-error.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { type ServedService, service } from '#rpc/index.ts';
import { kairshipPermission } from '../../access/kairship-product.ts';
import { dataOf } from '../../write/writes.ts';
import { asMessage } from '../as-message.ts';
import { clientIn, type Context, reachIn, type ServiceDeps } from '../deps.ts';
import { CUSTOM_RESOURCE_DEFINITION } from '../kinds.ts';
import { listed, type ListedRequest } from '../listing.ts';
import { type ManifestRpcs, manifestRpcs, type Named, type Sent } from '../manifest-rpcs.ts';
import { type Asked, customKind, refuseGuarded } from './custom-kind.ts';
import { patchCustom } from './custom-patch.ts';
import { customResources } from './custom-resource.ts';

export type Definition = KubeObject & CustomResourceDefinition;

const LIST_DEFINITIONS = kairshipPermission('custom-resource-definition', 'list');
const LIST = kairshipPermission('custom-resource', 'list');
const LIST_CLUSTER = kairshipPermission('cluster-custom-resource', 'list');

interface Located extends Asked {
  readonly instance: string;
  readonly namespace?: string;
}

export function apiextensionsService(deps: ServiceDeps): ServedService {
  const definitions = manifestRpcs(deps, CUSTOM_RESOURCE_DEFINITION);

  const kindIn = (request: Located, context: Context) =>
    customKind(clientIn(deps, context, { instance: request.instance }), request, request.namespace !== undefined);
  const manifests = async (request: Located, context: Context): Promise<ManifestRpcs> =>
    manifestRpcs(deps, await kindIn(request, context));

  async function list(request: Located & ListedRequest, context: Context) {
    refuseGuarded(request);
    await kindIn(request, context).catch((error: unknown) => {
      // What is known of an instance that cannot be reached is still shown.
      if (!hasReason(error, 'ServiceUnavailable', 'Timeout')) throw error;
    });
    const permission = request.namespace === undefined ? LIST_CLUSTER : LIST;
    const { objects, pagination } = await listed(deps, context, request, { resource: request, permission });
    return { items: await customResources(deps.reads, request.instance, objects), pagination };
  }
  async function get(request: Located & Named, context: Context) {
    const object = await (await manifests(request, context)).read(request, context);
    const [told] = await customResources(deps.reads, request.instance, [object]);
    return told ?? {};
  }
  const json = async (request: Located & Named, context: Context) =>
    (await manifests(request, context)).json(request, context);
  const create = async (request: Located & Sent, context: Context) =>
    (await manifests(request, context)).create(request, context);
  const update = async (request: Located & Sent, context: Context) =>
    (await manifests(request, context)).update(request, context);
  const remove = async (request: Located & Named, context: Context) =>
    (await manifests(request, context)).remove(request, context);

  return service(ApiextensionsService, {
    async listCustomResourceDefinitionGroups({ instance }, context) {
      const reach = reachIn(deps, context, LIST_DEFINITIONS, instance);
      const found = await deps.reads.all<Definition>({
        place: { instance },
        resource: CUSTOM_RESOURCE_DEFINITION,
        reach,
      });
      return { items: [...new Set(found.map(({ spec }) => spec.group))].sort() };
    },
    async listCustomResourceDefinitions(request, context) {
      const { objects, pagination } = await listed<Definition>(deps, context, request, {
        resource: CUSTOM_RESOURCE_DEFINITION,
        permission: LIST_DEFINITIONS,
        only: amongDefinitions(request),
      });
      return { items: objects.map(definition), pagination };
    },
    getCustomResourceDefinition: async (request, context) => definition(await definitions.read(request, context)),
    getCustomResourceDefinitionJSON: definitions.json,
    createCustomResourceDefinition: definitions.create,
    updateCustomResourceDefinition: definitions.update,
    deleteCustomResourceDefinition: definitions.remove,

    listCustomResources: list,
    getCustomResource: get,
    getCustomResourceJSON: json,
    createCustomResource: create,
    updateCustomResource: update,
    async patchCustomResource(request, context) {
      const { instance, namespace, name } = request;
      const kind = await kindIn(request, context);
      const client = clientIn(deps, context, { instance });
      return { data: dataOf(await patchCustom(client, kind, { namespace, name }, request)) };
    },
    deleteCustomResource: remove,

    listClusterCustomResources: list,
    getClusterCustomResource: get,
    getClusterCustomResourceJSON: json,
    createClusterCustomResource: create,
    updateClusterCustomResource: update,
    deleteClusterCustomResource: remove,
  });
}

function definition(object: KubeObject) {
  return asMessage(CustomResourceDefinitionSchema, object);
}

/** Of a group, and with one of some conditions (`Established`, `Terminating`, …) true. */
export function amongDefinitions({
  group,
  status,
}: {
  readonly group: string;
  readonly status: readonly string[];
}): ((object: Definition) => boolean) | undefined {
  if (group === '' && status.length === 0) return undefined;
  const wanted = new Set(status.map((one) => one.toLowerCase()));
  return (object) => {
    const holds = (object.status?.conditions ?? []).filter((condition) => condition.status === 'True');
    const hasGroup = group === '' || object.spec.group === group;
    return hasGroup && (wanted.size === 0 || holds.some(({ type }) => wanted.has(type.toLowerCase())));
  };
}
