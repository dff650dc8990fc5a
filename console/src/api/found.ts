/** Objects of an instance as the index has them, whole and a page at a time: for kinds that no service lists. */
import { useQuery } from '@connectrpc/connect-query';
import { keepPreviousData } from '@tanstack/react-query';
import { SearchService } from '#gen/proto/kairship/api/search/v1alpha1/search_service_pb.ts';
import type { Kind } from './kinds.ts';
import type { Thing } from './objects.ts';

export interface FoundAsked {
  readonly instance: string;
  readonly kind: Kind;
  readonly namespace?: string;
  /** Words of its name, labels or images. */
  readonly text?: string;
  /** Left out: whatever has one of these in its name. */
  readonly without?: readonly string[];
  readonly page: number;
  readonly pageSize?: number;
}

const PAGE_SIZE = 100;

/** Only what is in the instance itself; copies in clusters are left out. */
export function useFoundObjects({
  instance,
  kind,
  namespace = '',
  text = '',
  without = [],
  page,
  pageSize = PAGE_SIZE,
}: FoundAsked) {
  const query = [
    `kind:${kind.group ? `${kind.resource}.${kind.group}` : kind.kind.toLowerCase()}`,
    'cluster:-',
    ...(namespace ? [`namespace:${namespace}`] : []),
    ...without.map((part) => `-name:${part}`),
    ...wordsIn(text),
  ].join(' ');
  const { data, error, refetch } = useQuery(
    SearchService.method.search,
    { instance, query, includeObjects: true, page, pageSize },
    { placeholderData: keepPreviousData },
  );
  return {
    error,
    refetch,
    data: data && {
      rows: data.items.flatMap(({ object }) => (object ? [object as unknown as Thing] : [])),
      total: data.pagination?.total ?? data.items.length,
      pages: data.pagination?.pages ?? 1,
    },
  };
}

/** What was typed into a filter are words, also where it looks like a field. */
export function wordsIn(text: string): readonly string[] {
  return text
    .replaceAll('"', ' ')
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => (word.includes(':') ? `"${word}"` : word));
}
