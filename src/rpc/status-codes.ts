/**
 * Our errors as every RPC protocol sends them, and back.
 *
 * A {@link StatusError} becomes a gRPC code with the details of google/rpc/error_details.proto: the reason and what has no
 * place of its own in ErrorInfo, the object in ResourceInfo, refused fields in BadRequest, the pause in RetryInfo. Coming
 * back nothing is lost; an error of somebody else's server is understood by its code. What is neither is a failure of
 * ours: callers learn that it happened, only the log learns what.
 */
import { create } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { codeFromString } from '@connectrpc/connect/protocol-connect';
import { isReason, type Reason, type StatusCause, StatusError, WIRE } from '#base/status-error.ts';
import {
  BadRequestSchema,
  ErrorInfoSchema,
  ResourceInfoSchema,
  RetryInfoSchema,
} from '#gen/proto/google/rpc/error_details_pb.ts';

const DOMAIN = 'kairship.io';

/** What a code means when nothing else is known of the error. */
const REASON_OF_CODE: Readonly<Record<Code, Reason>> = {
  [Code.Canceled]: 'Unknown',
  [Code.Unknown]: 'Unknown',
  [Code.InvalidArgument]: 'BadRequest',
  [Code.DeadlineExceeded]: 'Timeout',
  [Code.NotFound]: 'NotFound',
  [Code.AlreadyExists]: 'AlreadyExists',
  [Code.PermissionDenied]: 'Forbidden',
  [Code.ResourceExhausted]: 'TooManyRequests',
  [Code.FailedPrecondition]: 'BadRequest',
  [Code.Aborted]: 'Conflict',
  [Code.OutOfRange]: 'BadRequest',
  [Code.Unimplemented]: 'NotImplemented',
  [Code.Internal]: 'InternalError',
  [Code.Unavailable]: 'ServiceUnavailable',
  [Code.DataLoss]: 'InternalError',
  [Code.Unauthenticated]: 'Unauthorized',
};

/** The caller has left: nobody reads the answer, but logs should not count it as a failure. */
const CLIENT_CLOSED_REQUEST = 499;

/** Any thrown value as the RPC protocols send it; the original is its cause. */
export function toConnectError(error: unknown): ConnectError {
  if (error instanceof ConnectError) return error;
  if (error instanceof Error && error.name === 'AbortError') {
    return new ConnectError('the caller has left', Code.Canceled, undefined, undefined, error);
  }
  if (!(error instanceof StatusError)) {
    return new ConnectError('internal error', Code.Internal, undefined, undefined, error);
  }
  const code = codeFromString(WIRE[error.reason].grpc) ?? Code.Unknown;
  return new ConnectError(error.message, code, undefined, detailsOf(error), error);
}

/** The connection ended before an answer: no server has said anything, least of all that something conflicts. */
function isBroken({ code, cause }: ConnectError): boolean {
  return code === Code.Aborted && cause instanceof Error && 'code' in cause;
}

/** Any thrown value as our own error, whichever server it came from. */
export function toStatusError(thrown: unknown): StatusError {
  if (thrown instanceof StatusError) return thrown;
  const error = toConnectError(thrown);
  if (error.cause instanceof StatusError) return error.cause;
  const info = error.findDetails(ErrorInfoSchema).find(({ domain }) => domain === DOMAIN);
  const reason = isReason(info?.reason)
    ? info.reason
    : isBroken(error)
      ? 'ServiceUnavailable'
      : REASON_OF_CODE[error.code];
  const metadata = info?.metadata ?? {};
  const httpCode = error.code === Code.Canceled ? CLIENT_CLOSED_REQUEST : Number(metadata['httpCode'] ?? Number.NaN);
  const { continue: token } = metadata;
  return new StatusError(reason, error.rawMessage, {
    cause: thrown,
    ...(Number.isInteger(httpCode) ? { code: httpCode } : {}),
    ...(token === undefined ? {} : { metadata: { continue: token } }),
    ...detailsFrom(error, metadata['uid']),
  });
}

function detailsOf({ reason, code, details, metadata }: StatusError) {
  const { name, kind, group, uid, causes, retryAfterSeconds } = details ?? {};
  const info = create(ErrorInfoSchema, {
    reason,
    domain: DOMAIN,
    metadata: {
      ...(code === WIRE[reason].http ? {} : { httpCode: String(code) }),
      ...(uid === undefined ? {} : { uid }),
      ...(metadata.continue === undefined ? {} : { continue: metadata.continue }),
    },
  });
  const about = name !== undefined || kind !== undefined || group !== undefined;
  const resourceType = group === undefined ? (kind ?? '') : `${kind ?? ''}.${group}`;
  return [
    { desc: ErrorInfoSchema, value: info },
    ...(about ? [{ desc: ResourceInfoSchema, value: { resourceType, resourceName: name ?? '' } }] : []),
    ...(causes ? [{ desc: BadRequestSchema, value: { fieldViolations: causes.map(violationOf) } }] : []),
    ...(retryAfterSeconds === undefined
      ? []
      : [{ desc: RetryInfoSchema, value: { retryDelay: { seconds: BigInt(retryAfterSeconds) } } }]),
  ];
}

const violationOf = ({ field = '', message = '', reason = '' }: StatusCause) => ({
  field,
  description: message,
  reason,
});

function detailsFrom(error: ConnectError, uid: string | undefined) {
  const [resource] = error.findDetails(ResourceInfoSchema);
  const [fields] = error.findDetails(BadRequestSchema);
  const [retry] = error.findDetails(RetryInfoSchema);
  const [, kind = '', , group] = resource?.resourceType.match(/^([^.]*)(\.(.*))?$/) ?? [];
  const details = {
    ...(resource?.resourceName ? { name: resource.resourceName } : {}),
    ...(group === undefined ? {} : { group }),
    ...(kind === '' ? {} : { kind }),
    ...(uid === undefined ? {} : { uid }),
    ...(fields ? { causes: fields.fieldViolations.map(causeOf) } : {}),
    ...(retry ? { retryAfterSeconds: Number(retry.retryDelay?.seconds ?? 0n) } : {}),
  };
  return Object.keys(details).length > 0 ? { details } : {};
}

function causeOf({ field, description, reason }: { field: string; description: string; reason: string }): StatusCause {
  return {
    ...(reason === '' ? {} : { reason }),
    ...(description === '' ? {} : { message: description }),
    ...(field === '' ? {} : { field }),
  };
}
