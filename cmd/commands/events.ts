/** `kairship events`: what happened, in the instance and in its members, in the order it happened. */
import { setTimeout as sleep } from 'node:timers/promises';
import pc from 'picocolors';
import { ageOf } from '#kube/meta/age.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { connected } from '../cli/connection.ts';
import { askAll, nameOf, type Target, targetsOf } from '../cli/fan-out.ts';
import { type Format, printValue, TABLE, write } from '../cli/output.ts';
import { referenceOf } from '../cli/reference.ts';
import { note, waiting } from '../cli/screen.ts';
import { table } from '../cli/table.ts';
import { restMapper } from '#kube/client/rest-mapper.ts';
import { marked, type MemberOptions } from './get.ts';

export const EVENTS = { group: '', version: 'v1', resource: 'events' };

export interface EventObject extends KubeObject {
  readonly involvedObject?: { readonly kind?: string; readonly name?: string; readonly namespace?: string };
  readonly type?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly count?: number;
  readonly lastTimestamp?: string | null;
  readonly eventTime?: string | null;
  readonly series?: { readonly lastObservedTime?: string };
}

export function lastSeen({ series, lastTimestamp, eventTime, metadata }: EventObject): number {
  return Date.parse(series?.lastObservedTime ?? lastTimestamp ?? eventTime ?? metadata.creationTimestamp ?? '') || 0;
}

export interface EventOptions extends MemberOptions {
  readonly for?: string;
  readonly types?: readonly string[];
  readonly output?: Format;
  readonly watch?: boolean;
  readonly limit?: number;
  readonly headers?: boolean;
  readonly selector?: string;
}

interface Seen {
  readonly target: Target;
  readonly event: EventObject;
}

export function events(options: EventOptions): Promise<void> {
  return connected(options, async (on) => {
    const targets = await targetsOf(on, options.clusters);
    const { scope = options.clusters ? 'members' : 'all' } = options;
    const places = [
      ...(scope === 'members' ? [] : [targets.instance]),
      ...(scope === 'instance' ? [] : targets.members),
    ];
    const about = options.for === undefined ? undefined : referenceOf(options.for, 'kairship events --for');
    const kind = about && (await restMapper(targets.instance.client).byName(about.kind)).kind;
    const isAbout = (event: EventObject) =>
      about === undefined || (event.involvedObject?.name === about.name && event.involvedObject.kind === kind);
    const ask = async (): Promise<readonly Seen[]> => {
      const answers = await askAll(
        places,
        ({ client }, signal) => listed(client, options, signal),
        options.memberTimeout,
      );
      return answers
        .flatMap(({ target, value }) => value.map((event) => ({ target, event })))
        .filter(({ event }) => isAbout(event) && isOfType(event, options.types))
        .toSorted((a, b) => lastSeen(a.event) - lastSeen(b.event));
    };
    const all = await waiting('asking the clusters', ask());
    print(options.limit === undefined ? all : all.slice(-options.limit), options);
    if (options.watch) await goOn(ask, all, options);
  });
}

async function listed(
  client: Target['client'],
  { namespace, allNamespaces, selector }: EventOptions,
  signal: AbortSignal,
): Promise<readonly EventObject[]> {
  const { items } = await client.list<EventObject>(EVENTS, {
    ...(allNamespaces ? {} : { namespace }),
    ...(selector === undefined ? {} : { labelSelector: selector }),
    signal,
  });
  return items;
}

const isOfType = ({ type }: EventObject, types: readonly string[] | undefined) =>
  types === undefined || types.some((word) => word.toLowerCase() === type?.toLowerCase());

function print(all: readonly Seen[], options: EventOptions): void {
  const { output = TABLE } = options;
  if (output.type === 'name')
    return write(all.map(({ target, event }) => `${nameOf(target)}/event/${event.metadata.name}`).join('\n'));
  if (output.type !== 'table') {
    const items = all.map(({ target, event }) => marked(event, target.cluster));
    return printValue({ apiVersion: 'v1', kind: 'List', metadata: {}, items }, output);
  }
  if (all.length === 0) return options.watch ? undefined : note('No events found.');
  const head = [
    'LAST SEEN',
    ...(options.allNamespaces ? ['NAMESPACE'] : []),
    'CLUSTER',
    'TYPE',
    'REASON',
    'OBJECT',
    'MESSAGE',
  ];
  const { columns } = process.stdout;
  const text = table(
    head,
    all.map((seen) => row(seen, options)),
    columns ? { width: columns } : {},
  );
  write(options.headers === false ? text.slice(text.indexOf('\n') + 1) : text);
}

function row({ target, event }: Seen, { allNamespaces }: EventOptions): readonly string[] {
  const { involvedObject: of = {}, type = '', reason = '', message = '', count = 1 } = event;
  return [
    ageOf(new Date(lastSeen(event)).toISOString(), Date.now()),
    ...(allNamespaces ? [event.metadata.namespace ?? ''] : []),
    nameOf(target),
    type === 'Warning' ? pc.yellow(type) : type,
    reason,
    `${of.kind?.toLowerCase() ?? ''}/${of.name ?? ''}`,
    count > 1 ? `${message.trim()} (×${count})` : message.trim(),
  ];
}

const EVERY_MS = 2_000;

/** What is new, or has happened again. */
async function goOn(ask: () => Promise<readonly Seen[]>, first: readonly Seen[], options: EventOptions): Promise<void> {
  const keyOf = ({ target, event }: Seen) => `${nameOf(target)} ${event.metadata.uid ?? ''}`;
  const known = new Map(first.map((seen) => [keyOf(seen), lastSeen(seen.event)]));
  for (;;) {
    await sleep(EVERY_MS);
    const fresh = (await ask()).filter((seen) => known.get(keyOf(seen)) !== lastSeen(seen.event));
    for (const seen of fresh) known.set(keyOf(seen), lastSeen(seen.event));
    if (fresh.length > 0) print(fresh, { ...options, headers: false });
  }
}
