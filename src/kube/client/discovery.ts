/**
 * Which resources a server serves.
 *
 * Asks for the aggregated documents (two requests, revalidated by ETag afterwards); a server that does not know them is
 * asked group by group. Versions of a group come in the server's order of preference.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { isObject } from '#base/json.ts';
import { errorOfStatus } from '#base/status-error.ts';
import { apiVersionOf, type GroupVersion, parseApiVersion } from '#kube/meta/gvk.ts';
import type { ApiResource } from './kube-client.ts';

export type Fetch = (request: {
  readonly method: 'GET';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}) => Promise<{ readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: string }>;

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

export function discovery(fetch: Fetch): () => Promise<readonly ApiResource[]> {
  const known = new Map<string, { readonly etag: string; readonly resources: readonly ApiResource[] }>();
  let underWay: Promise<readonly ApiResource[]> | undefined;

  async function under(root: '/api' | '/apis'): Promise<readonly ApiResource[]> {
    const last = known.get(root);
    const headers = {
      accept: `${AGGREGATED},application/json`,
      ...(last ? { 'if-none-match': last.etag } : {}),
    };
    const answer = await fetch({ method: 'GET', path: root, headers });
    if (answer.status === 304 && last) return last.resources;
    const document = documentOf(answer);
    if (document['kind'] !== 'APIGroupDiscoveryList') return legacy(root, document);
    const resources = aggregatedResources(document as unknown as GroupDiscoveryList);
    const { etag } = answer.headers;
    if (etag !== undefined) known.set(root, { etag, resources });
    return resources;
  }

  async function legacy(root: '/api' | '/apis', document: Record<string, unknown>): Promise<readonly ApiResource[]> {
    const lists = legacyVersions(root, document).map(async (groupVersion) => {
      const path = `${root}/${apiVersionOf(groupVersion)}`;
      const answer = await fetch({ method: 'GET', path, headers: { accept: 'application/json' } });
      // One broken aggregated API must not hide all the others.
      return answer.status === 200 ? legacyResources(groupVersion, documentOf(answer)) : [];
    });
    return (await Promise.all(lists)).flat();
  }

  async function both(): Promise<readonly ApiResource[]> {
    return (await Promise.all([under('/api'), under('/apis')])).flat();
  }

  return () => {
    underWay ??= both().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
}

interface GroupDiscoveryList {
  readonly items: readonly {
    readonly metadata: { readonly name?: string };
    readonly versions: readonly { readonly version: string; readonly resources?: readonly DiscoveredResource[] }[];
  }[];
}

interface DiscoveredResource {
  readonly resource: string;
  readonly responseKind?: { readonly kind: string };
  readonly scope: 'Namespaced' | 'Cluster';
  readonly singularResource?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly verbs: readonly string[];
  readonly subresources?: readonly { readonly subresource: string }[];
}

/** What an aggregated discovery document lists; a resource without a kind has only subresources and is left out. */
export function aggregatedResources({ items }: GroupDiscoveryList): readonly ApiResource[] {
  return items.flatMap(({ metadata: { name: group = '' }, versions }) =>
    versions.flatMap(({ version, resources = [] }) =>
      resources.flatMap(({ responseKind, ...found }) => {
        if (!responseKind || found.verbs.length === 0) return [];
        return {
          group,
          version,
          kind: responseKind.kind,
          resource: found.resource,
          singular: found.singularResource ?? '',
          shortNames: found.shortNames ?? [],
          categories: found.categories ?? [],
          namespaced: found.scope === 'Namespaced',
          verbs: found.verbs,
          subresources: (found.subresources ?? []).map(({ subresource }) => subresource),
        };
      }),
    ),
  );
}

function legacyVersions(root: '/api' | '/apis', document: Record<string, unknown>): readonly GroupVersion[] {
  if (root === '/api') {
    const { versions = [] } = document as { versions?: readonly string[] };
    return versions.map((version) => ({ group: '', version }));
  }
  const { groups = [] } = document as { groups?: readonly LegacyGroup[] };
  return groups.flatMap(({ preferredVersion, versions }) => {
    const all = versions.map(({ groupVersion }) => groupVersion);
    const first = preferredVersion?.groupVersion;
    return [...all.filter((gv) => gv === first), ...all.filter((gv) => gv !== first)].map(parseApiVersion);
  });
}

interface LegacyGroup {
  readonly preferredVersion?: { readonly groupVersion: string };
  readonly versions: readonly { readonly groupVersion: string }[];
}

interface LegacyResource {
  readonly name: string;
  readonly singularName?: string;
  readonly namespaced: boolean;
  readonly kind: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

/** What a group version's legacy document lists, with subresources folded into the resource they belong to. */
export function legacyResources(groupVersion: GroupVersion, document: Record<string, unknown>): readonly ApiResource[] {
  const { resources = [] } = document as { resources?: readonly LegacyResource[] };
  return resources
    .filter(({ name }) => !name.includes('/'))
    .map((found) => ({
      ...groupVersion,
      kind: found.kind,
      resource: found.name,
      singular: found.singularName ?? '',
      shortNames: found.shortNames ?? [],
      categories: found.categories ?? [],
      namespaced: found.namespaced,
      verbs: found.verbs,
      subresources: resources
        .filter(({ name }) => name.startsWith(`${found.name}/`))
        .map(({ name }) => name.slice(found.name.length + 1)),
    }));
}

function documentOf({ status, body }: { readonly status: number; readonly body: string }): Record<string, unknown> {
  let document: unknown;
  try {
    document = JSON.parse(body);
  } catch {
    document = { message: body.trim() };
  }
  if (status !== 200 || !isObject(document)) throw errorOfStatus(isObject(document) ? document : {}, status);
  return document;
}
