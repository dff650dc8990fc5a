/** What is found out about one request over HTTP on its way, for those who keep a record of requests. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Status } from '#base/status-error.ts';
import type { User } from '../admission.ts';
import type { Decision } from '../auth/authorize.ts';
import type { ResourceRoute } from './route.ts';

export interface RequestNotes {
  /** Also the answer's Audit-Id. */
  readonly id: string;
  readonly receivedAt: number;
  readonly request: IncomingMessage;
  readonly remoteAddress: string;
  /** Who asked; absent while that is not known, and for those who could not show it. */
  user?: User;
  /** As whom they asked to be treated. */
  impersonated?: User;
  verb?: string;
  resource?: ResourceRoute;
  decision?: Decision;
  /** The name a created object was given. */
  createdName?: string;
  failure?: Status;
  /** To be called when an answer that takes long has begun. */
  started(): void;
}

export type Stage = 'ResponseStarted' | 'ResponseComplete';

/** Told of each request when it has been answered, and of long ones also when the answer begins. Must be quick. */
export type RequestWitness = (notes: Readonly<RequestNotes>, stage: Stage, code: number) => void;

export function requestNotes(request: IncomingMessage, receivedAt: number, started: () => void): RequestNotes {
  const given = request.headers['audit-id'];
  return {
    // Whoever passes requests on may have an id for this one already.
    id: typeof given === 'string' && given !== '' ? given.slice(0, 64) : randomUUID(),
    receivedAt,
    request,
    remoteAddress: request.socket.remoteAddress ?? '',
    started,
  };
}
