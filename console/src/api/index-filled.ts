/**
 * Whether the index has read an instance yet. Until it has, "there is none" cannot be said of anything.
 *
 * Asked only where nothing was found, and again until it has.
 */
import { useQuery } from '@connectrpc/connect-query';
import { type SearchResponse, SearchService } from '#gen/proto/kairship/api/search/v1alpha1/search_service_pb.ts';

const AGAIN_MS = 1_500;

export function useIndexFilled(instance: string, asked: boolean): boolean {
  const { data } = useQuery(
    SearchService.method.search,
    { instance, query: 'kind:clusters.cluster.karmada.io cluster:-', pageSize: 1 },
    { enabled: asked, refetchInterval: ({ state }) => (state.data && isFilled(state.data) ? false : AGAIN_MS) },
  );
  return data === undefined || isFilled(data);
}

/** A source that has been read once says how far. */
export function isFilled({ freshness }: Pick<SearchResponse, 'freshness'>): boolean {
  return freshness.length > 0 && freshness.every(({ revision }) => revision !== '');
}
