/**
 * Events, served as `v1` and as `events.k8s.io/v1` of one storage.
 *
 * The two versions name the same facts differently (`involvedObject` is `regarding`, `message` is `note`); what is
 * stored has the names of `v1`.
 */
import type { CoreV1Event, EventsV1Event } from '#gen/kube/types.ts';
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import { ageOf } from '#kube/meta/age.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { column, nameColumn, wideColumn } from '../columns.ts';
import { type Given, kind } from '../kind.ts';
import { eventRules, eventUpdate } from './event-rules.ts';

const FROM_CORE = {
  involvedObject: 'regarding',
  message: 'note',
  source: 'deprecatedSource',
  firstTimestamp: 'deprecatedFirstTimestamp',
  lastTimestamp: 'deprecatedLastTimestamp',
  count: 'deprecatedCount',
  reportingComponent: 'reportingController',
} as const;
const TO_CORE = Object.fromEntries(Object.entries(FROM_CORE).map(([core, other]) => [other, core]));

/** The event in the words of the other version. */
export function convertEvent(event: KubeObject, apiVersion: string): KubeObject {
  if (event.apiVersion === apiVersion) return event;
  const names: Readonly<Record<string, string | undefined>> = apiVersion === 'v1' ? TO_CORE : FROM_CORE;
  const fields = Object.entries(event).map(([field, value]) => [names[field] ?? field, value] as const);
  const converted = { ...(Object.fromEntries(fields) as KubeObject), apiVersion };
  // Which the older version always shows.
  return apiVersion === 'v1' ? converted : withoutEmpty(converted, ['reportingController', 'reportingInstance']);
}

function withoutEmpty(event: KubeObject, fields: readonly string[]): KubeObject {
  const empty = fields.filter((field) => event[field] === '');
  if (empty.length === 0) return event;
  return Object.fromEntries(Object.entries(event).filter(([field]) => !empty.includes(field))) as KubeObject;
}

function columns(coreOf: (event: Given<CoreV1Event>) => Given<CoreV1Event>): ResourceDefinition['columns'] {
  const read =
    <T>(cell: (event: Given<CoreV1Event>, now: number) => T) =>
    (event: Given<CoreV1Event>, now: number) =>
      cell(coreOf(event), now);
  return [
    column<CoreV1Event>('Last Seen', 'When it was last seen.', read(lastSeen)),
    column<CoreV1Event>(
      'Type',
      'Normal or Warning.',
      read(({ type }) => type ?? ''),
    ),
    column<CoreV1Event>(
      'Reason',
      'Why it was written, for programs.',
      read(({ reason }) => reason ?? ''),
    ),
    column<CoreV1Event>('Object', 'What it is about.', read(objectText)),
    wideColumn<CoreV1Event>(
      'Subobject',
      'Which part of it.',
      read(({ involvedObject }) => involvedObject?.fieldPath ?? ''),
    ),
    wideColumn<CoreV1Event>('Source', 'Who wrote it.', read(sourceText)),
    column<CoreV1Event>(
      'Message',
      'What happened, for people.',
      read(({ message }) => (message ?? '').trim()),
    ),
    wideColumn<CoreV1Event>('First Seen', 'When it was first seen.', read(firstSeen)),
    wideColumn<CoreV1Event>(
      'Count',
      'How often it was seen.',
      read(({ series, count }) => series?.count ?? (count || 1)),
    ),
    { ...nameColumn, priority: 1 },
  ];
}

function firstSeen({ firstTimestamp, eventTime }: Given<CoreV1Event>, now: number): string {
  return ageOf(firstTimestamp || eventTime, now);
}

function lastSeen(event: Given<CoreV1Event>, now: number): string {
  if (event.series) return ageOf(event.series.lastObservedTime, now);
  return event.lastTimestamp ? ageOf(event.lastTimestamp, now) : firstSeen(event, now);
}

function objectText({ involvedObject }: Given<CoreV1Event>): string {
  const kind = (involvedObject?.kind ?? '').toLowerCase();
  return involvedObject?.name ? `${kind}/${involvedObject.name}` : kind;
}

function sourceText({ source, reportingComponent, reportingInstance }: Given<CoreV1Event>): string {
  const component = source?.component || (reportingComponent ?? '');
  const instance = source?.host || (reportingInstance ?? '');
  return instance === '' ? component : `${component}, ${instance}`;
}

export const coreEvents: ResourceDefinition = kind<CoreV1Event>(
  { group: '', version: 'v1', kind: 'Event' },
  {
    shortNames: ['ev'],
    createOnUpdate: true,
    validate: (event) => eventRules(event, 'v1'),
    fields: {
      'involvedObject.kind': ({ involvedObject }) => involvedObject?.kind ?? '',
      'involvedObject.namespace': ({ involvedObject }) => involvedObject?.namespace ?? '',
      'involvedObject.name': ({ involvedObject }) => involvedObject?.name ?? '',
      'involvedObject.uid': ({ involvedObject }) => involvedObject?.uid ?? '',
      'involvedObject.apiVersion': ({ involvedObject }) => involvedObject?.apiVersion ?? '',
      'involvedObject.resourceVersion': ({ involvedObject }) => involvedObject?.resourceVersion ?? '',
      'involvedObject.fieldPath': ({ involvedObject }) => involvedObject?.fieldPath ?? '',
      reason: ({ reason }) => reason ?? '',
      reportingComponent: ({ reportingComponent }) => reportingComponent ?? '',
      source: ({ source, reportingComponent }) => source?.component || (reportingComponent ?? ''),
      type: ({ type }) => type ?? '',
    },
    columns: columns((event) => event),
  },
);

export const events: ResourceDefinition = kind<EventsV1Event>(
  { group: 'events.k8s.io', version: 'v1', kind: 'Event' },
  {
    shortNames: ['ev'],
    createOnUpdate: true,
    validate: (event) => eventRules(asCore(event), 'events.k8s.io/v1'),
    validateUpdate: (event, old) => eventUpdate(asCore(event), asCore(old)),
    fields: {
      'regarding.kind': ({ regarding }) => regarding?.kind ?? '',
      'regarding.namespace': ({ regarding }) => regarding?.namespace ?? '',
      'regarding.name': ({ regarding }) => regarding?.name ?? '',
      'regarding.uid': ({ regarding }) => regarding?.uid ?? '',
      'regarding.apiVersion': ({ regarding }) => regarding?.apiVersion ?? '',
      'regarding.resourceVersion': ({ regarding }) => regarding?.resourceVersion ?? '',
      'regarding.fieldPath': ({ regarding }) => regarding?.fieldPath ?? '',
      reason: ({ reason }) => reason ?? '',
      reportingController: ({ reportingController }) => reportingController ?? '',
      type: ({ type }) => type ?? '',
    },
    columns: columns((event) => asCore(event as unknown as Given<EventsV1Event>)),
    storedAs: { group: '', version: 'v1', resource: 'events' },
    convert: convertEvent,
  },
);

function asCore(event: Given<EventsV1Event>): Given<CoreV1Event> {
  return convertEvent(event as unknown as KubeObject, 'v1') as unknown as Given<CoreV1Event>;
}
