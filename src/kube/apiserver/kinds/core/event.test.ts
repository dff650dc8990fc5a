import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createProblems, created, definitionOf, manifest, updateProblems } from '../testing/lifecycle.ts';
import { convertEvent } from './event.ts';

const core = definitionOf('Event', 'v1');
const events = definitionOf('Event', 'events.k8s.io/v1');
const old = {
  involvedObject: { kind: 'Pod', name: 'p', namespace: 'default', fieldPath: 'spec.containers{a}' },
  reason: 'Started',
  message: ' it runs\n',
  source: { component: 'kubelet', host: 'n' },
  firstTimestamp: '2026-01-01T00:00:00Z',
  lastTimestamp: '2026-01-01T00:01:00Z',
  count: 3,
  type: 'Normal',
};

describe('events in two versions', () => {
  it('name the same facts differently, both ways', () => {
    const given = manifest(core, old);
    const other = convertEvent(given, 'events.k8s.io/v1');
    assert.equal(other['note'], old.message);
    assert.deepEqual(other['regarding'], old.involvedObject);
    assert.equal(other['deprecatedCount'], 3);
    assert.deepEqual(convertEvent(other, 'v1'), given);
  });

  it('show the same columns', () => {
    const now = Date.parse('2026-01-01T00:05:00Z');
    const given = created(core, old);
    const cells = [
      '4m',
      'Normal',
      'Started',
      'pod/p',
      'spec.containers{a}',
      'kubelet, n',
      'it runs',
      '5m',
      3,
      'example',
    ];
    assert.deepEqual(
      core.columns.map((column) => column.cell(given, now)),
      cells,
    );
    const other = convertEvent(given, 'events.k8s.io/v1');
    assert.deepEqual(
      events.columns.map((column) => column.cell(other, now)),
      cells,
    );
  });

  it('are selected by what they are about', () => {
    const given = created(core, old);
    assert.equal(core.selectableFields['involvedObject.name']?.(given), 'p');
    assert.equal(core.selectableFields['source']?.(given), 'kubelet');
    assert.equal(events.selectableFields['regarding.name']?.(convertEvent(given, 'events.k8s.io/v1')), 'p');
  });
});

describe('events of events.k8s.io', () => {
  const least = {
    eventTime: '2026-01-01T00:00:00.000000Z',
    reportingController: 'example.com/scheduler',
    reportingInstance: 'one',
    action: 'Binding',
    reason: 'Scheduled',
    type: 'Normal',
    regarding: { kind: 'Pod', name: 'p', namespace: 'default' },
  };

  it('say who did what when', () => assert.deepEqual(createProblems(events, least), []));

  it('use no words of the old version', () => {
    assert.deepEqual(createProblems(events, { ...least, deprecatedCount: 2 }), [
      'count: Invalid value: "": needs to be unset',
    ]);
  });

  it('have a series of at least two', () => {
    const series = { count: 1, lastObservedTime: '2026-01-01T00:00:01.000000Z' };
    assert.deepEqual(createProblems(events, { ...least, series }), [
      'series.count: Invalid value: "": should be at least 2',
    ]);
  });

  it('do not change what happened', () => {
    const stored = created(events, least);
    assert.deepEqual(updateProblems(events, stored, { ...stored, reason: 'Other' }), [
      'reason: Invalid value: "Other": field is immutable',
    ]);
  });
});
