/** What happened in the members of an instance and in its control plane, the newest first: from the index, all at once. */
import type { ServiceImpl } from '@connectrpc/connect';
import type { CoreService } from '#gen/proto/kairship/api/core/v1alpha1/core_service_pb.ts';
import { kairshipPermission } from '../../access/kairship-product.ts';
import { reachIn, type ServiceDeps } from '../deps.ts';
import { EVENT } from '../kinds.ts';
import { membersOf, requireMember } from '../membership.ts';
import { pagination, slice } from '../paging.ts';
import { isAsked } from './event-filter.ts';
import { eventMessage, type EventObject, eventSelector } from './events.ts';

const LIST = kairshipPermission('event', 'list');
/** As in searches. */
const CONTROL_PLANE = '-';

export function memberEventRpcs(deps: ServiceDeps) {
  const { reads } = deps;

  /** An empty name is the control plane. */
  async function sourcesOf(instance: string, cluster: string, controlPlane: boolean): Promise<readonly string[]> {
    if (cluster === CONTROL_PLANE) return [''];
    if (cluster === '') return [...(controlPlane ? [''] : []), ...(await membersOf(deps, instance))];
    await requireMember(deps, instance, cluster);
    return [cluster];
  }

  return {
    async listMemberEvents(request, context) {
      const { instance, namespace, kind } = request;
      const reach = reachIn(deps, context, LIST, instance);
      const fieldSelector = eventSelector({ ...request, kind: '' });
      const sources = await sourcesOf(instance, request.cluster, request.controlPlane);
      const found = await Promise.all(
        sources.map(async (cluster) => {
          const events = await reads.all<EventObject>({
            place: cluster === '' ? { instance } : { instance, cluster },
            resource: EVENT,
            reach,
            ...(namespace ? { namespace } : {}),
            ...(fieldSelector ? { fieldSelector } : {}),
          });
          return events.filter(isAsked(request)).map((event) => ({
            cluster,
            namespace: event.involvedObject?.namespace ?? '',
            event: eventMessage(event),
          }));
        }),
      );
      const all = found.flat().toSorted((a, b) => Number(b.event.lastTimestamp - a.event.lastTimestamp));
      const kinds = new Set(all.map(({ event }) => event.involvedObject?.kind ?? '').filter((one) => one !== ''));
      const meant = kind === '' ? all : all.filter(({ event }) => event.involvedObject?.kind === kind);
      return { items: slice(request, meant), pagination: pagination(request, meant.length), kinds: [...kinds].sort() };
    },
  } satisfies Partial<ServiceImpl<typeof CoreService>>;
}
