import { badRequest, StatusError } from '#base/status-error.ts';
import { goText, goType } from './go-text.ts';

/**
 * What is wrong with a strategic merge patch, in the words of Kubernetes.
 *
 * A directive that is malformed is the client's mistake (400). Most of the rest reaches the client as an error without a
 * reason (500), because that is how Kubernetes answers it.
 */
export const badRetainKeys = () => badRequest('invalid patch format of retainKeys');
export const badDeleteList = () => badRequest('invalid patch format of primitive list');
export const badElementOrder = () => badRequest('invalid patch format of setElementOrder list');

export function unknownDirective(directive: unknown, element: unknown): StatusError {
  return unexplained(`unknown patch type: ${goText(directive)} in map: ${goText(element)}`);
}

export function noMergeKey(element: unknown, mergeKey: string): StatusError {
  return unexplained(`map: ${goText(element)} does not contain declared merge key: ${mergeKey}`);
}

export function wrongType(expected: unknown, found: unknown): StatusError {
  return unexplained(`expected a ${goType(expected)}, but received a ${goType(found)}`);
}

export function orderMismatch(patch: unknown, order: unknown): StatusError {
  return unexplained(
    `The order in patch list:\n${goText(patch)}\n doesn't match $setElementOrder list:\n${goText(order)}\n`,
  );
}

export function listOfLists(): StatusError {
  return new StatusError('Invalid', 'the server rejected our request due to an error in our request', {
    details: {},
    cause: 'lists of lists are not supported',
  });
}

export function unexplained(message: string): StatusError {
  return new StatusError('Unknown', message);
}
