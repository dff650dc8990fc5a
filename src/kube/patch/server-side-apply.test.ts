import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { isObject } from '#base/json.ts';
import type { ManagedFieldsEntry } from '#kube/meta/object.ts';
import { difference, type FieldSet, has, intersection, pathsOf, pathText } from './field-set.ts';
import { manageUpdate, serverSideApply, withManagedFields } from './index.ts';
import { LAST_APPLIED } from './last-applied.ts';
import type { AnyObject } from './manage-update.ts';
import { mergeTypeOf } from './merge-type.ts';
import type { Apply } from './server-side-apply.ts';
import { thingSchema } from './testing.ts';
import { toFieldSet } from './typed-field-set.ts';

const T0 = Date.UTC(2026, 0, 1);
const apiVersion = 'ex.io/v1';
const kind = 'Thing';

function thing(spec: object, metadata: object = {}): AnyObject {
  return { apiVersion, kind, metadata: { name: 't', ...metadata }, spec };
}

function apply(live: AnyObject | undefined, manager: string, spec: object, more: Partial<Apply> = {}): AnyObject {
  const config = thing(spec);
  const request = { schema: thingSchema, apiVersion, kind, manager, now: T0, force: false, live, config, ...more };
  return serverSideApply(request).object;
}

function update(live: AnyObject | undefined, manager: string, next: AnyObject): AnyObject {
  return withManagedFields(next, manageUpdate({ schema: thingSchema, apiVersion, manager, now: T0, live, next }));
}

const specOf = (object: AnyObject) => object['spec'];
const entriesOf = (object: AnyObject) =>
  (object['metadata'] as { managedFields?: readonly ManagedFieldsEntry[] }).managedFields ?? [];
const fieldsOf = (object: AnyObject, manager: string) =>
  (entriesOf(object).find((entry) => entry.manager === manager)?.fieldsV1 ?? {}) as FieldSet;
const owners = (object: AnyObject) =>
  Object.fromEntries(entriesOf(object).map(({ manager = '', fieldsV1 }) => [manager, JSON.stringify(fieldsV1)]));

describe('serverSideApply merges', () => {
  const merges: [because: string, live: object, config: object, result: object][] = [
    ['fields of structs', { part: { a: '1' } }, { part: { b: '2' } }, { part: { a: '1', b: '2' } }],
    ['members of maps', { map: { a: '1' } }, { map: { b: '2' } }, { map: { a: '1', b: '2' } }],
    ['not what is atomic', { whole: { a: '1' } }, { whole: { b: '2' } }, { whole: { b: '2' } }],
    ['not lists without a type', { list: ['a'] }, { list: ['b'] }, { list: ['b'] }],
    ['sets', { set: ['a', 'b'] }, { set: ['c', 'b'] }, { set: ['a', 'c', 'b'] }],
    [
      'free values deeply, their lists as a whole',
      { free: { a: { b: 1 }, l: [1] } },
      { free: { a: { c: 2 }, l: [2] } },
      { free: { a: { b: 1, c: 2 }, l: [2] } },
    ],
    [
      'the metadata of an embedded object by its type',
      { inner: { metadata: { finalizers: ['a'] } } },
      { inner: { metadata: { finalizers: ['b'] } } },
      { inner: { metadata: { finalizers: ['a', 'b'] } } },
    ],
    ['numbers over strings where either may be', { either: '5%' }, { either: 5 }, { either: 5 }],
    [
      'elements by key, the missing key being its default',
      { ports: [{ port: 1, protocol: 'TCP', name: 'x' }] },
      { ports: [{ port: 1 }] },
      { ports: [{ port: 1, protocol: 'TCP', name: 'x' }] },
    ],
    [
      'elements in the order of the configuration',
      { ports: [{ port: 1 }, { port: 2 }, { port: 3 }] },
      { ports: [{ port: 3 }, { port: 9 }, { port: 1 }] },
      { ports: [{ port: 2 }, { port: 3 }, { port: 9 }, { port: 1 }] },
    ],
    [
      'nothing where the configuration is empty',
      { map: { a: '1' }, set: ['a'] },
      { map: {}, set: [] },
      { map: { a: '1' }, set: ['a'] },
    ],
  ];
  for (const [because, live, config, result] of merges) {
    it(because, () =>
      assert.deepEqual(specOf(apply(update(undefined, 'u', thing(live)), 'a', config, { force: true })), result),
    );
  }

  it('changes neither the live object nor the configuration', () => {
    const live = update(undefined, 'u', thing({ map: { a: '1' }, ports: [{ port: 1 }] }));
    const before = JSON.stringify(live);
    apply(live, 'a', { map: { b: '2' }, ports: [{ port: 2 }] });
    assert.equal(JSON.stringify(live), before);
  });
});

