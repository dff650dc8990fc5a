/** Asking a server for rows instead of objects, once and as they change. */
import { jsonLines } from '#kube/client/json-lines.ts';
import type { ApiResource } from '#kube/client/kube-client.ts';
import { decode, failureOf, textOf } from '#kube/client/rest-answer.ts';
import { resourcePath } from '#kube/meta/gvk.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import type { ServerTable } from './cluster-table.ts';
import type { Target } from './fan-out.ts';

export interface Query {
  readonly namespace?: string;
  readonly name?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly limit?: number;
}

const TABLE_TYPE = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';

export async function fetchTable(
  { client }: Target,
  resource: ApiResource,
  query: Query,
  signal: AbortSignal,
): Promise<ServerTable> {
  const request = { method: 'GET', path: pathOf(resource, query), headers: { accept: TABLE_TYPE }, signal };
  const response = await client.request(request);
  const body = await textOf(response, signal);
  if (response.statusCode !== 200) throw failureOf(response.statusCode ?? 0, body);
  return decode(body) as ServerTable;
}

export async function fetchObjects(
  { client }: Target,
  resource: ApiResource,
  { name, namespace, labelSelector, fieldSelector, limit }: Query,
  signal: AbortSignal,
): Promise<readonly KubeObject[]> {
  const within = namespace === undefined ? {} : { namespace };
  if (name !== undefined) return [await client.get(resource, { ...within, name }, { signal })];
  const { items } = await client.list(resource, {
    ...within,
    ...(labelSelector === undefined ? {} : { labelSelector }),
    ...(fieldSelector === undefined ? {} : { fieldSelector }),
    ...(limit === undefined ? {} : { limit }),
    signal,
  });
  return items;
}

/** Tables of one row each, whenever one changes; ends when the server ends it. */
export async function* watchTables(
  { client }: Target,
  resource: ApiResource,
  query: Query,
  from: { readonly resourceVersion?: string; readonly signal: AbortSignal },
): AsyncGenerator<{ readonly type: string; readonly table: ServerTable }> {
  const { name, ...others } = query;
  const one = name === undefined ? {} : { fieldSelector: `metadata.name=${name}` };
  const { resourceVersion: revision, signal } = from;
  const path = pathOf(
    resource,
    { ...others, ...one },
    { watch: '1', ...(revision ? { resourceVersion: revision } : {}) },
  );
  const response = await client.request({ method: 'GET', path, headers: { accept: TABLE_TYPE }, signal });
  if (response.statusCode !== 200) throw failureOf(response.statusCode ?? 0, await textOf(response));
  for await (const event of jsonLines(response)) {
    const { type, object } = event as { type: string; object: ServerTable & { code?: number } };
    if (type === 'ERROR') throw failureOf(object.code ?? 500, JSON.stringify(object));
    if (type !== 'BOOKMARK') yield { type, table: object };
  }
}

function pathOf(resource: ApiResource, query: Query, more: Readonly<Record<string, string>> = {}): string {
  const { namespace, name, labelSelector, fieldSelector, limit } = query;
  const at = {
    ...(namespace !== undefined && resource.namespaced ? { namespace } : {}),
    ...(name === undefined ? {} : { name }),
  };
  const asked = new URLSearchParams({
    ...(labelSelector === undefined ? {} : { labelSelector }),
    ...(fieldSelector === undefined ? {} : { fieldSelector }),
    ...(limit === undefined ? {} : { limit: String(limit) }),
    ...more,
  }).toString();
  return resourcePath(resource, at) + (asked === '' ? '' : `?${asked}`);
}
