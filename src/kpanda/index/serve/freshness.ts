/** How fresh an answer is, in words for people (warnings) and in fields for programs. */
import { rfc3339 } from '#base/clock.ts';
import { groupResource } from '#kube/meta/gvk.ts';
import type { Unmet } from '../await-revision.ts';
import type { Freshness, IndexedKind, KindId, StreamFreshness } from '../store/index-store.ts';

const WARNED_OF = 5;

/** Part of every list: what is not named in `streams` of a long one is fresh. */
export function sourcesField(freshness: Freshness, unmet: readonly Unmet[], kinds: readonly IndexedKind[]) {
  const named = nameOf(kinds);
  return {
    total: freshness.total,
    fresh: freshness.fresh,
    streams: freshness.streams.map((stream) => ({
      cluster: stream.cluster,
      resource: named(stream.kind),
      phase: stream.phase,
      reachable: stream.reachable,
      resourceVersion: stream.position,
      ...(stream.heardAt > 0 ? { heardAt: rfc3339(stream.heardAt) } : {}),
      ...(stream.changedAt > 0 ? { changedAt: rfc3339(stream.changedAt) } : {}),
      ...(stream.message === '' ? {} : { message: stream.message }),
    })),
    ...(unmet.length === 0
      ? {}
      : {
          behind: unmet.map(({ cluster, kind, revision, reached }) => ({
            cluster,
            resource: named(kind),
            minRevision: String(revision),
            resourceVersion: reached,
          })),
        }),
  };
}

export function freshnessWarnings(
  { streams }: Freshness,
  unmet: readonly Unmet[],
  kinds: readonly IndexedKind[],
): readonly string[] {
  const named = nameOf(kinds);
  const stale = streams.filter(({ phase, reachable }) => !reachable || phase !== 'Following');
  const words = stale.slice(0, WARNED_OF).map((stream) => staleness(stream, named));
  const more = stale.length - words.length;
  return [
    ...unmet.map(
      ({ cluster, kind, revision, reached }) =>
        `cluster ${cluster}: ${named(kind)} are indexed up to revision ${reached || 'none'}, not yet ${revision}`,
    ),
    ...words,
    ...(more > 0 ? [`${more} more sources are not up to date`] : []),
  ];
}

function staleness(
  { cluster, kind, phase, reachable, heardAt, message }: StreamFreshness,
  named: (kind: KindId) => string,
) {
  const since = heardAt > 0 ? ` since ${rfc3339(heardAt)}` : '';
  if (!reachable) return `cluster ${cluster} cannot be reached${since}: what is shown of it may be outdated`;
  if (phase === 'Listing') return `cluster ${cluster}: ${named(kind)} are still being listed`;
  return `cluster ${cluster}: ${named(kind)} cannot be followed (${message}): what is shown of them may be outdated`;
}

function nameOf(kinds: readonly IndexedKind[]): (kind: KindId) => string {
  const names = new Map(kinds.map((kind) => [kind.id, groupResource(kind)]));
  return (kind) => names.get(kind) ?? String(kind);
}
