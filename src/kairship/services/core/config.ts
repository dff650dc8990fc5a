/**
 * Config maps and secrets of an instance, and the secrets of its members.
 *
 * Lists come from the index, which holds no value of any secret. Whoever reads one secret reads it from the instance,
 * as themselves.
 */
import { ConfigMapSchema, SecretSchema } from '#gen/proto/kairship/api/core/v1alpha1/config_pb.ts';
import type { CoreService } from '#gen/proto/kairship/api/core/v1alpha1/core_service_pb.ts';
import type { ServiceImpl } from '@connectrpc/connect';
import { kairshipPermission } from '../../access/kairship-product.ts';
import { clientIn, type Context, type ServiceDeps, writesIn } from '../deps.ts';
import { distributed } from '../distributed.ts';
import { entriesPatch } from '../field-patch.ts';
import { CONFIG_MAP, SECRET } from '../kinds.ts';
import type { ListedRequest } from '../listing.ts';
import { manifestRpcs, type Named } from '../manifest-rpcs.ts';
import { promoteRpc } from '../promote-rpc.ts';
import type { WrittenKind } from '../../write/writes.ts';

const LIST_CONFIG = kairshipPermission('config', 'list');
const LIST_SECRETS = kairshipPermission('secret', 'list');

export function configRpcs(deps: ServiceDeps) {
  const configMaps = manifestRpcs(deps, CONFIG_MAP);
  const secrets = manifestRpcs(deps, SECRET);
  const configMapMessages = distributed(deps, ConfigMapSchema);
  const secretMessages = distributed(deps, SecretSchema);

  const listConfigMaps = (request: ListedRequest, context: Context) =>
    configMapMessages.list(context, request, { resource: CONFIG_MAP, permission: LIST_CONFIG });
  const listSecrets = (request: ListedRequest, context: Context) =>
    secretMessages.list(context, request, { resource: SECRET, permission: LIST_SECRETS });

  async function patchEntries(kind: WrittenKind, request: PatchedEntries, context: Context) {
    const { instance, namespace, name } = request;
    const body = { data: entriesPatch(request.data) };
    const { data } = await writesIn(deps, context, { instance }).patch(
      kind,
      { namespace, name },
      { type: 'merge', body },
    );
    return { data };
  }

  return {
    listInstanceConfigMaps: listConfigMaps,
    listConfigMaps,
    getConfigMap: async (request, context) =>
      configMapMessages.one(request.instance, await configMaps.read(request, context)),
    getConfigMapJSON: configMaps.json,
    createConfigMap: configMaps.create,
    updateConfigMap: configMaps.update,
    patchConfigMap: (request, context) => patchEntries(CONFIG_MAP, request, context),
    deleteConfigMap: configMaps.remove,
    promoteMemberClusterConfigMap: (request, context) => promoteRpc(deps, CONFIG_MAP, request, context),

    promoteMemberClusterSecret: (request, context) => promoteRpc(deps, SECRET, request, context),
    listInstanceSecrets: listSecrets,
    listSecrets,
    listSecretsForMemberCluster: listSecrets,
    async getSecret({ instance, namespace, name }, context) {
      const secret = await clientIn(deps, context, { instance }).get(SECRET, { namespace, name });
      return secretMessages.one(instance, secret);
    },
    getSecretJSON: secrets.json,
    createSecret: secrets.create,
    updateSecret: secrets.update,
    patchSecret: (request, context) => patchEntries(SECRET, request, context),
    deleteSecret: secrets.remove,
  } satisfies Partial<ServiceImpl<typeof CoreService>>;
}

type PatchedEntries = Named & { readonly namespace: string; readonly data: Readonly<Record<string, string>> };
