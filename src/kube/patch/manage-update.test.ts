import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import type { ManagedFieldsEntry } from '#kube/meta/object.ts';
import { type AnyObject, keepTimes, manageUpdate, type Update, withManagedFields } from './manage-update.ts';
import { manageScale } from './manage-scale.ts';
import { builtin, configMapSchema, deploymentSchema, thingSchema } from './testing.ts';

const T0 = Date.UTC(2026, 0, 1);
const apiVersion = 'ex.io/v1';

function thing(spec: object, more: object = {}): AnyObject {
  return { apiVersion, kind: 'Thing', metadata: { name: 't', uid: 'u' }, spec, ...more };
}

type Step = readonly [manager: string, next: AnyObject, more?: Partial<Update>];

/** A series of updates to one object; each says who, and what the object becomes. */
function history(...steps: readonly Step[]): AnyObject {
  let live: AnyObject | undefined;
  for (const [index, [manager, next, more]] of steps.entries()) {
    live = after({ live, next, manager, now: T0 + index * 1000, ...more });
  }
  assert.ok(live);
  return live;
}

function after(update: Partial<Update> & Pick<Update, 'live' | 'next'>): AnyObject {
  const entries = manageUpdate({ schema: thingSchema, apiVersion, manager: 'm', now: T0, ...update });
  return withManagedFields(update.next, entries);
}

const entriesOf = (object: AnyObject) =>
  (object['metadata'] as { managedFields?: readonly ManagedFieldsEntry[] }).managedFields ?? [];
const owners = (object: AnyObject) =>
  Object.fromEntries(entriesOf(object).map(({ manager = '', fieldsV1 }) => [manager, JSON.stringify(fieldsV1)]));
const times = (object: AnyObject) => entriesOf(object).map(({ manager, time }) => `${manager} ${time?.slice(17, 19)}`);