describe('serverSideApply settles ownership', () => {
  it('credits what was there to the time before the first apply', () => {
    const live = thing({ text: 'x', number: 1 }, { uid: 'u' });
    assert.deepEqual(owners(apply(live, 'a', { text: 'x' })), {
      a: '{"f:spec":{"f:text":{}}}',
      'before-first-apply': '{"f:spec":{".":{},"f:number":{},"f:text":{}}}',
    });
    const message = 'Apply failed with 1 conflict: conflict with "before-first-apply" using ex.io/v1: .spec.number';
    assert.throws(() => apply(live, 'a', { number: 2 }), { reason: 'Conflict', message });
  });

  it('names every owner and field of a conflict', () => {
    const first = apply(undefined, 'b', { text: 'x', ports: [{ port: 1, name: 'n' }] });
    const live = update(first, 'a', thing({ ...(specOf(first) as object), number: 1 }, { uid: 'u' }));
    const message = [
      'Apply failed with 3 conflicts: conflicts with "a" using ex.io/v1:',
      '- .spec.number',
      'conflicts with "b":',
      '- .spec.text',
      '- .spec.ports[port=1,protocol="TCP"].name',
    ].join('\n');
    assert.throws(() => apply(live, 'c', { number: 2, text: 'y', ports: [{ port: 1, name: 'm' }] }), { message });
  });

  it('removes a struct with the last of its fields that had an owner', () => {
    const live = apply(undefined, 'a', { part: { a: '1' }, text: 'x' });
    const defaulted = { ...live, spec: { ...(specOf(live) as object), part: { a: '1', b: 'default' } } };
    assert.deepEqual(specOf(apply(defaulted, 'a', { text: 'x' })), { text: 'x' });
  });

  it('keeps apart what is applied through a subresource', () => {
    const live = apply(undefined, 'a', { text: 'x' });
    const config = { ...thing({ text: 'y' }), status: { ready: 1 } };
    const applied = apply(live, 'a', {}, { config, subresource: 'status' });
    assert.deepEqual(
      entriesOf(applied).map(({ subresource, fieldsV1 }) => [subresource, JSON.stringify(fieldsV1)]),
      [
        [undefined, '{"f:spec":{"f:text":{}}}'],
        ['status', '{"f:status":{"f:ready":{}}}'],
      ],
    );
  });

  it('moves an applier to the version it last applied in', () => {
    const live = apply(undefined, 'a', { text: 'x' });
    const config = { ...thing({ number: 1 }), apiVersion: 'ex.io/v2' };
    const applied = apply(live, 'a', {}, { config, apiVersion: 'ex.io/v2' });
    assert.deepEqual(
      entriesOf(applied).map((entry) => entry.apiVersion),
      ['ex.io/v2'],
    );
    assert.deepEqual(specOf(applied), { number: 1 });
  });

  it('refuses to merge into a list whose elements have no names', () => {
    const live = { ...apply(undefined, 'a', { text: 'x' }), spec: { ports: [null] } };
    const message = 'failed to merge config: associative list with keys may not have a null element';
    assert.throws(() => apply(live, 'a', { ports: [{ port: 1 }] }), { code: 500, message });
  });

  it('refuses to go on with managers it cannot read', () => {
    const live = thing({}, { uid: 'u', managedFields: [{ operation: 'Guess' }] });
    assert.throws(() => apply(live, 'a', {}), { code: 500, message: 'failed to decode managed fields' });
  });
});

