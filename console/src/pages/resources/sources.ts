/** Lists of resources, each asked of the service that knows its kind best, a page at a time. */
import { create } from '@bufbuild/protobuf';
import { createClient } from '@connectrpc/connect';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ApiextensionsService } from '#gen/proto/kairship/api/apiextensions/v1alpha1/apiextensions_service_pb.ts';
import { CustomResourceDefinitionSpec_ResourceScope as Scope } from '#gen/proto/kairship/api/apiextensions/v1alpha1/custom_resource_definition_pb.ts';
import {
  type ClusterProviderSummary,
  ClusterProviderSummarySchema,
} from '#gen/proto/kairship/api/cluster/v1alpha1/cluster_pb.ts';
import { CoreService } from '#gen/proto/kairship/api/core/v1alpha1/core_service_pb.ts';
import { type Service, ServiceTypeSchema } from '#gen/proto/kairship/api/core/v1alpha1/service_pb.ts';
import type { Ingress } from '#gen/proto/kairship/api/networking/v1alpha1/ingress_pb.ts';
import { NetworkingService } from '#gen/proto/kairship/api/networking/v1alpha1/networking_service_pb.ts';
import { type Found, SearchService } from '#gen/proto/kairship/api/search/v1alpha1/search_service_pb.ts';
import { SortBy, SortDir } from '#gen/proto/kairship/api/types/v1alpha1/types_pb.ts';
import type { Kind } from '../../api/kinds.ts';
import { transport } from '../../api/transport.ts';
import { wordOf } from '../../api/words.ts';

export interface ResourceRow {
  readonly name: string;
  readonly namespace: string;
  readonly createdAt: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly clusters: readonly ClusterProviderSummary[];
  /** What is worth seeing of its kind, under the names that the kind's columns have. */
  readonly more: Readonly<Record<string, string>>;
}

export interface ResourceRows {
  readonly rows: readonly ResourceRow[];
  readonly total: number;
  readonly pages: number;
}

export interface ResourcesAsked {
  readonly instance: string;
  readonly kind: Kind;
  readonly namespace: string;
  readonly name: string;
  /** Only definitions have one. */
  readonly group: string;
  readonly page: number;
  readonly by: string;
  readonly descending: boolean;
}

