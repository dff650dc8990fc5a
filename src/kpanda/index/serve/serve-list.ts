/**
 * Lists and collections. A page is one answer; without a limit the pages follow each other in one answer, each read when
 * the client has taken the one before, so that no list is ever in memory as a whole.
 */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { negotiate } from '#kube/apiserver/http/negotiate.ts';
import { type Exchange, isPretty, sendJson } from '#kube/apiserver/http/respond.ts';
import { includeObject } from '#kube/apiserver/representations/table.ts';
import { apiVersionOf } from '#kube/meta/gvk.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import type { FoundObject, IndexedKind, Page } from '../store/index-store.ts';
import { typeOf } from './collection.ts';
import type { Asking } from './asking.ts';
import { definitionOf, tableRow, withCluster } from './index-table.ts';
import { told } from './told.ts';

/** How a list is written: what comes before its items, each item, and what it is called. */
interface Form {
  readonly head: Readonly<Record<string, unknown>>;
  readonly items: 'items' | 'rows';
  item(object: FoundObject): string;
}

export async function serveList(asking: Asking, kind: IndexedKind): Promise<void> {
  const answer = negotiate(asking.exchange.request.headers.accept);
  const version = answer.version ?? 'v1';
  const partial = answer.as === 'PartialObjectMetadataList' || answer.as === 'PartialObjectMetadata';
  const form =
    answer.as === 'Table' ? await tableForm(asking, kind, version) : partial ? partialForm(version) : plainForm(kind);
  await sendList(
    { ...asking, query: { ...asking.query, ...(partial ? { onlyMetadata: true } : {}) } },
    form,
    answer.media,
  );
}

export async function serveCollection(asking: Asking, name: string): Promise<void> {
  const { media } = negotiate(asking.exchange.request.headers.accept);
  const kind = 'CollectionResource';
  const form: Form = {
    head: { kind, apiVersion: 'clusterpedia.io/v1beta1', resourceTypes: asking.kinds.map(typeOf) },
    items: 'items',
    item: ({ body }) => body,
  };
  await sendList(asking, form, media, { name });
}

function plainForm(kind: IndexedKind): Form {
  return {
    head: { kind: `${kind.kind}List`, apiVersion: apiVersionOf(kind) },
    items: 'items',
    item: ({ body }) => body,
  };
}

function partialForm(version: string): Form {
  const apiVersion = `meta.k8s.io/${version}`;
  return {
    head: { kind: 'PartialObjectMetadataList', apiVersion },
    items: 'items',
    item({ body }) {
      const { metadata } = JSON.parse(body) as KubeObject;
      return JSON.stringify({ kind: 'PartialObjectMetadata', apiVersion, metadata });
    },
  };
}

async function tableForm(asking: Asking, kind: IndexedKind, version: string): Promise<Form> {
  const own = await asking.columns(kind, asking.cluster);
  const columns = asking.cluster === undefined ? withCluster(own) : own;
  const include = includeObject(asking.exchange.query.get('includeObject'));
  const options = { include, version, now: asking.clock.now() };
  return {
    head: { kind: 'Table', apiVersion: `meta.k8s.io/${version}`, columnDefinitions: columns.map(definitionOf) },
    items: 'rows',
    item: ({ body }) => JSON.stringify(tableRow(columns, JSON.parse(body) as KubeObject, options)),
  };
}

async function sendList(
  asking: Asking,
  form: Form,
  media: 'json' | 'yaml',
  named: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { exchange, reader, access, query } = asking;
  // Whoever waits for a revision reads after it has come; for all others both are asked for at once.
  const waits = exchange.query.has('minRevision');
  const saying = told(asking);
  if (waits) await saying;
  const [sources, first] = await Promise.all([saying, reader.page(query, access)]);
  const whole = query.limit === undefined && first.next !== undefined && media === 'json' && !isPretty(exchange.query);
  const metadata = { ...named, ...metadataOf(first, whole) };
  // Collections carry these two beside their items.
  const beside = named['name'] === undefined ? {} : pick(metadata);
  const head = JSON.stringify({ ...form.head, metadata, ...beside, sources }).slice(0, -1);
  const opening = `${head},"${form.items}":[`;
  if (!whole) {
    return sendJson(exchange, 200, `${opening}${first.objects.map((each) => form.item(each)).join(',')}]}\n`, media);
  }
  await sendWhole(asking, form, opening, first);
}

async function sendWhole({ exchange, reader, access, query, gone }: Asking, form: Form, opening: string, first: Page) {
  const { response } = exchange;
  writeHead(exchange);
  response.write(opening);
  let separator = '';
  for (let page = first; ; ) {
    const text = page.objects.map((each) => form.item(each)).join(',');
    if (!response.write(separator + text)) await drained(response, gone);
    if (page.next === undefined || gone.aborted) break;
    separator = ',';
    page = await reader.page({ ...query, after: page.next }, access);
  }
  response.end(']}\n');
}

function writeHead({ response, warnings }: Exchange): void {
  const said = warnings.map((text) => `299 - "${text.replace(/[^\x20-\x7e]+/g, ' ').replace(/["\\]/g, '\\$&')}"`);
  response.writeHead(200, {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-cache, private',
    ...(said.length > 0 ? { Warning: said.join(', ') } : {}),
  });
}

async function drained(response: ServerResponse, gone: AbortSignal): Promise<void> {
  await once(response, 'drain', { signal: gone }).catch(() => undefined);
}

function metadataOf({ revision, next, remaining }: Page, whole: boolean): Record<string, string | number> {
  return {
    resourceVersion: String(revision),
    ...(next === undefined || whole ? {} : { continue: next }),
    ...(remaining === undefined || whole ? {} : { remainingItemCount: remaining }),
  };
}

function pick(metadata: Readonly<Record<string, string | number>>) {
  const { continue: next, remainingItemCount } = metadata;
  return {
    ...(next === undefined ? {} : { continue: next }),
    ...(remainingItemCount === undefined ? {} : { remainingItemCount }),
  };
}
