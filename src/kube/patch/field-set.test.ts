import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { keyElement } from './field-element.ts';
import {
  difference,
  type FieldPath,
  type FieldSet,
  has,
  intersection,
  isEmpty,
  leaves,
  NOTHING,
  pathsOf,
  pathText,
  recursiveDifference,
  sameSet,
  setOf,
  union,
} from './field-set.ts';
import { parseFieldsV1 } from './fields-v1.ts';

const element = fc.oneof(
  fc.constantFrom('a', 'b', 'c').map((name) => `f:${name}`),
  fc.constantFrom(2, 10, 'x').map((key) => keyElement([['k', key]])),
  fc.constantFrom('v:"x"', 'v:2', 'v:10', 'v:true'),
);
const path: fc.Arbitrary<FieldPath> = fc.array(element, { minLength: 1, maxLength: 3 });
const set = fc.array(path, { maxLength: 8 }).map((paths) => setOf(...paths));

/** The model: a set of paths, each as text. */
const model = (fields: FieldSet) => new Set([...pathsOf(fields)].map((each) => each.join('\n')));
const holds = (run: (a: FieldSet, b: FieldSet, c: FieldSet) => void) =>
  fc.assert(fc.property(set, set, set, run), { seed: 1, numRuns: 500 });

/** A set that is as the functions promise: canonical, and with the members the model has. */
function assertIs(fields: FieldSet, expected: ReadonlySet<string>): void {
  assert.deepEqual([...model(fields)].sort(), [...expected].sort());
  assert.equal(parseFieldsV1(fields), fields, 'not canonical');
}

describe('field sets, against a model of plain sets', () => {
  it('union', () => holds((a, b) => assertIs(union(a, b), model(a).union(model(b)))));
  it('intersection', () => holds((a, b) => assertIs(intersection(a, b), model(a).intersection(model(b)))));
  it('difference', () => holds((a, b) => assertIs(difference(a, b), model(a).difference(model(b)))));

  it('recursive difference', () =>
    holds((a, b) => {
      const prefixes = [...model(b)];
      const kept = [...model(a)].filter((each) => !prefixes.some((prefix) => `${each}\n`.startsWith(`${prefix}\n`)));
      assertIs(recursiveDifference(a, b), new Set(kept));
    }));

  it('leaves', () =>
    holds((a) => {
      const all = [...model(a)];
      assertIs(leaves(a), new Set(all.filter((each) => !all.some((other) => other.startsWith(`${each}\n`)))));
    }));

  it('membership', () =>
    fc.assert(
      fc.property(set, path, (a, each) => assert.equal(has(a, each), model(a).has(each.join('\n')))),
      { seed: 1, numRuns: 500 },
    ));

  it('equality', () => holds((a, b) => assert.equal(sameSet(a, b), model(a).symmetricDifference(model(b)).size === 0)));
});

describe('the laws of field sets', () => {
  it('union and intersection are commutative and associative', () =>
    holds((a, b, c) => {
      assert.deepEqual(union(a, b), union(b, a));
      assert.deepEqual(union(union(a, b), c), union(a, union(b, c)));
      assert.deepEqual(intersection(a, b), intersection(b, a));
      assert.deepEqual(intersection(intersection(a, b), c), intersection(a, intersection(b, c)));
    }));

  it('what is taken and what is left make the whole, and have nothing in common', () =>
    holds((a, b) => {
      assert.deepEqual(union(difference(a, b), intersection(a, b)), a);
      assert.ok(isEmpty(intersection(difference(a, b), b)));
    }));

  it('both distribute over each other', () =>
    holds((a, b, c) => {
      assert.deepEqual(intersection(a, union(b, c)), union(intersection(a, b), intersection(a, c)));
      assert.deepEqual(union(a, intersection(b, c)), intersection(union(a, b), union(a, c)));
    }));

  it('an operation without effect returns its argument', () =>
    holds((a, b) => {
      assert.equal(union(a, a), a);
      const all = union(a, b);
      assert.equal(union(all, b), all);
      assert.equal(difference(a, NOTHING), a);
      assert.equal(difference(a, difference(b, a)), a);
    }));
});

describe('parseFieldsV1', () => {
  const cases: [because: string, sent: string, read: string][] = [
    [
      'sorts fields, keys, values and indices',
      '{"i:1":{},"v:2":{},"k:{\\"a\\":1}":{},"f:z":{},"f:a":{}}',
      '{"f:a":{},"f:z":{},"k:{\\"a\\":1}":{},"v:2":{},"i:1":{}}',
    ],
    ['sorts numbers by value', '{"v:10":{},"v:9":{}}', '{"v:9":{},"v:10":{}}'],
    ['sorts keys within an element', '{"k:{\\"b\\":1,\\"a\\":2}":{}}', '{"k:{\\"a\\":2,\\"b\\":1}":{}}'],
    ['puts the container itself first', '{"f:a":{"f:b":{},".":{}}}', '{"f:a":{".":{},"f:b":{}}}'],
    ['writes a member without branches empty', '{"f:a":{".":{}}}', '{"f:a":{}}'],
    ['has no owner of the whole object', '{".":{},"f:a":{}}', '{"f:a":{}}'],
    ['leaves out kinds of elements of later versions', '{"f:a":{},"z:b":{}}', '{"f:a":{}}'],
    ['takes null for an empty node', '{"f:a":null}', '{"f:a":{}}'],
    [
      'joins elements that differ only in spelling',
      '{"k:{\\"a\\": 1}":{"f:x":{}},"k:{\\"a\\":1}":{"f:y":{}}}',
      '{"k:{\\"a\\":1}":{"f:x":{},"f:y":{}}}',
    ],
  ];
  for (const [because, sent, read] of cases) {
    it(because, () => assert.equal(JSON.stringify(parseFieldsV1(JSON.parse(sent))), read));
  }

  for (const sent of [
    '5',
    '[]',
    '{"f:a":1}',
    '{"a":{}}',
    '{"x":{}}',
    '{"k:{":{}}',
    '{"k:5":{}}',
    '{"v:":{}}',
    '{"i:x":{}}',
  ]) {
    it(`refuses ${sent}`, () => assert.throws(() => parseFieldsV1(JSON.parse(sent)), SyntaxError));
  }

  it('takes a set that was never written for an empty one', () => assert.deepEqual(parseFieldsV1(undefined), {}));
});

describe('pathText', () => {
  it('prints paths as messages do', () => {
    const all = setOf(
      [
        'f:spec',
        'f:ports',
        keyElement([
          ['port', 80],
          ['protocol', 'TCP'],
        ]),
        'f:name',
      ],
      ['f:set', 'v:"x"'],
      ['i:0'],
    );
    assert.deepEqual([...pathsOf(all)].map(pathText), [
      '[0]',
      '.set[="x"]',
      '.spec.ports[port=80,protocol="TCP"].name',
    ]);
  });

  it('lists the members of a level before what is below them', () => {
    const all = setOf(['f:a', 'f:x'], ['f:a'], ['f:b']);
    assert.deepEqual([...pathsOf(all)].map(pathText), ['.a', '.b', '.a.x']);
  });
});
