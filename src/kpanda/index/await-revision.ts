/**
 * Read-your-writes: whoever has written to a cluster waits until the index has seen it, and is told if it has not.
 *
 *     minRevision=1234                          of the one cluster and kind that is asked for
 *     minRevision=member-1:1234                 of a cluster
 *     minRevision=member-1:deployments.apps:1234
 *
 * A write's answer carries the revision (`metadata.resourceVersion`); the index has seen it when the stream of that kind
 * has come as far.
 */
import { type Clock, sleep } from '#base/clock.ts';
import { badRequest } from '#base/status-error.ts';
import { groupResource } from '#kube/meta/gvk.ts';
import { revisionNumber } from './indexed-object.ts';
import type { IndexedKind, IndexReader, KindId } from './store/index-store.ts';

export interface Demand {
  readonly cluster: string;
  readonly kind: KindId;
  readonly revision: number;
}

/** A demand that was not met in time, and how far the index has come. */
export interface Unmet extends Demand {
  readonly reached: string;
}

export const WAIT_MS = 1_000;
export const MAX_WAIT_MS = 30_000;
const LOOK_EVERY_MS = 50;

export function parseDemands(
  text: string | null,
  asked: { readonly clusters?: readonly string[]; readonly kinds: readonly IndexedKind[] },
): readonly Demand[] {
  return (text ?? '')
    .split(',')
    .filter((each) => each !== '')
    .flatMap((each) => demandsOf(each, asked));
}

function demandsOf(
  text: string,
  { clusters = [], kinds }: { readonly clusters?: readonly string[]; readonly kinds: readonly IndexedKind[] },
): readonly Demand[] {
  const parts = text.split(':');
  const [number = ''] = parts.splice(-1);
  const [cluster = clusters.length === 1 ? clusters[0] : undefined, resource] = parts;
  const revision = revisionNumber(number);
  const about = resource === undefined ? kinds : kinds.filter((kind) => groupResource(kind) === resource);
  if (!/^\d+$/.test(number) || revision === 0 || parts.length > 2) {
    throw badRequest(`minRevision=${JSON.stringify(text)}: write [cluster:[resource.group:]]resourceVersion`);
  }
  if (cluster === undefined) throw badRequest('minRevision without a cluster needs a query of exactly one cluster');
  if (resource === undefined && about.length > 1) {
    throw badRequest('minRevision of several kinds must name one: cluster:resource.group:resourceVersion');
  }
  return about.map(({ id }) => ({ cluster, kind: id, revision }));
}

export async function awaitRevisions(
  reader: IndexReader,
  demands: readonly Demand[],
  {
    limitMs = WAIT_MS,
    clock,
    signal,
  }: { readonly limitMs?: number; readonly clock: Clock; readonly signal?: AbortSignal },
): Promise<readonly Unmet[]> {
  const deadline = clock.now() + limitMs;
  let unmet = await unmetOf(reader, demands);
  if (unmet.length === 0) return [];
  let fresh = Promise.withResolvers<void>();
  const end = reader.onCommit(() => fresh.resolve());
  try {
    while (unmet.length > 0 && clock.now() < deadline) {
      signal?.throwIfAborted();
      await Promise.race([fresh.promise, sleep(clock, Math.min(LOOK_EVERY_MS, deadline - clock.now()), signal)]);
      fresh = Promise.withResolvers<void>();
      unmet = await unmetOf(reader, unmet);
    }
    return unmet;
  } finally {
    end();
  }
}

async function unmetOf(reader: IndexReader, demands: readonly Demand[]): Promise<readonly Unmet[]> {
  const looked = await Promise.all(
    demands.map(async ({ cluster, kind, revision }) => {
      const reached = (await reader.stream({ cluster, kind }))?.position ?? '';
      return { cluster, kind, revision, reached };
    }),
  );
  return looked.filter(({ reached, revision }) => revisionNumber(reached) < revision);
}