describe('serverSideApply refuses a configuration', () => {
  const at = 'failed to create typed patch object (/t; ex.io/v1, Kind=Thing): ';
  const cases: [because: string, spec: object, message: string][] = [
    ['of the wrong type', { text: 5 }, '.spec.text: expected string, got &value.valueUnstructured{Value:5}'],
    ['with a text for a number', { number: 'x' }, '.spec.number: expected numeric (int or float), got string'],
    ['with a list for a map', { map: ['x'] }, '.spec.map: expected map, got &{[x]}'],
    ['with an element twice', { set: ['a', 'a'] }, '.spec.set: duplicate entries for key [="a"]'],
    [
      'with a key twice, once by default',
      { ports: [{ port: 1 }, { port: 1, protocol: 'TCP' }] },
      '.spec.ports: duplicate entries for key [port=1,protocol="TCP"]',
    ],
    [
      'with an element that is null',
      { ports: [null] },
      '.spec.ports: element 0: associative list with keys may not have a null element',
    ],
    [
      'with an unknown field',
      { ports: [{ port: 1, zz: 1 }] },
      '.spec.ports[port=1,protocol="TCP"].zz: field not declared in schema',
    ],
    [
      'with several mistakes',
      { text: 5, number: 'x' },
      'errors:\n  .spec.text: expected string, got &value.valueUnstructured{Value:5}\n  .spec.number: expected numeric (int or float), got string',
    ],
  ];
  for (const [because, spec, message] of cases) {
    it(because, () => assert.throws(() => apply(undefined, 'a', spec), { code: 500, message: at + message }));
  }
});

describe('kubectl, from client-side to server-side apply', () => {
  const config = thing({ text: 'x', number: 1 });
  const annotated = (spec: object) =>
    update(
      undefined,
      'kubectl-client-side-apply',
      thing(spec, { annotations: { [LAST_APPLIED]: JSON.stringify(config) } }),
    );

  it('takes over what is still as it applied it', () => {
    const applied = apply(annotated({ text: 'x', number: 1 }), 'kubectl', { text: 'y', number: 1 });
    assert.deepEqual(specOf(applied), { text: 'y', number: 1 });
    assert.equal(owners(applied)['kubectl'], '{"f:spec":{"f:number":{},"f:text":{}}}');
  });

  it('conflicts where someone changed it since', () => {
    const message =
      'Apply failed with 1 conflict: conflict with "kubectl-client-side-apply" using ex.io/v1: .spec.number';
    assert.throws(() => apply(annotated({ text: 'x', number: 2 }), 'kubectl', { text: 'y', number: 3 }), { message });
  });

  it('conflicts with everything without the annotation, or one it cannot use', () => {
    for (const annotation of [undefined, '{', '{"apiVersion":"other"}', '{"apiVersion":"ex.io/v1","zz":1}']) {
      const annotations = annotation === undefined ? {} : { [LAST_APPLIED]: annotation };
      const live = update(undefined, 'other', thing({ text: 'x' }, { annotations }));
      assert.throws(() => apply(live, 'kubectl', { text: 'y' }), { reason: 'Conflict' });
    }
  });

  it('has no such right under another name', () => {
    assert.throws(() => apply(annotated({ text: 'x' }), 'helm', { text: 'y' }), { reason: 'Conflict' });
  });

  it('keeps the annotation up to date', () => {
    const applied = apply(annotated({ text: 'x', number: 1 }), 'kubectl', { text: '<y>' });
    const { annotations } = applied['metadata'] as { annotations: Record<string, string> };
    const expected =
      '{"apiVersion":"ex.io/v1","kind":"Thing","metadata":{"name":"t"},"spec":{"text":"\\u003cy\\u003e"}}\n';
    assert.equal(annotations[LAST_APPLIED], expected);
  });

  it('drops an annotation that grew too large', () => {
    const applied = apply(annotated({ text: 'x' }), 'kubectl', { text: 'y'.repeat(300_000) });
    assert.deepEqual((applied['metadata'] as { annotations: object }).annotations, {});
  });
});

