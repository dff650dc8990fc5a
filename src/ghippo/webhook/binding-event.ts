/**
 * What a receiver is told: the state of one binding as of a version. Not what was done, so that a message lost, repeated
 * or overtaken by a later one does no harm: the newest version wins.
 */
import { isObject } from '#base/json.ts';
import { badRequest } from '#base/status-error.ts';
import type { AccessBinding, WorkspaceResource } from '#ghippo/apis/kinds.ts';

export type BindingObject = AccessBinding | WorkspaceResource;
export type BindingKind = BindingObject['kind'];

/** `AccessBinding/web-viewers`. */
export type BindingKey = string;

export interface BindingState {
  readonly key: BindingKey;
  /** A resourceVersion of the global cluster: of the object, or one at which it did not exist. */
  readonly version: string;
  /** Undefined when there is none. */
  readonly object?: BindingObject;
}

export interface BindingEvent extends BindingState {
  /** Counts what an endpoint was sent: a gap is a lost message. */
  readonly sequence: number;
}

export function bindingKey(object: {
  readonly kind: string;
  readonly metadata: { readonly name: string };
}): BindingKey {
  return `${object.kind}/${object.metadata.name}`;
}

/** The same for every delivery of the same state. */
export function eventId({ key, version }: BindingState): string {
  return `${key}@${version}`;
}

export function isNewer(version: string, than: string | undefined): boolean {
  return than === undefined || BigInt(version) > BigInt(than);
}

export function decodeEvent(body: string): BindingEvent {
  const event: unknown = JSON.parse(body);
  if (!isObject(event)) throw badRequest('a message is a JSON object');
  const { key, version, sequence, object } = event;
  if (typeof key !== 'string' || typeof version !== 'string' || !/^\d+$/.test(version) || typeof sequence !== 'number')
    throw badRequest('a message has a key, a version and a sequence');
  return { key, version, sequence, ...(isObject(object) ? { object: object as unknown as BindingObject } : {}) };
}
