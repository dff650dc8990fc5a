import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EventType } from '#gen/proto/kairship/api/core/v1alpha1/event_pb.ts';
import { parseFields } from '#kpanda/index/query/parse-fields.ts';
import { eventMessage, type EventObject, eventSelector } from './events.ts';

const event = (more: Partial<EventObject>): EventObject => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name: 'e', creationTimestamp: '2026-01-01T00:00:00Z' },
  ...more,
});
const millis = (time: string) => BigInt(Date.parse(time));

describe('An event as lists show it', () => {
  it('says when it was last seen, whichever field tells', () => {
    const [last, seen] = ['2026-01-02T00:00:00Z', '2026-01-03T00:00:00.000000Z'];
    assert.equal(eventMessage(event({ lastTimestamp: last })).lastTimestamp, millis(last));
    assert.equal(eventMessage(event({ lastTimestamp: null, eventTime: seen })).lastTimestamp, millis(seen));
    assert.equal(eventMessage(event({ series: { lastObservedTime: seen } })).lastTimestamp, millis(seen));
    assert.equal(eventMessage(event({})).lastTimestamp, millis('2026-01-01T00:00:00Z'));
  });

  it('says who tells of it, whichever field tells', () => {
    assert.equal(eventMessage(event({ source: { component: 'kubelet' } })).source?.component, 'kubelet');
    assert.equal(eventMessage(event({ source: {}, reportingComponent: 'scheduler' })).source?.component, 'scheduler');
  });
});

describe('The selector of events', () => {
  it('names kind and types as the index reads them', () => {
    assert.equal(eventSelector({ kind: '', type: [] }), '');
    assert.equal(
      eventSelector({ kind: 'Pod', type: [EventType.Normal, EventType.Warning] }),
      'involvedObject.kind=Pod,type in (Normal,Warning)',
    );
  });

  it('cannot be widened by what a kind is called', () => {
    assert.equal(parseFields(eventSelector({ kind: 'Pod,type=Warning', type: [] })).length, 1);
  });
});
