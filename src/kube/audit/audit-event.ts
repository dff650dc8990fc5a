/**
 * A request as an `audit.k8s.io/v1` Event of level Metadata: who did what to which object, and how it went.
 *
 * It never holds what was sent or answered. Failures are told by their message only where that cannot repeat what was
 * sent. Pure.
 */
import { rfc3339Micro } from '#base/clock.ts';
import type { Status } from '#base/status-error.ts';
import type { User } from '#kube/apiserver/admission.ts';
import type { RequestNotes, Stage } from '#kube/apiserver/index.ts';

export interface AuditEvent {
  readonly kind: 'Event';
  readonly apiVersion: 'audit.k8s.io/v1';
  readonly level: 'Metadata';
  readonly auditID: string;
  readonly stage: Stage;
  readonly requestURI: string;
  readonly verb: string;
  readonly user: AuditUser;
  readonly impersonatedUser?: AuditUser;
  readonly sourceIPs: readonly string[];
  readonly userAgent?: string;
  readonly objectRef?: ObjectRef;
  readonly responseStatus: {
    readonly metadata: object;
    readonly status?: string;
    readonly message?: string;
    readonly reason?: string;
    readonly code: number;
  };
  readonly requestReceivedTimestamp: string;
  readonly stageTimestamp: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

export interface AuditUser {
  readonly username?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

interface ObjectRef {
  readonly resource: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly apiGroup?: string;
  readonly apiVersion: string;
  readonly subresource?: string;
}

export function auditEvent(notes: Readonly<RequestNotes>, stage: Stage, code: number, now: number): AuditEvent {
  const { request, user, impersonated } = notes;
  const agent = request.headers['user-agent'];
  const objectRef = objectRefOf(notes);
  const annotations = annotationsOf(notes);
  return {
    kind: 'Event',
    apiVersion: 'audit.k8s.io/v1',
    level: 'Metadata',
    auditID: notes.id,
    stage,
    requestURI: request.url ?? '',
    verb: notes.verb ?? (request.method ?? '').toLowerCase(),
    user: user ? auditUser(user) : {},
    ...(impersonated ? { impersonatedUser: auditUser(impersonated) } : {}),
    sourceIPs: [plainAddress(notes.remoteAddress)],
    ...(agent === undefined ? {} : { userAgent: agent }),
    ...(objectRef ? { objectRef } : {}),
    responseStatus: { metadata: {}, ...failureOf(notes.failure), code },
    requestReceivedTimestamp: rfc3339Micro(notes.receivedAt),
    stageTimestamp: rfc3339Micro(now),
    ...(annotations ? { annotations } : {}),
  };
}

function auditUser({ name, uid, groups, extra }: User): AuditUser {
  return { username: name, ...(uid ? { uid } : {}), groups, ...(extra ? { extra } : {}) };
}

function objectRefOf({ resource: route, createdName }: Readonly<RequestNotes>): ObjectRef | undefined {
  if (!route) return undefined;
  const { group, version, resource, subresource, namespace, name = createdName } = route;
  return {
    resource,
    ...(namespace === undefined ? {} : { namespace }),
    ...(name === undefined ? {} : { name }),
    ...(group === '' ? {} : { apiGroup: group }),
    apiVersion: version,
    ...(subresource === undefined ? {} : { subresource }),
  };
}

/** Failures whose words name objects and users, never content. */
const SPEAKING = new Set(['Unauthorized', 'Forbidden', 'NotFound', 'AlreadyExists', 'Conflict', 'Expired']);

function failureOf(failure: Status | undefined): object {
  if (!failure) return {};
  const { reason, message } = failure;
  const speaks = reason !== undefined && SPEAKING.has(reason);
  return { status: 'Failure', ...(speaks ? { message } : {}), ...(reason === undefined ? {} : { reason }) };
}

function annotationsOf({ decision, failure }: Readonly<RequestNotes>): Readonly<Record<string, string>> | undefined {
  const key = 'authorization.k8s.io/';
  if (decision) return { [`${key}decision`]: 'allow', [`${key}reason`]: decision.reason ?? '' };
  return failure?.reason === 'Forbidden' ? { [`${key}decision`]: 'forbid' } : undefined;
}

/** IPv4 as such, also where the socket speaks both. */
function plainAddress(address: string): string {
  return address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address;
}
