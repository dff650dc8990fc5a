/** What an event must say: little when written the old way, all of it when written the new way. */
import type { CoreV1Event } from '#gen/kube/types.ts';
import { invalid, invalidAll, required } from '#kube/meta/field-error.ts';
import { qualifiedNameProblems } from '#kube/meta/names.ts';
import { immutable } from '../checks.ts';
import type { Errors, Given } from '../kind.ts';

const LIMITS = { reportingInstance: 128, action: 128, reason: 128, message: 1_024 } as const;

export function* eventRules(event: Given<CoreV1Event>, apiVersion: 'v1' | 'events.k8s.io/v1'): Errors {
  yield* namespaceRules(event);
  if (event.eventTime) yield* newStyle(event, apiVersion === 'v1' ? 'reportingComponent' : 'reportingController');
  if (apiVersion === 'v1') return;
  yield* seriesRules(event);
  if (!event.eventTime) yield required('eventTime');
  if (event.type !== 'Normal' && event.type !== 'Warning') {
    yield invalid('type', '', `has invalid value: ${event.type ?? ''}`);
  }
  for (const field of ['firstTimestamp', 'lastTimestamp', 'count'] as const) {
    if (event[field]) yield invalid(field, '', 'needs to be unset');
  }
  if (event.source?.component || event.source?.host) yield invalid('source', '', 'needs to be unset');
}

/** An event lies in the namespace of what it is about; that of something without a namespace, in a system one. */
function* namespaceRules({ metadata, involvedObject, eventTime }: Given<CoreV1Event>): Errors {
  const own = metadata?.namespace ?? '';
  const about = involvedObject?.namespace ?? '';
  const system = eventTime ? ['default', 'kube-system'] : ['', 'default'];
  const fits = about === '' ? system.includes(own) : eventTime ? true : own === about;
  if (!fits) yield invalid('involvedObject.namespace', about, 'does not match event.namespace');
}

function* newStyle(event: Given<CoreV1Event>, controllerField: string): Errors {
  const { reportingComponent = '' } = event;
  if (reportingComponent === '') yield required(controllerField);
  yield* invalidAll(controllerField, reportingComponent, qualifiedNameProblems(reportingComponent));
  for (const [field, limit] of Object.entries(LIMITS)) {
    const value = event[field as keyof typeof LIMITS] ?? '';
    if (value === '' && field !== 'message') yield required(field);
    if (value.length > limit) yield invalid(field, '', `can have at most ${limit} characters`);
  }
}

function* seriesRules({ series }: Given<CoreV1Event>): Errors {
  if (!series) return;
  if ((series.count ?? 0) < 2) yield invalid('series.count', '', 'should be at least 2');
  if (!series.lastObservedTime) yield required('series.lastObservedTime');
}

const FIXED = [
  'involvedObject',
  'reason',
  'message',
  'source',
  'firstTimestamp',
  'lastTimestamp',
  'count',
  'type',
  'eventTime',
  'action',
  'related',
  'reportingInstance',
] as const satisfies readonly (keyof CoreV1Event)[];

/** Only its series of repetitions goes on; everything else has happened. */
export function* eventUpdate(event: Given<CoreV1Event>, old: Given<CoreV1Event>): Errors {
  yield* namespaceRules(event);
  yield* seriesRules(event);
  for (const field of FIXED) yield* immutable(event[field], old[field], field);
  yield* immutable(event.reportingComponent, old.reportingComponent, 'reportingController');
}
