/** Query parameters as the verbs understand them. */
import { badRequest } from '#base/status-error.ts';
import type { DeleteOptions } from '../verbs/delete.ts';
import type { ListQuery } from '../verbs/list.ts';
import type { WatchQuery } from '../verbs/watch.ts';
import type { WriteOptions } from '../write/write-options.ts';

export function listQuery(query: URLSearchParams, namespace: string | undefined): ListQuery {
  return {
    namespace,
    labelSelector: text(query, 'labelSelector'),
    fieldSelector: text(query, 'fieldSelector'),
    limit: integer(query, 'limit'),
    continue: text(query, 'continue'),
    resourceVersion: text(query, 'resourceVersion'),
    resourceVersionMatch: text(query, 'resourceVersionMatch'),
    sendInitialEvents: flag(query, 'sendInitialEvents'),
  };
}

export function watchQuery(
  query: URLSearchParams,
  namespace: string | undefined,
  name: string | undefined,
): WatchQuery {
  return {
    ...listQuery(query, namespace),
    name,
    allowWatchBookmarks: flag(query, 'allowWatchBookmarks'),
    timeoutSeconds: integer(query, 'timeoutSeconds'),
  };
}

export function isWatch(query: URLSearchParams): boolean {
  return flag(query, 'watch') === true;
}

export function writeOptions(query: URLSearchParams): WriteOptions {
  return {
    fieldManager: text(query, 'fieldManager'),
    fieldValidation: text(query, 'fieldValidation'),
    dryRun: query.has('dryRun') ? query.getAll('dryRun') : undefined,
    force: flag(query, 'force'),
  };
}

export function deleteOptions(query: URLSearchParams): DeleteOptions {
  return {
    gracePeriodSeconds: integer(query, 'gracePeriodSeconds'),
    propagationPolicy: text(query, 'propagationPolicy'),
    orphanDependents: flag(query, 'orphanDependents'),
    dryRun: query.has('dryRun') ? query.getAll('dryRun') : undefined,
    preconditions: { uid: text(query, 'uid'), resourceVersion: text(query, 'resourceVersion') },
  };
}

function text(query: URLSearchParams, name: string): string | undefined {
  return query.get(name) ?? undefined;
}

/** As Go reads a boolean out of a query: present is true, unless it says otherwise. */
function flag(query: URLSearchParams, name: string): boolean | undefined {
  const value = query.get(name);
  if (value === null) return undefined;
  return value.toLowerCase() !== 'false' && value !== '0';
}

function integer(query: URLSearchParams, name: string): number | undefined {
  const value = query.get(name);
  if (value === null || value === '') return undefined;
  if (/^[-+]?\d{1,18}$/.test(value)) return Number(value);
  throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(value)}: invalid syntax`);
}
