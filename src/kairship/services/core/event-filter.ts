/** Which events are meant, beyond what the index can tell, and which are only the engine's own. Pure. */
import type { ListMemberEventsRequest } from '#gen/proto/kairship/api/core/v1alpha1/core_service_pb.ts';
import type { EventObject } from './events.ts';

/** Bindings and works: what they tell, their template tells as well. */
const ENGINE_GROUP = 'work.karmada.io/';
const ENGINE_SPACE = /^karmada-(es-|system$|cluster$)|^kairship-/;
/** The roles by which the platform and the engine act in members, and what is derived from them. */
const ENGINE_NAME = /^kairship[.:]|^karmada-impersonator/;

export type EventsAsked = Pick<ListMemberEventsRequest, 'kind' | 'name' | 'text' | 'withoutEngine'>;

/** The kind is left to the caller, who also tells which kinds there are. */
export function isAsked({ name, text, withoutEngine }: Omit<EventsAsked, 'kind'>): (event: EventObject) => boolean {
  return (event) =>
    contains(event.involvedObject?.name, name) &&
    (contains(event.reason, text) || contains(event.message, text)) &&
    !(withoutEngine && isOfEngine(event));
}

export function isOfEngine({ metadata, involvedObject }: EventObject): boolean {
  const { apiVersion = '', name = '', namespace = metadata.namespace ?? '' } = involvedObject ?? {};
  return apiVersion.startsWith(ENGINE_GROUP) || ENGINE_SPACE.test(namespace) || ENGINE_NAME.test(name);
}

function contains(value = '', part: string): boolean {
  return value.toLowerCase().includes(part.toLowerCase());
}
