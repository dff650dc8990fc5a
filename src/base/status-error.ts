/**
 * The one error type that crosses a package boundary: a Kubernetes `Status` failure.
 *
 * The reason is what callers branch on, the message is what people read, the details are what programs read, and the
 * cause is what logs keep. Transports translate it at the edge with {@link WIRE}; nothing else in the code base knows
 * an HTTP status or a gRPC code.
 */
export class StatusError extends Error {
  override readonly name = 'StatusError';
  readonly reason: Reason;
  readonly details: StatusDetails | undefined;
  /** List metadata of the answer: an expired page offers a token to go on with. */
  readonly metadata: StatusMetadata;
  /** Set only where Kubernetes answers a reason with another code than the usual one. */
  readonly code: number;

  constructor(
    reason: Reason,
    message: string,
    options: ErrorOptions & {
      readonly details?: StatusDetails;
      readonly metadata?: StatusMetadata;
      readonly code?: number;
    } = {},
  ) {
    super(message, options);
    this.reason = reason;
    this.details = options.details;
    this.metadata = options.metadata ?? {};
    this.code = options.code ?? WIRE[reason].http;
  }
}

/** How each reason is spelled on the wire: HTTP status for REST, code name for gRPC. */
export const WIRE = {
  BadRequest: { http: 400, grpc: 'invalid_argument' },
  Unauthorized: { http: 401, grpc: 'unauthenticated' },
  Forbidden: { http: 403, grpc: 'permission_denied' },
  NotFound: { http: 404, grpc: 'not_found' },
  MethodNotAllowed: { http: 405, grpc: 'unimplemented' },
  NotAcceptable: { http: 406, grpc: 'invalid_argument' },
  AlreadyExists: { http: 409, grpc: 'already_exists' },
  Conflict: { http: 409, grpc: 'aborted' },
  Gone: { http: 410, grpc: 'out_of_range' },
  Expired: { http: 410, grpc: 'out_of_range' },
  RequestEntityTooLarge: { http: 413, grpc: 'resource_exhausted' },
  UnsupportedMediaType: { http: 415, grpc: 'invalid_argument' },
  Invalid: { http: 422, grpc: 'invalid_argument' },
  TooManyRequests: { http: 429, grpc: 'resource_exhausted' },
  InternalError: { http: 500, grpc: 'internal' },
  NotImplemented: { http: 501, grpc: 'unimplemented' },
  ServiceUnavailable: { http: 503, grpc: 'unavailable' },
  Timeout: { http: 504, grpc: 'deadline_exceeded' },
  /** Kubernetes leaves the reason out of some answers; the code alone then says what happened. */
  Unknown: { http: 500, grpc: 'unknown' },
} as const satisfies Record<string, { http: number; grpc: string }>;

export type Reason = keyof typeof WIRE;

export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

export interface StatusMetadata {
  readonly continue?: string;
}

export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

/** The `Status` object Kubernetes sends for a failure. */
export interface Status {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  readonly metadata: StatusMetadata;
  readonly status: 'Failure' | 'Success';
  readonly message?: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
  readonly code?: number;
}

/** Any thrown value as a `Status`; what is not a {@link StatusError} is an internal error. */
export function statusOf(error: unknown): Status & { readonly code: number } {
  const known =
    error instanceof StatusError
      ? error
      : new StatusError('InternalError', error instanceof Error ? error.message : String(error), { cause: error });
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: known.metadata,
    status: 'Failure',
    message: known.message,
    ...(known.reason === 'Unknown' ? {} : { reason: known.reason }),
    ...(known.details ? { details: known.details } : {}),
    code: known.code,
  };
}

/** A received `Status` (or anything like it) as an error, keeping reason, code and details. */
export function errorOfStatus(status: Partial<Status>, httpCode: number): StatusError {
  const reason = isReason(status.reason) ? status.reason : reasonOfCode(httpCode);
  return new StatusError(reason, status.message ?? `the server answered ${httpCode}`, {
    code: httpCode,
    ...(status.details ? { details: status.details } : {}),
  });
}

export function isReason(reason: unknown): reason is Reason {
  return typeof reason === 'string' && Object.hasOwn(WIRE, reason);
}

export function hasReason(error: unknown, ...reasons: readonly Reason[]): error is StatusError {
  return error instanceof StatusError && reasons.includes(error.reason);
}

function reasonOfCode(code: number): Reason {
  for (const [reason, wire] of Object.entries(WIRE)) {
    if (wire.http === code && isReason(reason)) return reason;
  }
  return 'Unknown';
}

export function notFound(resource: string, name: string, group = ''): StatusError {
  const qualified = group === '' ? resource : `${resource}.${group}`;
  return new StatusError('NotFound', `${qualified} ${quoted(name)} not found`, {
    details: { name, ...(group === '' ? {} : { group }), kind: resource },
  });
}

/** Control characters, which only a mistaken client sends in a name, are shown as Go shows them. */
function quoted(name: string): string {
  // oxlint-disable-next-line no-control-regex -- those are the ones looked for
  return `"${name.replaceAll(/[\u0000-\u001f\u007f]/g, (one) => `\\x${one.charCodeAt(0).toString(16).padStart(2, '0')}`)}"`;
}

export function badRequest(message: string): StatusError {
  return new StatusError('BadRequest', message);
}
