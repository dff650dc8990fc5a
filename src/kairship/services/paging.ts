/** Pages as the published API asks for them and tells of them. */
import type { MessageInitShape } from '@bufbuild/protobuf';
import { badRequest } from '#base/status-error.ts';
import { type PaginationSchema, SortBy, SortDir } from '#gen/proto/kairship/api/types/v1alpha1/types_pb.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import type { ListRequest } from '../read/reads.ts';

export interface PageRequest {
  readonly page?: number;
  readonly pageSize?: number;
  readonly sortBy?: SortBy;
  readonly sortDir?: SortDir;
}

export const DEFAULT_PAGE_SIZE = 10;
export const LARGEST_PAGE = 1_000;

export function pageOf({ page = 0, pageSize = 0 }: PageRequest): { readonly page: number; readonly pageSize: number } {
  if (page < 0 || pageSize < 0) throw badRequest(`page and pageSize count from 1, found ${page} and ${pageSize}`);
  if (pageSize > LARGEST_PAGE)
    throw badRequest(`pageSize: at most ${LARGEST_PAGE} items are on a page, ${pageSize} were asked for`);
  return { page: page || 1, pageSize: pageSize || DEFAULT_PAGE_SIZE };
}

/** Newest first unless another order is asked for. */
export function orderOf({ sortBy, sortDir }: PageRequest): Pick<ListRequest, 'sortBy' | 'descending'> {
  const descending = sortDir !== SortDir.asc;
  switch (sortBy) {
    case SortBy.field_name:
      return { sortBy: 'name', descending };
    case SortBy.namespace:
      return { sortBy: 'namespace', descending };
    case SortBy.cluster:
      return { sortBy: 'cluster', descending };
    default:
      return { sortBy: 'created_at', descending };
  }
}

export function pagination(request: PageRequest, total: number): MessageInitShape<typeof PaginationSchema> {
  const { page, pageSize } = pageOf(request);
  return { total, page, pageSize, pages: Math.ceil(total / pageSize) };
}

/** One page of what is all in memory. */
export function slice<T>(request: PageRequest, all: readonly T[]): T[] {
  const { page, pageSize } = pageOf(request);
  return all.slice((page - 1) * pageSize, page * pageSize);
}

/** The order of objects that are all in memory: newest first unless another is asked for. */
export function compareBy(request: PageRequest): (a: KubeObject, b: KubeObject) => number {
  const { sortBy, descending } = orderOf(request);
  const valueOf = ({ metadata }: KubeObject) =>
    sortBy === 'name'
      ? metadata.name
      : sortBy === 'namespace'
        ? (metadata.namespace ?? '')
        : (metadata.creationTimestamp ?? '');
  const direction = descending ? -1 : 1;
  return (a, b) => direction * compare(valueOf(a), valueOf(b)) || compare(a.metadata.name, b.metadata.name);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
