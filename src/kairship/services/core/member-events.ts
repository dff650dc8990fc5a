/** What happened in the members of an instance, the newest first: from the index, all members at once. */
import type { ServiceImpl } from '@connectrpc/connect';
import type { CoreService } from '#gen/proto/kairship/api/core/v1alpha1/core_service_pb.ts';
import { kairshipPermission } from '../../access/kairship-product.ts';
import { reachIn, type ServiceDeps } from '../deps.ts';
import { EVENT } from '../kinds.ts';
import { membersOf, requireMember } from '../membership.ts';
import { pagination, slice } from '../paging.ts';
import { eventMessage, type EventObject, eventSelector } from './events.ts';

const LIST = kairshipPermission('event', 'list');

export function memberEventRpcs(deps: ServiceDeps) {
  const { reads } = deps;

  async function clustersOf(instance: string, cluster: string): Promise<readonly string[]> {
    if (cluster === '') return membersOf(deps, instance);
    await requireMember(deps, instance, cluster);
    return [cluster];
  }

  return {
    async listMemberEvents(request, context) {
      const { instance, namespace, name } = request;
      const reach = reachIn(deps, context, LIST, instance);
      const fieldSelector = eventSelector(request);
      const clusters = await clustersOf(instance, request.cluster);
      const found = await Promise.all(
        clusters.map(async (cluster) => {
          const events = await reads.all<EventObject>({
            place: { instance, cluster },
            resource: EVENT,
            reach,
            ...(namespace ? { namespace } : {}),
            ...(fieldSelector ? { fieldSelector } : {}),
          });
          return events
            .filter(({ involvedObject }) => (involvedObject?.name ?? '').includes(name))
            .map((event) => ({ cluster, namespace: event.metadata.namespace ?? '', event: eventMessage(event) }));
        }),
      );
      const all = found.flat().toSorted((a, b) => Number(b.event.lastTimestamp - a.event.lastTimestamp));
      return { items: slice(request, all), pagination: pagination(request, all.length) };
    },
  } satisfies Partial<ServiceImpl<typeof CoreService>>;
}
