import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { type AnyObject, manageUpdate } from './manage-update.ts';
import { builtin, configMapSchema } from './testing.ts';

const T0 = Date.UTC(2026, 0, 1);
const podSchema = builtin({ group: '', version: 'v1', kind: 'Pod' });

/** Nothing is known of what passes a door that was never there before. */
const newDoor = () => [['status']];
const usualDoor = newDoor();

function created(next: AnyObject, manager: string, at: number, resetFields: readonly (readonly string[])[]) {
  const schema = next['kind'] === 'Pod' ? podSchema : configMapSchema;
  return manageUpdate({ schema, apiVersion: 'v1', manager, now: T0 + at * 1000, resetFields, live: undefined, next });
}

const text = fc.constantFrom('', 'a', 'b');
const names = fc.constantFrom('x', 'y', 'constructor');
const members = fc.dictionary(names, text, { maxKeys: 2, noNullPrototype: true });
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const metadata = fc.record({ name: text, labels: optional(members), finalizers: optional(fc.array(text)) });
const configMap = fc
  .record({ metadata, data: fc.option(members), immutable: optional(fc.boolean()) })
  .map((fields) => ({ kind: 'ConfigMap', ...fields }));
const container = fc.record({ name: text, image: optional(text), env: optional(fc.array(fc.record({ name: text }))) });
const spec = fc.record({ priority: optional(fc.integer({ min: 0, max: 1 })), containers: fc.array(container) });
const pod = fc.record({ metadata, spec }).map((fields) => ({ kind: 'Pod', ...fields }));

describe('objects made one after the other', () => {
  it('are managed as if each were the first, whatever they have in common', () => {
    const create = fc.record({
      next: fc.oneof(configMap, pod),
      manager: fc.constantFrom('a', 'b'),
      // Often enough in a row that the later ones are known by their shape.
      times: fc.integer({ min: 1, max: 3 }),
    });
    const property = fc.property(fc.array(create, { maxLength: 12 }), (creates) => {
      const all = creates.flatMap(({ times, ...one }) => Array.from({ length: times }, () => one));
      const inARow = all.map(({ next, manager }, at) => created(next, manager, at, usualDoor));
      const alone = all.map(({ next, manager }, at) => created(next, manager, at, newDoor()));
      assert.deepEqual(inARow, alone);
    });
    fc.assert(property, { seed: 1, numRuns: 300 });
  });

  it('share their entries when they differ in values alone', () => {
    const make = (value: string) => ({ kind: 'ConfigMap', metadata: { name: value }, data: { key: value } });
    const [, , third, fourth] = ['a', 'b', 'c', 'd'].map((value) => created(make(value), 'm', 0, usualDoor));
    assert.equal(third, fourth);
  });

  it('are told apart by the second in which they were made', () => {
    const make = (value: string) => ({ kind: 'ConfigMap', metadata: { name: value }, data: { key: value } });
    const times = ['a', 'b', 'c', 'd'].map((value, at) => created(make(value), 'm', at, usualDoor)[0]?.time);
    assert.equal(new Set(times).size, 4);
  });
});
