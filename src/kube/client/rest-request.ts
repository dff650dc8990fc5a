/** How requests are spelled: paths, queries and bodies of the Kubernetes REST API. */
import { type Gvr, resourcePath } from '#kube/meta/gvk.ts';
import type { DeleteOptions, ListOptions, WatchOptions, WriteOptions } from './kube-client.ts';
import type { RawRequest } from './transport.ts';

export function pathOf(
  gvr: Gvr,
  { namespace, name }: { readonly namespace?: string | undefined; readonly name?: string | undefined },
  subresource?: string,
  query: Query = {},
): string {
  const at = { ...(namespace === undefined ? {} : { namespace }), ...(name === undefined ? {} : { name }) };
  const path = subresource === undefined ? resourcePath(gvr, at) : `${resourcePath(gvr, at)}/${subresource}`;
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) if (value !== undefined) search.set(key, String(value));
  return search.size === 0 ? path : `${path}?${search.toString()}`;
}

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export function listQuery(options: ListOptions): Query {
  const { labelSelector, fieldSelector, limit, resourceVersion, resourceVersionMatch } = options;
  return {
    labelSelector,
    fieldSelector,
    limit,
    continue: options.continue,
    resourceVersion,
    resourceVersionMatch,
  };
}

export function watchQuery({
  sendInitialEvents,
  allowWatchBookmarks,
  timeoutSeconds,
  ...options
}: WatchOptions): Query {
  return {
    ...listQuery(options),
    watch: true,
    sendInitialEvents,
    allowWatchBookmarks,
    timeoutSeconds,
  };
}

export function writeQuery({ fieldManager, fieldValidation, dryRun }: WriteOptions): Query {
  return { fieldManager, fieldValidation, dryRun: dryRun ? 'All' : undefined };
}

export function deleteBody({ propagationPolicy, gracePeriodSeconds, preconditions, dryRun }: DeleteOptions) {
  return {
    kind: 'DeleteOptions',
    apiVersion: 'v1',
    propagationPolicy,
    gracePeriodSeconds,
    preconditions,
    dryRun: dryRun ? ['All'] : undefined,
  };
}

export function withBody(
  method: string,
  path: string,
  content: unknown,
  { signal }: { readonly signal?: AbortSignal },
  type = 'application/json',
): RawRequest {
  const body = Buffer.from(JSON.stringify(content));
  const headers = { 'content-type': type, 'content-length': body.length };
  return { method, path, headers, body, signal };
}
