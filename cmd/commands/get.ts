/**
 * `kairship get`: objects of all members as one table, with a CLUSTER column.
 *
 * Where to look follows from the kind: in the members for what members serve, in the instance for what only it serves.
 * `--scope` says otherwise. A member that does not answer is a warning; the others' rows are shown.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { hasReason } from '#base/status-error.ts';
import type { ApiResource } from '#kube/client/kube-client.ts';
import { restMapper } from '#kube/client/rest-mapper.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { type Merged, mergeTables, type Part, type ServerTable } from '../cli/cluster-table.ts';
import { connected, type ConnectionOptions } from '../cli/connection.ts';
import { usageFailure } from '../cli/failure.ts';
import { askAll, nameOf, type Target, type Targets, targetsOf } from '../cli/fan-out.ts';
import { type Format, printValue, TABLE, write } from '../cli/output.ts';
import { isReference, referenceOf } from '../cli/reference.ts';
import { note, waiting, warn } from '../cli/screen.ts';
import { displayWidth, table } from '../cli/table.ts';
import { fetchObjects, fetchTable, type Query, watchTables } from '../cli/table-request.ts';

export type ScopeWord = 'instance' | 'members' | 'all';

export interface MemberOptions extends ConnectionOptions {
  readonly namespace: string;
  readonly allNamespaces?: boolean;
  readonly clusters?: readonly string[];
  readonly scope?: ScopeWord;
  readonly memberTimeout: number;
}

export interface GetOptions extends MemberOptions {
  readonly output?: Format;
  readonly selector?: string;
  readonly fieldSelector?: string;
  readonly watch?: boolean;
  readonly limit?: number;
  readonly headers?: boolean;
}

export interface Wanted {
  /** As it was typed: `deploy`. */
  readonly kind: string;
  readonly name?: string;
  readonly cluster?: string;
}

/** Where a kind is found, and what it is called there: servers may differ in versions. */
export interface Found {
  readonly target: Target;
  readonly resource: ApiResource;
}

export function get(words: readonly string[], options: GetOptions): Promise<void> {
  const wanted = wantedFrom(words);
  return connected(options, async (on) => {
    const targets = await waiting('asking the clusters', targetsOf(on, options.clusters));
    const { output = TABLE } = options;
    const shown = wanted.map(async (each) => ({ each, places: await placesOf(targets, each, options) }));
    const all = await waiting('asking the clusters', Promise.all(shown));
    if (output.type === 'table') await printTables(all, options, output.wide);
    else await printObjects(all, options, output);
  });
}

/** `pods`, `pods nginx`, `deploy,svc`, `pod/a deploy/b`, `frankfurt/pod/a`. */
export function wantedFrom(words: readonly string[]): readonly Wanted[] {
  const [first = '', ...names] = words;
  if (words.some(isReference)) {
    return words.map((word) => (isReference(word) ? referenceOf(word) : { kind: word }));
  }
  const kinds = first.split(',').filter((kind) => kind !== '');
  if (names.length === 0) return kinds.map((kind) => ({ kind }));
  if (kinds.length > 1)
    throw usageFailure(
      'names of several kinds',
      'a name needs to say of which kind it is',
      'kairship get pod/a deployment/b',
    );
  return names.map((name) => ({ kind: first, name }));
}

/** Which of the targets to ask for a kind. */
export async function placesOf(targets: Targets, wanted: Wanted, options: MemberOptions): Promise<readonly Found[]> {
  const { scope, memberTimeout, clusters } = options;
  const members =
    wanted.cluster === undefined ? targets.members : targets.members.filter((one) => one.cluster === wanted.cluster);
  if (wanted.cluster !== undefined && members.length === 0)
    throw usageFailure(
      `there is no cluster "${wanted.cluster}"`,
      'it is not a member of the instance',
      'kairship cluster list',
    );
  const resolve = (of: readonly Target[]) =>
    askAll(of, async ({ client }) => restMapper(client).byName(wanted.kind), memberTimeout).then((answers) =>
      answers.map(({ target, value }) => ({ target, resource: value })),
    );
  if (scope === 'instance') return resolve([targets.instance]);
  if (scope === 'all') return resolve([targets.instance, ...members]);
  if (members.length > 0) {
    try {
      return await resolve(members);
    } catch (error) {
      if (scope === 'members' || clusters || wanted.cluster || !hasReason(error, 'NotFound')) throw error;
    }
  }
  return resolve([targets.instance]);
}

interface Asked {
  readonly each: Wanted;
  readonly places: readonly Found[];
}

export function queryOf({ name }: Wanted, { resource }: Found, options: GetOptions): Query {
  const { namespace, allNamespaces, selector, fieldSelector, limit } = options;
  return {
    ...(resource.namespaced && (!allNamespaces || name !== undefined) ? { namespace } : {}),
    ...(name === undefined ? {} : { name }),
    ...(selector === undefined ? {} : { labelSelector: selector }),
    ...(fieldSelector === undefined ? {} : { fieldSelector }),
    ...(limit === undefined ? {} : { limit }),
  };
}

function ask<T>(
  { each, places }: Asked,
  options: GetOptions,
  work: (target: Target, resource: ApiResource, query: Query, signal: AbortSignal) => Promise<T>,
) {
  const by = new Map(places.map((place) => [place.target, place]));
  return askAll(
    places.map(({ target }) => target),
    (target, signal) => {
      const place = by.get(target) as Found;
      return work(target, place.resource, queryOf(each, place, options), signal);
    },
    options.memberTimeout,
  );
}

