/** Events of an instance's control plane: all of them, or those about one object. */
import type { ServiceImpl } from '@connectrpc/connect';
import {
  type Event as EventMessage,
  EventSchema,
  type EventType,
  EventTypeSchema,
} from '#gen/proto/kairship/api/core/v1alpha1/event_pb.ts';
import type { CoreService } from '#gen/proto/kairship/api/core/v1alpha1/core_service_pb.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { kairshipPermission } from '../../access/kairship-product.ts';
import { asMessage } from '../as-message.ts';
import { type Context, reachIn, type ServiceDeps } from '../deps.ts';
import { EVENT } from '../kinds.ts';
import { listed } from '../listing.ts';
import type { PageRequest } from '../paging.ts';

export interface EventObject extends KubeObject {
  readonly involvedObject?: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly namespace?: string;
    readonly name?: string;
  };
  readonly reason?: string;
  readonly message?: string;
  readonly source?: { readonly component?: string; readonly host?: string };
  readonly reportingComponent?: string;
  readonly reportingInstance?: string;
  readonly lastTimestamp?: string | null;
  readonly eventTime?: string | null;
  readonly series?: { readonly lastObservedTime?: string };
}

interface EventsRequest extends PageRequest {
  readonly instance: string;
  readonly namespace?: string;
  readonly kind: string;
  readonly type: readonly EventType[];
}

const LIST = kairshipPermission('event', 'list');

export function eventRpcs(deps: ServiceDeps) {
  async function list(context: Context, request: EventsRequest, isMeant?: (name: string) => boolean) {
    const only = isMeant && (({ involvedObject }: EventObject) => isMeant(involvedObject?.name ?? ''));
    // A name in the request is that of what an event is about, not the event's own.
    const asked = { ...request, name: '', fieldSelector: eventSelector(request) };
    const { objects, pagination } = await listed<EventObject>(deps, context, asked, {
      resource: EVENT,
      permission: LIST,
      only,
    });
    return { items: objects.map(eventMessage), pagination };
  }

  return {
    listInstanceEvents(request, context) {
      const part = request.name.toLowerCase();
      return list(context, request, part === '' ? undefined : (name) => name.toLowerCase().includes(part));
    },
    listEvents: (request, context) =>
      list(context, request, request.kindName === '' ? undefined : (name) => name === request.kindName),
    async listInstanceEventKinds({ instance }, context) {
      const reach = reachIn(deps, context, LIST, instance);
      const events = await deps.reads.all<EventObject>({ place: { instance }, resource: EVENT, reach });
      const kinds = new Set(
        events.map(({ involvedObject }) => involvedObject?.kind ?? '').filter((kind) => kind !== ''),
      );
      return { data: [...kinds].sort() };
    },
  } satisfies Partial<ServiceImpl<typeof CoreService>>;
}

/** The part of a request that the index can answer itself. */
export function eventSelector({ kind, type }: Pick<EventsRequest, 'kind' | 'type'>): string {
  const types = type.filter((one) => one !== 0).map((one) => EventTypeSchema.value[one]?.name ?? '');
  return [
    ...(kind === '' ? [] : [`involvedObject.kind=${kind.replace(/[\\,=]/g, String.raw`\$&`)}`]),
    ...(types.length === 0 ? [] : [`type in (${types.join(',')})`]),
  ].join(',');
}

/** Newer events say when and by whom in other fields than older ones. */
export function eventMessage(event: EventObject): EventMessage {
  const { source, reportingComponent, reportingInstance, metadata } = event;
  return asMessage(EventSchema, {
    ...event,
    lastTimestamp:
      event.series?.lastObservedTime ?? event.lastTimestamp ?? event.eventTime ?? metadata.creationTimestamp,
    source: source?.component ? source : { component: reportingComponent ?? '', host: reportingInstance ?? '' },
  });
}
