/** Finding any object in any instance and any member; what the caller may not see is not found. */
import { create, type JsonObject } from '@bufbuild/protobuf';
import { isObject } from '#base/json.ts';
import { FoundSchema, SearchService } from '#gen/proto/kairship/api/search/v1alpha1/search_service_pb.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { type ServedService, service } from '#rpc/index.ts';
import { reachOf } from '../../access/authorize.ts';
import { kairshipPermission } from '../../access/kairship-product.ts';
import { instances as instancesOf } from '../../instances/kinds.ts';
import type { FoundObject, Search } from '../../read/search.ts';
import { callerIn, type ServiceDeps } from '../deps.ts';
import { membersOf } from '../membership.ts';
import { orderOf, pageOf, pagination } from '../paging.ts';

const SEARCH = kairshipPermission('object', 'search');

export function searchService(deps: ServiceDeps & { readonly search: Search }): ServedService {
  return service(SearchService, {
    async search(request, context) {
      const { query, instance } = request;
      const reach = reachOf(deps.access, callerIn(context), SEARCH, instance || undefined);
      const instances = instance === '' ? await namesOf(deps) : [instance];
      const { sortBy = 'created_at', descending = true } = orderOf(request);
      const order = [
        { by: sortBy, descending },
        { by: 'name' as const, descending: false },
      ];
      const { objects, total, freshness } = await deps.search({
        query,
        instances,
        membersOf: (name) => membersOf(deps, name),
        reach,
        order,
        ...pageOf(request),
      });
      return {
        items: objects.map((found) => messageOf(found, request.includeObjects)),
        pagination: pagination(request, total),
        freshness: freshness.map(({ cluster, reachable, position, heardAt }) => ({
          source: cluster,
          reachable,
          revision: position,
          heardAt: BigInt(heardAt),
        })),
      };
    },
  });
}

async function namesOf({ global }: ServiceDeps): Promise<readonly string[]> {
  return (await instancesOf(global).list()).map(({ metadata }) => metadata.name);
}

function messageOf({ instance, cluster = '', object }: FoundObject, whole: boolean) {
  const { apiVersion, kind, metadata } = object;
  const { name, namespace = '', uid = '', creationTimestamp } = metadata;
  return create(FoundSchema, {
    instance,
    cluster,
    resource: { apiVersion, kind, namespace, name },
    uid,
    createdAt: BigInt(Date.parse(creationTimestamp ?? '') || 0),
    status: statusWord(object),
    ...(whole ? { object: object as unknown as JsonObject } : {}),
  });
}

/** A word on how it is: a phase, or how many of those wanted are ready. */
function statusWord({ spec, status }: KubeObject): string {
  if (!isObject(status)) return '';
  if (typeof status['phase'] === 'string') return status['phase'];
  const wanted = isObject(spec) ? spec['replicas'] : undefined;
  const { readyReplicas } = status;
  return typeof wanted === 'number' ? `${typeof readyReplicas === 'number' ? readyReplicas : 0}/${wanted}` : '';
}
