/** What the API does alike with all four kinds of policies: lists of those that mean an object, and their manifests. */
import type { DescMessage, MessageShape } from '@bufbuild/protobuf';
import type { ResourceSelector } from '#karmada/apis/index.ts';
import { restMapper } from '#kube/client/rest-mapper.ts';
import type { KindNames } from '#kube/crds/kind-names.ts';
import { parseApiVersion } from '#kube/meta/gvk.ts';
import type { Labels } from '#kube/meta/label-selector.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import type { Permission } from '#ghippo/apis/permission.ts';
import { EVERYWHERE } from '../../read/reads.ts';
import { asMessage } from '../as-message.ts';
import { clientIn, type Context, type ServiceDeps } from '../deps.ts';
import { listed, type ListedRequest } from '../listing.ts';
import { manifestRpcs, type Named } from '../manifest-rpcs.ts';
import { selects } from './selects.ts';

/** `kind`, `kindName` and `apiVersion` say which object the policies shall mean. */
export type PolicyListRequest = ListedRequest & {
  readonly kind?: string;
  readonly kindName?: string;
  readonly apiVersion?: string;
};

type AnyPolicy = KubeObject & { readonly spec: { readonly resourceSelectors?: readonly ResourceSelector[] } };

export function policyRpcs<Desc extends DescMessage>(
  deps: ServiceDeps,
  kind: KindNames,
  { permission, schema, shown }: { permission: Permission; schema: Desc; shown?: (object: KubeObject) => KubeObject },
) {
  const manifests = manifestRpcs(deps, kind);
  const message = (object: KubeObject): MessageShape<Desc> => asMessage(schema, shown ? shown(object) : object);

  return {
    ...manifests,
    list: async (request: PolicyListRequest, context: Context) => {
      const only = await meaning(deps, context, request);
      const { objects, pagination } = await listed(deps, context, request, { resource: kind, permission, only });
      return { items: objects.map(message), pagination };
    },
    get: async (request: Named, context: Context) => message(await manifests.read(request, context)),
  };
}

async function meaning(deps: ServiceDeps, context: Context, request: PolicyListRequest) {
  const { kind, kindName: name, apiVersion, namespace } = request;
  if (!kind && !name && !apiVersion) return undefined;
  const labels = kind && name ? await labelsOf(deps, context, request) : undefined;
  // An override policy without selectors means everything.
  return ({ spec: { resourceSelectors: all = [] } }: AnyPolicy) =>
    all.length === 0 || selects(all, { kind, name, apiVersion, namespace, labels });
}

/** A policy may mean an object by its labels, so those have to be known. */
async function labelsOf(deps: ServiceDeps, context: Context, request: PolicyListRequest): Promise<readonly Labels[]> {
  const { instance, kind = '', kindName = '', apiVersion, namespace } = request;
  const served = await restMapper(clientIn(deps, context, { instance })).all();
  const group = apiVersion ? parseApiVersion(apiVersion).group : undefined;
  const resource = served.find((one) => one.kind === kind && (group === undefined || one.group === group));
  if (!resource) return [];
  const found = await deps.reads.all({
    place: { instance },
    resource,
    reach: EVERYWHERE,
    name: kindName,
    ...(namespace ? { namespace } : {}),
  });
  return found.map(({ metadata }) => metadata.labels ?? {});
}