describe('manageUpdate', () => {
  it('gives what is created to its creator, and none of what the server fills in', () => {
    const created = history(['a', thing({ text: 'x', map: { k: 'v' } })]);
    assert.deepEqual(owners(created), { a: '{"f:spec":{".":{},"f:map":{".":{},"f:k":{}},"f:text":{}}}' });
  });

  it('gives a changed field to who changed it, and leaves the rest', () => {
    const updated = history(['a', thing({ text: 'x', number: 1 })], ['b', thing({ text: 'y', number: 1 })]);
    assert.deepEqual(owners(updated), { a: '{"f:spec":{".":{},"f:number":{}}}', b: '{"f:spec":{"f:text":{}}}' });
  });

  it('forgets fields that are removed, and managers with nothing left', () => {
    const updated = history(['a', thing({})], ['b', thing({ text: 'x' })], ['a', thing({})]);
    assert.deepEqual(owners(updated), { a: '{"f:spec":{}}' });
  });

  it('moves the time of an entry only when it gains a field', () => {
    const [x, y] = [thing({ text: 'x', number: 1 }), thing({ text: 'y', number: 1 })];
    assert.deepEqual(times(history(['a', x], ['b', y], ['a', y], ['b', thing({ text: 'y' })])), ['a 00', 'b 01']);
  });

  it('gives every field to whoever changed it last, and each the time of its last gain, after any updates', () => {
    const map = fc.dictionary(fc.constantFrom('k', 'l', 'm'), fc.constantFrom('1', '2'), { noNullPrototype: true });
    const updates = fc.array(fc.tuple(fc.constantFrom('a', 'b'), map), { minLength: 1, maxLength: 8 });
    const property = fc.property(updates, (steps) => {
      const owned = new Map<string, { readonly by: string; readonly value: string }>();
      const gainedAt = new Map<string, string>();
      for (const [index, [by, next]] of steps.entries()) {
        for (const key of owned.keys()) if (!(key in next)) owned.delete(key);
        for (const [key, value] of Object.entries(next)) {
          if (owned.get(key)?.value === value) continue;
          owned.set(key, { by, value });
          gainedAt.set(by, `0${index}`);
        }
      }
      const updated = history(
        ['start', thing({ map: {} })],
        ...steps.map(([by, next]): Step => [by, thing({ map: next })]),
      );
      for (const { manager = '', fieldsV1, time } of entriesOf(updated)) {
        const fields = fieldsV1 as { 'f:spec'?: { 'f:map'?: Record<string, object> } };
        const keys = Object.keys(fields['f:spec']?.['f:map'] ?? {}).filter((key) => key !== '.');
        const expected = [...owned].filter(([, { by }]) => by === manager).map(([key]) => `f:${key}`);
        assert.deepEqual(keys, expected.sort());
        if (expected.length > 0) assert.equal(time?.slice(17, 19), `0${Number(gainedAt.get(manager)) + 1}`);
      }
    });
    fc.assert(property, { seed: 1, numRuns: 500 });
  });

  it('returns the very entries of an object that did not change', () => {
    const live = history(['a', thing({ text: 'x' })]);
    const next = withManagedFields(thing({ text: 'x' }), undefined);
    assert.equal(manageUpdate({ schema: thingSchema, apiVersion, manager: 'b', now: T0, live, next }), entriesOf(live));
  });

  it('knows subresources apart, and what each does not let through', () => {
    const updated = history(
      ['a', thing({ text: 'x' }, { status: { ready: 1 } })],
      ['a', thing({ text: 'y' }, { status: { ready: 2 } }), { subresource: 'status' }],
    );
    assert.deepEqual(
      entriesOf(updated).map(({ subresource, fieldsV1 }) => [subresource, JSON.stringify(fieldsV1)]),
      [
        [undefined, '{"f:spec":{".":{},"f:text":{}}}'],
        ['status', '{"f:status":{"f:ready":{}}}'],
      ],
    );
  });

  it('lets a kind name the fields it resets', () => {
    const created = history(['a', thing({ text: 'x' }, { status: { ready: 1 } }), { resetFields: [['spec', 'text']] }]);
    assert.deepEqual(owners(created), { a: '{"f:spec":{},"f:status":{".":{},"f:ready":{}}}' });
  });

  it('keeps apart what one manager did in two versions, and forgets a version that is gone', () => {
    const steps = [
      ['a', thing({ text: 'x', number: 1 })],
      ['a', thing({ text: 'y', number: 1 }), { apiVersion: 'ex.io/v2' }],
    ] as const;
    assert.deepEqual(
      entriesOf(history(...steps)).map((entry) => entry.apiVersion),
      ['ex.io/v1', 'ex.io/v2'],
    );
    const gone = { apiVersion: 'ex.io/v2', schemaOf: () => undefined };
    assert.deepEqual(owners(history(...steps, ['b', thing({ text: 'z', number: 1 }), gone])), {
      b: '{"f:spec":{"f:text":{}}}',
    });
  });

  it('credits the whole of what has become atomic to who owned a part', () => {
    const live = history(['a', thing({ part: { a: '1', b: '1' } })]);
    const atomic = structuredClone(thingSchema) as {
      properties: { spec: { properties: { part: { mapType?: string } } } };
    };
    atomic.properties.spec.properties.part.mapType = 'atomic';
    const updated = after({
      live,
      next: thing({ part: { a: '1', b: '1' }, text: 'x' }),
      schema: atomic as typeof thingSchema,
    });
    assert.equal(owners(updated)['a'], '{"f:spec":{".":{},"f:part":{}}}');
  });

  it('merges the oldest updates beyond ten into one', () => {
    const keys = Array.from({ length: 12 }, (_, index) => `k${index}`);
    const map = (count: number) => Object.fromEntries(keys.slice(0, count).map((key) => [key, 'v']));
    const updated = history(...keys.map((key, index) => [key, thing({ map: map(index + 1) })] as const));
    const entries = entriesOf(updated);
    assert.equal(entries.length, 10);
    assert.deepEqual([entries[0]?.manager, entries[0]?.time?.slice(17, 19)], ['ancient-changes', '02']);
    assert.equal(
      owners(updated)['ancient-changes'],
      '{"f:spec":{".":{},"f:map":{".":{},"f:k0":{},"f:k1":{},"f:k2":{}}}}',
    );
  });

  it('treats elements that share their name as one piece', () => {
    const live = history(['a', thing({ set: ['x', 'x', 'y'] })]);
    assert.equal(owners(live)['a'], '{"f:spec":{".":{},"f:set":{".":{},"v:\\"x\\"":{},"v:\\"y\\"":{}}}}');
    const updated = after({ live, next: thing({ set: ['x', 'x', 'x', 'y'] }), manager: 'b' });
    assert.equal(owners(updated)['b'], '{"f:spec":{"f:set":{"v:\\"x\\"":{}}}}');
  });

  it('says nobody manages an object whose elements have no names', () => {
    assert.deepEqual(owners(history(['a', thing({ ports: [null] })])), {});
  });

  it('takes a raw value for one piece', () => {
    const schema = builtin({ group: 'apps', version: 'v1', kind: 'ControllerRevision' });
    const next = { metadata: { name: 'c' }, revision: 1, data: { spec: { a: [{ b: 1 }] } } };
    const created = after({ live: undefined, next, schema, apiVersion: 'apps/v1' });
    assert.deepEqual(owners(created), { m: '{"f:data":{},"f:revision":{}}' });
  });

  it('does not take an always present struct for a field that someone added', () => {
    const next = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'd' },
      spec: { strategy: { type: 'Recreate' }, paused: false },
    };
    const created = after({ live: undefined, next, schema: deploymentSchema, apiVersion: 'apps/v1' });
    assert.deepEqual(owners(created), { m: '{"f:spec":{"f:strategy":{"f:type":{}}}}' });
  });
});

