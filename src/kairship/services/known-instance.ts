/**
 * An empty list of an instance that is not there would read as if it were there and empty: it is `NotFound` instead.
 *
 * Lists are read from the index, which knows nothing of instances. Only an empty answer is looked at twice, so that a
 * list that shows something costs nothing more. What outlives its instance looks for itself.
 */
import type { Interceptor } from '@connectrpc/connect';
import { notFound } from '#base/status-error.ts';
import { INSTANCES } from '../instances/index.ts';

const OUTLIVES = new Set(['ListInstanceBackups']);

export function knownInstance(exists: (instance: string) => Promise<boolean>): Interceptor {
  return (next) => async (request) => {
    const response = await next(request);
    if (request.stream || response.stream || !request.method.name.startsWith('List')) return response;
    const { instance } = request.message as { readonly instance?: unknown };
    if (typeof instance !== 'string' || instance === '' || OUTLIVES.has(request.method.name)) return response;
    if (isEmpty(response.message) && !(await exists(instance))) throw notFound('instances', instance, INSTANCES.group);
    return response;
  };
}

function isEmpty(message: object): boolean {
  return Object.values(message).every((value) => !Array.isArray(value) || value.length === 0);
}
