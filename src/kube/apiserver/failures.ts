/** The refusals of an API server, worded as Kubernetes words them: clients and scripts match on these texts. */
import { badRequest, StatusError } from '#base/status-error.ts';
import { groupResource } from '#kube/meta/gvk.ts';
import { causeOf, type FieldError } from './resource.ts';

interface Resource {
  readonly group: string;
  readonly resource: string;
}
interface Kind {
  readonly group: string;
  readonly kind: string;
}

export function alreadyExists(of: Resource, name: string): StatusError {
  return new StatusError('AlreadyExists', `${groupResource(of)} "${name}" already exists`, {
    details: detailsOf(of.group, of.resource, name),
  });
}

export function conflict(of: Resource, name: string, why: string = MODIFIED): StatusError {
  return new StatusError('Conflict', `Operation cannot be fulfilled on ${groupResource(of)} "${name}": ${why}`, {
    details: detailsOf(of.group, of.resource, name),
  });
}

const MODIFIED = 'the object has been modified; please apply your changes to the latest version and try again';

/** A refusal by admission: the request is understood, the object is not wanted. */
export function forbidden(of: Resource, name: string, why: string, causes?: readonly FieldErrorLike[]): StatusError {
  const quoted = name === '' ? '' : ` "${name}"`;
  return new StatusError('Forbidden', `${groupResource(of)}${quoted} is forbidden: ${why}`, {
    details: { ...detailsOf(of.group, of.resource, name), ...(causes ? { causes } : {}) },
  });
}

interface FieldErrorLike {
  readonly reason: string;
  readonly field: string;
  readonly message: string;
}

/** All that is wrong with an object, in one answer; the message names each problem once, the causes all of them. */
export function invalid(of: Kind, name: string, errors: readonly FieldError[]): StatusError {
  const texts = [...new Set(errors.map(({ field, message }) => `${field}: ${message}`))];
  const text = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  return new StatusError(
    'Invalid',
    `${of.group === '' ? of.kind : `${of.kind}.${of.group}`} "${name}" is invalid: ${text}`,
    {
      details: { ...detailsOf(of.group, of.kind, name), causes: errors.map(causeOf) },
    },
  );
}

/** A bad query parameter; Kubernetes answers as if an object of kind `…Options` were invalid. */
export function invalidOptions(kind: string, errors: readonly FieldError[]): StatusError {
  return invalid({ group: 'meta.k8s.io', kind }, '', errors);
}

/** An object that does not say its name, sent to where its name is known. */
export function unnamed(name: string): StatusError {
  return badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
}

export function resourceNotServed(): StatusError {
  return new StatusError('NotFound', 'the server could not find the requested resource', { details: {} });
}

export function methodNotAllowed(): StatusError {
  return new StatusError('MethodNotAllowed', 'the server does not allow this method on the requested resource', {
    details: {},
  });
}

export function unauthorized(): StatusError {
  return new StatusError('Unauthorized', 'Unauthorized');
}

/** A failure Kubernetes answers with 500 and no reason. */
export function unexplained(message: string): StatusError {
  return new StatusError('Unknown', message, { code: 500 });
}

export function futureRevision(asked: number, current: number): StatusError {
  return new StatusError('Timeout', `Timeout: Too large resource version: ${asked}, current: ${current}`, {
    details: {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    },
  });
}

export function expiredList(): StatusError {
  return new StatusError('Expired', 'The resourceVersion for the provided list is too old.');
}

/** Carries a token that continues with what is there now, for clients content with an inconsistent list. */
export function expiredContinue(token: string): StatusError {
  const remedy = 'You can start a new list without the continue parameter, or use the continue token in this response';
  const warning =
    'Continuing with the provided token results in an inconsistent list - objects that were created, modified, or ' +
    'deleted between the time the first chunk was returned and now may show up in the list.';
  return new StatusError(
    'Expired',
    'The provided continue parameter is too old to display a consistent list result. ' +
      `${remedy} to retrieve the remainder of the results. ${warning}`,
    { metadata: { continue: token } },
  );
}

export function expiredWatch(asked: number, oldest: number): StatusError {
  return new StatusError('Expired', `too old resource version: ${asked} (${oldest})`);
}

function detailsOf(group: string, kind: string, name: string) {
  return { ...(name === '' ? {} : { name }), ...(group === '' ? {} : { group }), ...(kind === '' ? {} : { kind }) };
}