describe('managedFields that a client sends', () => {
  const live = history(['a', thing({ text: 'x', number: 1 })]);
  const send = (managedFields: unknown, more: Partial<Update> = {}) =>
    owners(
      after({
        live,
        manager: 'b',
        next: { ...thing({ text: 'y', number: 1 }), metadata: { uid: 'u', managedFields } },
        ...more,
      }),
    );
  const other = {
    manager: 'c',
    operation: 'Update',
    apiVersion,
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:spec': { 'f:number': {} } },
  };

  it('replace the stored ones', () => {
    assert.deepEqual(send([other]), { b: '{"f:spec":{"f:text":{}}}', c: '{"f:spec":{"f:number":{}}}' });
  });
  it('clear them, and end the tracking, when empty', () => {
    assert.deepEqual([send([]), send([{}])], [{}, {}]);
  });
  it('change nothing through a subresource', () => {
    assert.deepEqual(Object.keys(send([], { subresource: 'status' })), ['a']);
  });
  it('are ignored when not valid', () => {
    const kept = { a: '{"f:spec":{".":{},"f:number":{}}}', b: '{"f:spec":{"f:text":{}}}' };
    const invalid = [
      'x',
      [5],
      [{ ...other, operation: 'Guess' }],
      [{ ...other, apiVersion: '' }],
      [{ ...other, fieldsType: 'FieldsV2' }],
      [{ ...other, fieldsV1: { spec: {} } }],
    ];
    for (const entries of invalid) assert.deepEqual(send(entries), kept);
    assert.deepEqual(send(undefined), kept);
  });
  it('are not tracked again by an update after they were cleared', () => {
    const cleared = withManagedFields(live, undefined);
    assert.deepEqual(owners(after({ live: cleared, next: thing({ text: 'z' }) })), {});
  });
});

describe('keepTimes', () => {
  const live = history(['a', thing({ text: 'x' })]);
  const later = (object: AnyObject) =>
    withManagedFields(
      object,
      entriesOf(live).map((entry) => ({ ...entry, time: '2030-01-01T00:00:00Z' })),
    );

  it('takes back a time that is all that changed', () => {
    assert.equal(entriesOf(keepTimes(live, later(live))), entriesOf(live));
  });
  it('leaves it when something else did', () => {
    const next = later({ ...live, spec: { text: 'y' } });
    assert.equal(keepTimes(live, next), next);
    const more = withManagedFields(live, [...entriesOf(later(live)), ...entriesOf(live)]);
    assert.equal(keepTimes(live, more), more);
  });
});

describe('manageScale', () => {
  const live = history(['a', thing({ number: 1, text: 'x' })]);
  const scale = (to: number, from = live) =>
    manageScale({ live: from, from: 1, to, manager: '', apiVersion, replicasPath: ['spec', 'number'] });

  it('takes the number from its owner, without a time', () => {
    const expected = {
      manager: 'unknown',
      operation: 'Update',
      apiVersion,
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:spec': { 'f:number': {} } },
      subresource: 'scale',
    };
    assert.deepEqual(scale(2)[0], expected);
    assert.deepEqual(scale(2)[1]?.fieldsV1, { 'f:spec': { '.': {}, 'f:text': {} } });
  });
  it('changes nothing when the number stays, or had no owner', () => {
    assert.equal(scale(1), entriesOf(live));
    const unowned = history(['a', thing({ text: 'x' })]);
    assert.equal(scale(2, unowned), entriesOf(unowned));
  });
  it('gives zero to nobody', () =>
    assert.deepEqual(
      scale(0).map(({ manager }) => manager),
      ['a'],
    ));
});

describe('withManagedFields', () => {
  it('returns the object itself when it has these entries', () => {
    const object = { apiVersion: 'v1', metadata: { name: 'x' } };
    assert.equal(withManagedFields(object, []), object);
    assert.equal(
      manageUpdate({ schema: configMapSchema, apiVersion: 'v1', manager: 'm', now: T0, live: undefined, next: object })
        .length,
      0,
    );
  });
});
