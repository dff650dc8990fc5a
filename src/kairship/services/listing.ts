/**
 * Lists of the published API: read from the index, filtered to what the caller may see, a page at a time.
 *
 * A filter the index does not know (the state of a workload, which is computed) is applied to all that match, and the
 * page cut from what is left.
 */
import type { Permission } from '#ghippo/apis/permission.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import type { Place, Resource } from '../read/reads.ts';
import { type Context, reachIn, type ServiceDeps } from './deps.ts';
import { requireMember } from './membership.ts';
import { orderOf, pageOf, type PageRequest, pagination, slice } from './paging.ts';

export interface ListedRequest extends PageRequest {
  readonly instance: string;
  readonly cluster?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly fuzzyName?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

export interface Listing<T extends KubeObject> {
  readonly resource: Resource;
  readonly permission: Permission;
  /** Which of them are meant, beyond what the index can tell. */
  readonly only?: ((object: T) => boolean) | undefined;
}

/** In the published API `name` of a list is a part of it. */
export async function listed<T extends KubeObject>(
  deps: ServiceDeps,
  context: Context,
  request: ListedRequest,
  { resource, permission, only }: Listing<T>,
): Promise<{ readonly objects: readonly T[]; readonly pagination: ReturnType<typeof pagination> }> {
  if (request.cluster) await requireMember(deps, request.instance, request.cluster);
  const place: Place = { instance: request.instance, ...(request.cluster ? { cluster: request.cluster } : {}) };
  const asked = {
    place,
    resource,
    reach: reachIn(deps, context, permission, request.instance),
    ...(request.namespace ? { namespace: request.namespace } : {}),
    ...given('fuzzyName', request.fuzzyName || request.name),
    ...given('labelSelector', request.labelSelector),
    ...given('fieldSelector', request.fieldSelector),
    ...orderOf(request),
  };
  if (only) {
    const all = (await deps.reads.all<T>(asked)).filter(only);
    return { objects: slice(request, all), pagination: pagination(request, all.length) };
  }
  const { objects, total } = await deps.reads.list<T>({ ...asked, ...pageOf(request) });
  return { objects, pagination: pagination(request, total) };
}

function given<K extends string>(key: K, value: string | undefined): { readonly [Key in K]?: string } {
  return (value ? { [key]: value } : {}) as { readonly [Key in K]?: string };
}
