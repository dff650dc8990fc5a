import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { isObject } from '#base/json.ts';
import { StatusError } from '#base/status-error.ts';
import { applyJsonPatch } from './json-patch.ts';

const REJECTED = 'the server rejected our request due to an error in our request';

function failure(document: unknown, operations: unknown): string {
  try {
    applyJsonPatch(document, operations);
  } catch (error) {
    assert.ok(error instanceof StatusError);
    return `${error.code} ${error.reason} ${error.message}`;
  }
  return 'no failure';
}

/** `op path [value]` in one line, for tables. */
const op = (text: string): unknown => {
  const [name, path, ...value] = text.split(' ');
  const given = value.join(' ');
  if (name === 'move' || name === 'copy') return { op: name, from: path, path: given };
  return { op: name, path, ...(given === '' ? {} : { value: JSON.parse(given) }) };
};

describe('applyJsonPatch', () => {
  const fits: [because: string, document: string, operations: string[], result: string][] = [
    ['adds a member', '{"a":1}', ['add /b 2'], '{"a":1,"b":2}'],
    ['adds over an existing member', '{"a":1}', ['add /a 2'], '{"a":2}'],
    ['inserts before an element', '[1,3]', ['add /1 2'], '[1,2,3]'],
    ['appends at the dash', '[1]', ['add /- 2'], '[1,2]'],
    ['appends at the length', '[1]', ['add /1 2'], '[1,2]'],
    ['counts negative indices from the end', '[1,2,3]', ['remove /-1'], '[1,2]'],
    ['replaces the whole document', '{"a":1}', ['replace  {"b":1}'], '{"b":1}'],
    ['removes a member', '{"a":1,"b":2}', ['remove /a'], '{"b":2}'],
    ['removes an element', '[1,2,3]', ['remove /1'], '[1,3]'],
    ['adds what replace does not find', '{}', ['replace /a 1'], '{"a":1}'],
    ['replaces an element', '[1,2]', ['replace /0 5'], '[5,2]'],
    ['moves between containers', '{"a":{"x":1},"b":[]}', ['move /a/x /b/0'], '{"a":{},"b":[1]}'],
    ['copies by value', '{"a":{"x":1}}', ['copy /a /b', 'add /b/x 2', 'add /a/y 3'], '{"a":{"x":1,"y":3},"b":{"x":2}}'],
    ['unescapes ~1 and then ~0', '{"a/b":1,"~1":2}', ['remove /a~1b', 'replace /~01 3'], '{"~1":3}'],
    ['finds the empty key', '{"":{"":1}}', ['replace // 2'], '{"":{"":2}}'],
    [
      'tests regardless of member order',
      '{"a":{"x":1,"y":[null]}}',
      ['test /a {"y":[null],"x":1}'],
      '{"a":{"x":1,"y":[null]}}',
    ],
    ['takes a missing member for null in a test', '{}', ['test /a null'], '{}'],
    ['stores null', '{}', ['add /a null'], '{"a":null}'],
    ['takes null for no operations', '{"a":1}', [], '{"a":1}'],
    ['changes a value that it brought itself', '{}', ['add /a {"b":[]}', 'add /a/b/- 1'], '{"a":{"b":[1]}}'],
  ];
  for (const [because, document, operations, result] of fits) {
    it(because, () => assert.deepEqual(applyJsonPatch(JSON.parse(document), operations.map(op)), JSON.parse(result)));
  }

  const misfits: [because: string, document: string, operation: string][] = [
    ['a failed test', '{"a":1}', 'test /a 2'],
    ['a test of a missing member against a value', '{}', 'test /a 2'],
    ['removal of a missing member', '{}', 'remove /a'],
    ['removal past the end', '[1]', 'remove /1'],
    ['removal of the document', '{}', 'remove '],
    ['an index with a leading zero', '[1]', 'remove /00'],
    ['an index that is no number', '[1]', 'add /1e0 2'],
    ['insertion past the end', '[1]', 'add /3 2'],
    ['a path through a scalar', '{"a":1}', 'add /a/b 2'],
    ['a path through nothing', '{}', 'add /a/b 2'],
    ['a path without a slash', '{}', 'add a 2'],
    ['a move into itself', '{"a":{}}', 'move /a /a/b'],
    ['a move from nowhere', '{}', 'move /a /b'],
    ['an unknown operation', '{}', 'spoil /a'],
    ['a scalar as document', '{}', 'replace  1'],
  ];
  for (const [because, document, operation] of misfits) {
    it(`rejects ${because} without saying why`, () => {
      assert.equal(failure(JSON.parse(document), [op(operation)]), `422 Invalid ${REJECTED}`);
    });
  }

  const malformed: [operations: unknown, message: string][] = [
    [{}, 'object into Go value of type []handlers.jsonPatchOp'],
    ['x', 'string into Go value of type []handlers.jsonPatchOp'],
    [true, 'bool into Go value of type []handlers.jsonPatchOp'],
    [[1], 'number into Go value of type handlers.jsonPatchOp'],
    [[[]], 'array into Go value of type handlers.jsonPatchOp'],
    [[{ path: 1, op: 2 }], 'number into Go struct field jsonPatchOp.path of type string'],
    [[{ op: 'move', from: {} }], 'object into Go struct field jsonPatchOp.from of type string'],
  ];
  for (const [operations, message] of malformed) {
    it(`calls ${JSON.stringify(operations)} malformed`, () => {
      const expected = `400 BadRequest error decoding patch: json: cannot unmarshal ${message}`;
      assert.equal(failure({}, operations), expected);
    });
  }

  it('refuses more than 10,000 operations', () => {
    const operations = Array.from({ length: 10_001 }, () => op('test /a null'));
    assert.match(failure({}, operations), /^413 RequestEntityTooLarge Request entity too large: The allowed maximum/);
  });

  it('stops copies from growing beyond a request body', () => {
    const operations = Array.from({ length: 40 }, () => op('copy /a /a/0'));
    assert.equal(failure({ a: ['x'] }, operations), `422 Invalid ${REJECTED}`);
  });

  it('treats __proto__ as any other member', () => {
    const result = applyJsonPatch({}, [op('add /__proto__ {"polluted":true}'), op('add /__proto__/more 1')]);
    assert.equal(JSON.stringify(result), '{"__proto__":{"polluted":true,"more":1}}');
    assert.equal('polluted' in {}, false);
    assert.equal(failure({}, [op('add /__proto__/polluted true')]), `422 Invalid ${REJECTED}`);
    assert.equal(failure({}, [op('remove /constructor')]), `422 Invalid ${REJECTED}`);
  });
});