describe('serverSideApply, for any configuration', () => {
  const value = fc.constantFrom('1', '2');
  const record = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) => fc.record(model, { requiredKeys: [] });
  const keys = ['a', 'b', 'c', 'd'];

  /** A spec that speaks only of the given keys, ports and scalar fields. */
  function specs(names: readonly string[], ports: readonly number[], scalar: 'text' | 'either'): fc.Arbitrary<object> {
    const name = fc.constantFrom(...names);
    const map = fc.dictionary(name, value, { maxKeys: 3, noNullPrototype: true, minKeys: 1 });
    const port = fc.record({ port: fc.constantFrom(...ports), name: value }, { requiredKeys: ['port'] });
    return record({
      [scalar]: value,
      map,
      set: fc.uniqueArray(name, { minLength: 1 }),
      ports: fc.uniqueArray(port, { selector: (each) => each.port, minLength: 1 }),
      free: fc.dictionary(name, fc.oneof(value, map), { maxKeys: 2, noNullPrototype: true, minKeys: 1 }),
    });
  }
  const spec = specs(keys, [1, 2, 3], 'text');
  const type = mergeTypeOf(thingSchema);
  const settings = { seed: 1, numRuns: 300 };

  it('is a no-op the second time', () => {
    fc.assert(
      fc.property(spec, spec, (base, config) => {
        const live = apply(update(undefined, 'u', thing(base)), 'a', config, { force: true });
        assert.equal(apply(live, 'a', config, { now: T0 + 5000 }), live);
      }),
      settings,
    );
  });

  it('never conflicts with someone who speaks of other fields, in any order', () => {
    const mine = specs(['a', 'b'], [1, 2], 'text');
    const theirs = specs(['c', 'd'], [3, 4], 'either');
    fc.assert(
      fc.property(mine, theirs, mine, (first, second, third) => {
        const live = apply(apply(apply(undefined, 'a', first), 'b', second), 'a', third);
        const other = apply(apply(apply(undefined, 'b', second), 'a', first), 'a', third);
        assert.deepEqual(owners(live), owners(other));
      }),
      settings,
    );
  });

  it('by force leaves exactly one owner of every field it changed', () => {
    fc.assert(
      fc.property(spec, spec, spec, (first, second, third) => {
        const live = apply(apply(undefined, 'a', first), 'b', second, { force: true });
        const forced = apply(live, 'c', third, { force: true });
        for (const path of pathsOf(toFieldSet(type, thing(third)))) {
          if (!isScalarChange(live, forced, path)) continue;
          const having = entriesOf(forced).filter(({ fieldsV1 }) => has(fieldsV1 as FieldSet, path));
          assert.deepEqual(
            having.map(({ manager }) => manager),
            ['c'],
            pathText(path),
          );
        }
      }),
      settings,
    );
  });

  it('gives its sender exactly what the configuration says', () => {
    fc.assert(
      fc.property(spec, spec, (first, second) => {
        const live = apply(apply(undefined, 'a', first), 'b', second, { force: true });
        const wanted = toFieldSet(type, { spec: second });
        assert.deepEqual(fieldsOf(live, 'b'), wanted);
        assert.deepEqual(intersection(toFieldSet(type, live), wanted), wanted, 'a field that was applied is missing');
      }),
      settings,
    );
  });

  it('removes what it no longer says, unless someone else owns it', () => {
    fc.assert(
      fc.property(spec, spec, spec, (first, shared, second) => {
        const both = apply(apply(undefined, 'a', first), 'b', shared, { force: true });
        const live = apply(both, 'a', second, { force: true });
        const present = toFieldSet(type, { spec: specOf(live) });
        const dropped = difference(fieldsOf(both, 'a'), fieldsOf(live, 'a'));
        for (const path of pathsOf(dropped)) {
          assert.equal(has(present, path), has(fieldsOf(live, 'b'), path), pathText(path));
        }
      }),
      settings,
    );
  });

  /** Whether the path leads to a scalar that differs between the two. */
  function isScalarChange(before: AnyObject, after: AnyObject, path: readonly string[]): boolean {
    const [old, now] = [valueAt(before, path), valueAt(after, path)];
    return typeof now === 'string' && old !== undefined && old !== now;
  }

  function valueAt(object: unknown, path: readonly string[]): unknown {
    let found: unknown = object;
    for (const element of path) {
      const rest = element.slice(2);
      if (element.startsWith('f:')) found = isObject(found) ? found[rest] : undefined;
      else if (!Array.isArray(found)) return undefined;
      else if (element.startsWith('v:')) found = found.find((item) => JSON.stringify(item) === rest);
      else found = found.find((item: { port: number }) => item.port === (JSON.parse(rest) as { port: number }).port);
    }
    return found;
  }
});
