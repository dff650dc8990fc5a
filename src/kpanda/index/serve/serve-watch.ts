/**
 * A watch over HTTP: Kubernetes' stream of events, from any query.
 *
 * Objects carry the revision of their cluster, so clients are sent bookmarks with the index's, by which they go on. When
 * what the caller may read has changed, the watch ends with `Expired`: a new list shows what is left.
 */
import { once } from 'node:events';
import { jsonEqual } from '#base/json.ts';
import type { Log } from '#base/log.ts';
import { badRequest, hasReason, StatusError, statusOf } from '#base/status-error.ts';
import { negotiateWatch } from '#kube/apiserver/http/negotiate.ts';
import { includeObject } from '#kube/apiserver/representations/table.ts';
import { apiVersionOf } from '#kube/meta/gvk.ts';
import { INITIAL_EVENTS_END, type KubeObject } from '#kube/meta/object.ts';
import type { Access } from '../query/access.ts';
import type { IndexedKind } from '../store/index-store.ts';
import { type IndexEvent, watchIndex } from '../watch-index.ts';
import { type Asking, isTrue } from './asking.ts';
import { definitionOf, tableRow, withCluster } from './index-table.ts';

const ACCESS_EVERY_MS = 2_000;
const MAX_SECONDS = 3_600;

export async function serveWatch(
  asking: Asking,
  kind: IndexedKind,
  deps: { readonly accessAgain: () => Promise<Access>; readonly closing: AbortSignal; readonly log: Log },
): Promise<void> {
  const { exchange, reader, access, query, clock, gone } = asking;
  const { response, query: url } = exchange;
  const { limit: _, after: __, offset: ___, ...filter } = query;
  const write = await lineWriter(asking, kind);
  const end = new AbortController();
  const signal = AbortSignal.any([gone, deps.closing, end.signal]);
  const cancel = clock.after(secondsOf(url.get('timeoutSeconds')) * 1000, () => end.abort());
  const after = startOf(url);
  const events = watchIndex(reader, filter, access, { clock, signal, ...(after === undefined ? {} : { after }) });
  response.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-cache, private' });
  response.flushHeaders();
  const checking = checkAccess(access, deps.accessAgain, clock, signal, (why) => {
    response.write(errorLine(why));
    end.abort();
  });
  try {
    for await (const event of events) {
      const line = write(event);
      if (line !== undefined && !response.write(line)) await once(response, 'drain', { signal }).catch(() => undefined);
    }
  } catch (error) {
    if (!signal.aborted) response.write(errorLine(error));
  } finally {
    cancel();
    checking();
    response.end();
  }
}

/** Where to begin: with the state, or after a revision. */
function startOf(url: URLSearchParams): number | undefined {
  const text = url.get('resourceVersion') ?? '';
  if (isTrue(url.get('sendInitialEvents')) || text === '' || text === '0') return undefined;
  const revision = Number(text);
  if (!Number.isSafeInteger(revision) || revision < 0)
    throw badRequest(`Invalid value: ${JSON.stringify(text)}: resourceVersion`);
  return revision;
}

function secondsOf(text: string | null): number {
  const asked = text === null ? MAX_SECONDS : Number(text);
  if (!Number.isFinite(asked) || asked < 0)
    throw badRequest(`timeoutSeconds=${JSON.stringify(text)} is no number of seconds`);
  return asked === 0 ? MAX_SECONDS : Math.min(asked, MAX_SECONDS);
}

/** Looks again and again at what the caller may read; the returned function ends it. */
function checkAccess(
  access: Access,
  again: () => Promise<Access>,
  clock: Asking['clock'],
  signal: AbortSignal,
  changed: (why: unknown) => void,
): () => void {
  let cancel = () => {};
  const arm = () => {
    cancel = clock.after(ACCESS_EVERY_MS, () => {
      again().then(
        (now) => {
          if (signal.aborted) return;
          if (jsonEqual(now, access)) arm();
          else changed(new StatusError('Expired', 'what you may read has changed: list again'));
        },
        // That nobody can tell at the moment is no reason to end.
        (error: unknown) => {
          if (hasReason(error, 'Unauthorized', 'Forbidden')) changed(error);
          else if (!signal.aborted) arm();
        },
      );
    });
  };
  arm();
  return () => cancel();
}

async function lineWriter(asking: Asking, kind: IndexedKind): Promise<(event: IndexEvent) => string | undefined> {
  const { exchange, cluster, clock } = asking;
  const answer = negotiateWatch(exchange.request.headers.accept);
  const bookmarks = isTrue(exchange.query.get('allowWatchBookmarks'));
  const initial = isTrue(exchange.query.get('sendInitialEvents'));
  const version = answer.version ?? 'v1';
  const own = answer.as === 'Table' ? await asking.columns(kind, cluster) : [];
  const columns = cluster === undefined ? withCluster(own) : own;
  const include = includeObject(exchange.query.get('includeObject'));
  let headed = false;

  function inForm(body: string): string {
    if (answer.as === undefined) return body;
    const object = JSON.parse(body) as KubeObject;
    if (answer.as !== 'Table')
      return JSON.stringify({
        kind: 'PartialObjectMetadata',
        apiVersion: `meta.k8s.io/${version}`,
        metadata: object.metadata,
      });
    const table = {
      kind: 'Table',
      apiVersion: `meta.k8s.io/${version}`,
      metadata: { resourceVersion: object.metadata.resourceVersion },
      columnDefinitions: headed ? [] : columns.map(definitionOf),
      rows: [tableRow(columns, object, { include, version, now: clock.now() })],
    };
    headed = true;
    return JSON.stringify(table);
  }

  function bookmark(revision: number, ends: boolean): string {
    const annotations = ends ? { annotations: { [INITIAL_EVENTS_END]: 'true' } } : {};
    const metadata = { resourceVersion: String(revision), creationTimestamp: null, ...annotations };
    return JSON.stringify({ kind: kind.kind, apiVersion: apiVersionOf(kind), metadata });
  }

  return (event) => {
    if (event.type !== 'BOOKMARK') return `{"type":"${event.type}","object":${inForm(event.object.body)}}\n`;
    // kubectl prints tables and takes a bookmark for a row without cells.
    if (!bookmarks || answer.as === 'Table') return undefined;
    const ends = event.initial === true && initial;
    return `{"type":"BOOKMARK","object":${bookmark(event.revision, ends)}}\n`;
  };
}

function errorLine(error: unknown): string {
  return `${JSON.stringify({ type: 'ERROR', object: statusOf(error) })}\n`;
}