describe('applyJsonPatch, for any document', () => {
  const json = fc.jsonValue({ maxDepth: 3 });
  const key = fc.constantFrom('a', 'b', '0', '1', '-', '__proto__', 'x/y', '~');
  const document = fc.letrec((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small', maxDepth: 3 },
      fc.constantFrom(null, 1, 'x', true),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(key, tie('tree'), { maxKeys: 3 }),
    ),
  })).tree;
  const pointer = fc.array(key, { maxLength: 3 }).map((keys) => keys.map((k) => `/${escape(k)}`).join(''));
  const operation = fc.record({
    op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test'),
    path: pointer,
    from: pointer,
    value: json,
  });

  it('agrees with a model that rebuilds the document at each step, and changes neither argument', () => {
    fc.assert(
      fc.property(document, fc.array(operation, { maxLength: 6 }), (tree, operations) => {
        const before = JSON.stringify([tree, operations]);
        assert.equal(
          attempt(() => applyJsonPatch(tree, operations)),
          attempt(() => operations.reduce(model, tree)),
        );
        assert.equal(JSON.stringify([tree, operations]), before);
      }),
      { seed: 1, numRuns: 2_000 },
    );
  });
});

const escape = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1');

function attempt(run: () => unknown): string {
  try {
    return JSON.stringify(run());
  } catch (error) {
    if (error instanceof StatusError || error === MISFIT) return 'misfit';
    throw error;
  }
}

/** The naive model: every container is a list of entries, rebuilt on each change. */
const MISFIT = Symbol('misfit');
type Step = { op: string; path: string; from: string; value: unknown };

function model(tree: unknown, { op: name, path, from, value }: Step): unknown {
  const keys = (pointer: string) =>
    pointer === ''
      ? []
      : pointer
          .slice(1)
          .split('/')
          .map((k) => k.replaceAll('~1', '/').replaceAll('~0', '~'));
  const at = find(tree, keys(name === 'move' || name === 'copy' ? from : path), name === 'add');
  switch (name) {
    case 'test':
      if (canonical(at ?? null) !== canonical(value)) throw MISFIT;
      return tree;
    case 'move':
      return edit(edit(tree, keys(from), 'remove', null), keys(path), 'add', at);
    case 'copy':
      return edit(tree, keys(path), 'add', at ?? null);
    default:
      return edit(tree, keys(path), name, value);
  }
}

function find(tree: unknown, [key, ...rest]: string[], adding: boolean): unknown {
  if (key === undefined || (adding && rest.length === 0)) return tree;
  return find(get(tree, key), rest, adding);
}

function get(tree: unknown, key: string): unknown {
  if (Array.isArray(tree)) return tree[position(key, tree.length)];
  if (!isObject(tree)) throw MISFIT;
  return Object.entries(tree).find(([name]) => name === key)?.[1];
}

function position(key: string, length: number): number {
  if (!/^\d$/.test(key) || Number(key) >= length) throw MISFIT;
  return Number(key);
}

function edit(tree: unknown, [key, ...rest]: string[], name: string, value: unknown): unknown {
  if (key === undefined) {
    if (name === 'remove' || typeof value !== 'object' || value === null) throw MISFIT;
    return value;
  }
  if (rest.length > 0) return put(tree, key, edit(get(tree, key), rest, name, value));
  if (Array.isArray(tree) && name === 'add') {
    const index = key === '-' ? tree.length : position(key, tree.length + 1);
    return [...tree.slice(0, index), value, ...tree.slice(index)];
  }
  if (name !== 'remove') return put(tree, key, value);
  if (Array.isArray(tree)) return tree.filter((_, index) => index !== position(key, tree.length));
  if (!isObject(tree) || !Object.hasOwn(tree, key)) throw MISFIT;
  return Object.fromEntries(Object.entries(tree).filter(([existing]) => existing !== key));
}

function put(tree: unknown, key: string, value: unknown): unknown {
  if (Array.isArray(tree)) return tree.with(position(key, tree.length), value);
  if (!isObject(tree)) throw MISFIT;
  return Object.fromEntries(new Map(Object.entries(tree)).set(key, value));
}

function canonical(value: unknown): string {
  const sorted = (_: string, part: unknown) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part;
  return JSON.stringify(value, sorted);
}