/** What each kind tells beyond its name: the keys of the columns, in their order. */
export const COLUMNS = {
  Service: ['type', 'ports', 'selector'],
  Ingress: ['hosts', 'class'],
  ConfigMap: ['keys'],
  Secret: ['type', 'keys'],
  PersistentVolumeClaim: ['phase', 'size', 'class'],
  CustomResourceDefinition: ['kind', 'group', 'scope', 'versions'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
export type ColumnKey = (typeof COLUMNS)[keyof typeof COLUMNS][number];

export function columnsOf(kind: string): readonly ColumnKey[] {
  return (COLUMNS as Readonly<Record<string, readonly ColumnKey[]>>)[kind] ?? [];
}

const PAGE_SIZE = 100;
const core = createClient(CoreService, transport);
const networking = createClient(NetworkingService, transport);
const extensions = createClient(ApiextensionsService, transport);
const search = createClient(SearchService, transport);

const SORTS: Readonly<Record<string, SortBy>> = {
  name: SortBy.field_name,
  namespace: SortBy.namespace,
  created: SortBy.created_at,
};

export function useResourceRows(asked: ResourcesAsked) {
  return useQuery({
    queryKey: ['resources', asked],
    queryFn: () => (SOURCES[asked.kind.kind] ?? custom)(asked, requestOf(asked)),
    placeholderData: keepPreviousData,
  });
}

function requestOf({ instance, name, page, by, descending }: ResourcesAsked) {
  return {
    instance,
    name,
    page,
    pageSize: PAGE_SIZE,
    sortBy: SORTS[by] ?? SortBy.created_at,
    sortDir: descending ? SortDir.desc : SortDir.asc,
  };
}

type Request = ReturnType<typeof requestOf>;
type Source = (asked: ResourcesAsked, request: Request) => Promise<ResourceRows>;

const SOURCES: Readonly<Record<string, Source>> = {
  Namespace: async ({ instance }, request) => {
    const [listed, where] = await Promise.all([core.listNamespaces(request), namespacesIn(instance)]);
    return rowsOf(listed, (one) => row(one, where.get(one.metadata?.name ?? '')));
  },
  Service: async ({ namespace }, request) =>
    rowsOf(
      namespace === '' ? await core.listInstanceServices(request) : await core.listServices({ ...request, namespace }),
      serviceRow,
    ),
  Ingress: async ({ namespace }, request) =>
    rowsOf(
      namespace === ''
        ? await networking.listInstanceIngresses(request)
        : await networking.listIngresses({ ...request, namespace }),
      ingressRow,
    ),
  ConfigMap: async ({ namespace }, request) =>
    rowsOf(await core.listInstanceConfigMaps({ ...request, namespace }), (one) =>
      row(one, one.status?.clusters, { keys: Object.keys(one.data).join(', ') }),
    ),
  Secret: async ({ namespace }, request) =>
    rowsOf(await core.listInstanceSecrets({ ...request, namespace }), (one) =>
      row(one, one.status?.clusters, { type: one.type, keys: Object.keys(one.data).join(', ') }),
    ),
  PersistentVolumeClaim: async ({ namespace }, request) =>
    rowsOf(
      namespace === ''
        ? await core.listInstancePersistentVolumeClaims(request)
        : await core.listPersistentVolumeClaims({ ...request, namespace }),
      (one) =>
        row(one, one.status?.clusters, {
          phase: one.status?.phase ?? '',
          size: one.spec?.storage ?? '',
          class: one.spec?.storageClassName ?? '',
        }),
    ),
  CustomResourceDefinition: async ({ group }, request) =>
    rowsOf(
      await extensions.listCustomResourceDefinitions({ ...request, group, name: '', fuzzyName: request.name }),
      (one) =>
        row(one, [], {
          kind: one.spec?.names?.kind ?? '',
          group: one.spec?.group ?? '',
          scope: one.spec?.scope === Scope.CLUSTER ? 'Cluster' : 'Namespaced',
          versions: one.spec?.versions.map(({ name }) => name).join(', ') ?? '',
        }),
    ),
};

const MOST = 1_000;

/** Namespaces go to every cluster without a binding: where they have arrived is told by the clusters. */
async function namespacesIn(instance: string): Promise<ReadonlyMap<string, readonly ClusterProviderSummary[]>> {
  const { items } = await search.search({ instance, query: 'kind:namespace', pageSize: MOST });
  const found = Map.groupBy(
    items.filter(({ cluster }) => cluster !== ''),
    ({ resource }) => resource?.name ?? '',
  );
  const told = ({ cluster: name }: Found) => create(ClusterProviderSummarySchema, { name, applied: true });
  return new Map([...found].map(([name, copies]) => [name, copies.map(told)]));
}

/** Any other kind: by name, labels and clusters. */
const custom: Source = async ({ kind: { group, version, resource, namespaced }, namespace }, request) => {
  const answer = namespaced
    ? await extensions.listCustomResources({ ...request, group, version, resource, namespace })
    : await extensions.listClusterCustomResources({ ...request, group, version, resource });
  return rowsOf(answer, ({ name, namespace: at, creationTimestamp, labels, clusters }) => ({
    name,
    namespace: at,
    createdAt: Number(creationTimestamp),
    labels,
    clusters,
    more: {},
  }));
};

interface Listed<T> {
  readonly items: readonly T[];
  readonly pagination?: { readonly total: number; readonly pages: number } | undefined;
}

function rowsOf<T>({ items, pagination }: Listed<T>, of: (item: T) => ResourceRow): ResourceRows {
  return { rows: items.map(of), total: pagination?.total ?? items.length, pages: pagination?.pages ?? 1 };
}

interface Named {
  readonly metadata?:
    | {
        readonly name: string;
        readonly namespace: string;
        readonly creationTimestamp: bigint;
        readonly labels: Readonly<Record<string, string>>;
      }
    | undefined;
}

function row(
  { metadata }: Named,
  clusters: readonly ClusterProviderSummary[] = [],
  more: Readonly<Record<string, string>> = {},
): ResourceRow {
  const { name = '', namespace = '', creationTimestamp = 0n, labels = {} } = metadata ?? {};
  return { name, namespace, createdAt: Number(creationTimestamp), labels, clusters, more };
}

function serviceRow(one: Service): ResourceRow {
  const { spec, status } = one;
  return row(one, status?.clusters, {
    type: spec ? wordOf(ServiceTypeSchema, spec.type) : '',
    ports: spec?.ports.map(({ port, protocol }) => `${port}/${protocol || 'TCP'}`).join(', ') ?? '',
    selector: pairs(spec?.selector),
  });
}

function ingressRow(one: Ingress): ResourceRow {
  const { spec, status } = one;
  return row(one, status?.clusters, {
    hosts: spec?.rules.map(({ host }) => host || '*').join(', ') ?? '',
    class: spec?.ingressClassName ?? '',
  });
}

function pairs(of: Readonly<Record<string, string>> = {}): string {
  return Object.entries(of)
    .map(([key, value]) => `${key}=${value}`)
    .join(', ');
}