async function printTables(all: readonly Asked[], options: GetOptions, wide: boolean): Promise<void> {
  const several = all.length > 1;
  const watched: Promise<void>[] = [];
  let empty = true;
  for (const asked of all) {
    const answers = await waiting('asking the clusters', ask(asked, options, fetchTable));
    const kind = asked.places[0]?.resource;
    const show = {
      wide,
      namespaces: options.allNamespaces === true && kind?.namespaced === true,
      clusters: asked.places.some(({ target }) => target.cluster !== undefined),
    };
    const parts = answers.map(({ target, value }) => ({ cluster: nameOf(target), table: value }));
    const merged = mergeTables(parts, show);
    const rows = options.limit === undefined ? merged.rows : merged.rows.slice(0, options.limit);
    if (rows.length > 0) {
      const named = several ? rows.map((row) => withKind(row, merged, kind)) : rows;
      if (!empty) write('\n');
      empty = false;
      write(printed(merged.head, named, options));
    }
    if (options.watch) {
      const follow = (part: Part) => mergeTables([part], show);
      const widths = merged.head.map((head, at) =>
        Math.max(...[head, ...rows.map((row) => row[at] ?? '')].map(displayWidth)),
      );
      for (const place of asked.places) {
        const own = answers.find(({ target }) => target === place.target)?.value;
        watched.push(watchPlace(asked.each, place, own, { options, follow, widths }));
      }
    }
  }
  if (empty && !options.watch) note(nothing(all, options));
  await Promise.all(watched);
}

function printed(head: readonly string[], rows: readonly (readonly string[])[], { headers }: GetOptions): string {
  const text = table(head, rows);
  return headers === false ? text.slice(text.indexOf('\n') + 1) : text;
}

/** `deployment.apps/nginx`, where a table of another kind follows. */
function withKind(row: readonly string[], { head }: Merged, kind: ApiResource | undefined): readonly string[] {
  const at = head.indexOf('NAME');
  return row.map((cell, column) => (column === at && kind ? `${typeName(kind)}/${cell}` : cell));
}

export const typeName = ({ singular, kind, group }: ApiResource) =>
  `${singular || kind.toLowerCase()}${group === '' ? '' : `.${group}`}`;

function nothing(all: readonly Asked[], { namespace, allNamespaces }: GetOptions): string {
  const kinds = all.map(({ each }) => each.kind).join(', ');
  const isWide = allNamespaces || all.every(({ places }) => places.every(({ resource }) => !resource.namespaced));
  return isWide ? `No ${kinds} found.` : `No ${kinds} found in namespace ${namespace}; -A looks in all.`;
}

interface Watching {
  readonly options: GetOptions;
  readonly follow: (part: Part) => Merged;
  readonly widths: readonly number[];
}

const AGAIN_MS = 2_000;

/** Goes on for as long as one looks: a watch that ends or breaks off is begun again. */
async function watchPlace(
  wanted: Wanted,
  place: Found,
  first: ServerTable | undefined,
  { options, follow, widths }: Watching,
): Promise<void> {
  const { target, resource } = place;
  const signal = new AbortController().signal;
  const query = queryOf(wanted, place, options);
  let columns = first?.columnDefinitions ?? [];
  let resourceVersion = first?.metadata?.resourceVersion;
  let told = false;
  for (;;) {
    try {
      const from = { signal, ...(resourceVersion === undefined ? {} : { resourceVersion }) };
      for await (const { table: changed } of watchTables(target, resource, query, from)) {
        told = false;
        if (changed.columnDefinitions?.length > 0) columns = changed.columnDefinitions;
        resourceVersion = changed.metadata?.resourceVersion ?? resourceVersion;
        const { rows } = follow({ cluster: nameOf(target), table: { ...changed, columnDefinitions: columns } });
        for (const row of rows)
          write(
            row
              .map((cell, at) => cell.padEnd(widths[at] ?? 0))
              .join('   ')
              .trimEnd(),
          );
      }
    } catch (error) {
      if (!told) warn(`${nameOf(target)} does not tell what changes: ${error instanceof Error ? error.message : ''}`);
      told = true;
      if (hasReason(error, 'Expired', 'Gone')) resourceVersion = undefined;
    }
    await sleep(AGAIN_MS);
  }
}

/** Which cluster an object was read from, as Karmada's own tools say it. */
export const FROM_CLUSTER = 'resource.karmada.io/cached-from-cluster';

export function marked(object: KubeObject, cluster: string | undefined): KubeObject {
  if (cluster === undefined) return object;
  const annotations = { ...object.metadata.annotations, [FROM_CLUSTER]: cluster };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

async function printObjects(
  all: readonly Asked[],
  options: GetOptions,
  output: Exclude<Format, { type: 'table' }>,
): Promise<void> {
  const found = (
    await Promise.all(
      all.map(async (asked) => {
        const answers = await ask(asked, options, fetchObjects);
        return answers.flatMap(({ target, value }) => value.map((object) => ({ target, object })));
      }),
    )
  ).flat();
  const { limit = found.length } = options;
  const items = found.slice(0, limit);
  if (output.type === 'name') {
    const resources = new Map(all.flatMap(({ places }) => places.map(({ resource }) => [resource.kind, resource])));
    return write(items.map(({ target, object }) => nameLine(target, object, resources)).join('\n'));
  }
  const objects = items.map(({ target, object }) => marked(object, target.cluster));
  const isOne = all.length === 1 && all[0]?.each.name !== undefined && objects.length === 1;
  printValue(isOne ? objects[0] : { apiVersion: 'v1', kind: 'List', metadata: {}, items: objects }, output);
}

function nameLine({ cluster }: Target, object: KubeObject, resources: ReadonlyMap<string, ApiResource>): string {
  const resource = resources.get(object.kind);
  const name = `${resource ? typeName(resource) : object.kind.toLowerCase()}/${object.metadata.name}`;
  return cluster === undefined ? name : `${cluster}/${name}`;
}
