/** `kairship describe`: everything about one object in every cluster that has it, with what happened to it. */
import pc from 'picocolors';
import { stringify } from 'yaml';
import { ageOf } from '#kube/meta/age.ts';
import type { Condition, KubeObject } from '#kube/meta/object.ts';
import { isObject } from '#base/json.ts';
import { connected } from '../cli/connection.ts';
import { usageFailure } from '../cli/failure.ts';
import { askAll, nameOf, type Target, targetsOf } from '../cli/fan-out.ts';
import { write } from '../cli/output.ts';
import { waiting } from '../cli/screen.ts';
import { table } from '../cli/table.ts';
import { EVENTS, type EventObject, lastSeen } from './events.ts';
import { type Found, type MemberOptions, placesOf, wantedFrom } from './get.ts';

export function describe(words: readonly string[], options: MemberOptions): Promise<void> {
  const wanted = wantedFrom(words);
  return connected(options, async (on) => {
    const targets = await targetsOf(on, options.clusters);
    const pages: string[] = [];
    for (const each of wanted) {
      const { name } = each;
      if (name === undefined)
        throw usageFailure(
          'which one?',
          'a name is needed to describe something',
          `kairship describe ${each.kind}/NAME`,
        );
      const places = await placesOf(targets, each, options);
      const by = new Map(places.map((place) => [place.target, place]));
      const work = (target: Target) => page(by.get(target) as Found, name, options.namespace);
      const answers = await waiting('asking the clusters', askAll([...by.keys()], work, options.memberTimeout));
      pages.push(...answers.map(({ value }) => value));
    }
    write(pages.join('\n\n'));
  });
}

async function page({ target, resource }: Found, name: string, namespace: string): Promise<string> {
  const key = resource.namespaced ? { namespace, name } : { name };
  const object = await target.client.get(resource, key);
  const events = await target.client
    .list<EventObject>(EVENTS, {
      ...(resource.namespaced ? { namespace } : {}),
      fieldSelector: `involvedObject.name=${name},involvedObject.kind=${object.kind}`,
    })
    .catch(() => ({ items: [] }));
  return [...heading(target, object), ...sections(object), ...happened(events.items)].join('\n');
}

function heading(target: Target, object: KubeObject): readonly string[] {
  const { name, namespace, labels, annotations, creationTimestamp, ownerReferences = [] } = object.metadata;
  const facts: readonly (readonly [string, string])[] = [
    ['Cluster', nameOf(target)],
    ['Namespace', namespace ?? ''],
    ['Age', ageOf(creationTimestamp, Date.now())],
    ['Owner', ownerReferences.map(({ kind, name: owner }) => `${kind.toLowerCase()}/${owner}`).join(', ')],
    ['Labels', pairs(labels)],
    ['Annotations', pairs(annotations)],
  ];
  return [
    pc.bold(`${object.kind}/${name}`),
    ...facts.filter(([, value]) => value !== '').map(([what, value]) => `  ${`${what}:`.padEnd(13)}${value}`),
  ];
}

const LONGEST_VALUE = 80;

function pairs(all: Readonly<Record<string, string>> = {}): string {
  const shorten = (value: string) => (value.length > LONGEST_VALUE ? `${value.slice(0, LONGEST_VALUE)}…` : value);
  return Object.entries(all)
    .map(([key, value]) => `${key}=${shorten(value)}`)
    .join(`\n${' '.repeat(15)}`);
}

/** Everything else it has, as it is written, and its conditions as a table. */
function sections(object: KubeObject): readonly string[] {
  const { apiVersion: _, kind: __, metadata: ___, ...rest } = object;
  return Object.entries(rest).flatMap(([field, value]) => {
    if (field !== 'status' || !isObject(value)) return section(field, value);
    const { conditions, ...status } = value;
    return [...section(field, status), ...conditionLines(conditions)];
  });
}

function section(field: string, value: unknown): readonly string[] {
  const isNothing = value === undefined || value === null || (isObject(value) && Object.keys(value).length === 0);
  if (isNothing) return [];
  const title = `${field.slice(0, 1).toUpperCase()}${field.slice(1)}:`;
  return [`  ${title}`, indented(stringify(value, { lineWidth: 0 }).trimEnd(), 4)];
}

function conditionLines(conditions: unknown): readonly string[] {
  if (!Array.isArray(conditions) || conditions.length === 0) return [];
  const rows = (conditions as readonly Condition[]).map(({ type, status, reason, message, lastTransitionTime }) => [
    type,
    status,
    ageOf(lastTransitionTime, Date.now()),
    reason ?? '',
    message ?? '',
  ]);
  return ['  Conditions:', indented(table(['TYPE', 'STATUS', 'SINCE', 'REASON', 'MESSAGE'], rows), 4)];
}

function happened(events: readonly EventObject[]): readonly string[] {
  if (events.length === 0) return ['  Events:      none'];
  const rows = events
    .toSorted((a, b) => lastSeen(a) - lastSeen(b))
    .map((event) => [
      ageOf(new Date(lastSeen(event)).toISOString(), Date.now()),
      event.type ?? '',
      event.reason ?? '',
      event.message ?? '',
    ]);
  return ['  Events:', indented(table(['LAST SEEN', 'TYPE', 'REASON', 'MESSAGE'], rows), 4)];
}

const indented = (text: string, by: number) => text.replaceAll(/^(?=.)/gm, ' '.repeat(by));
