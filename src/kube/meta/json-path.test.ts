import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseJsonPath, printJsonValue } from '#kube/meta/json-path.ts';

const object = {
  metadata: { name: 'o', labels: { 'app.kubernetes.io/name': 'shop', plain: 'x' } },
  spec: { replicas: 3, items: [{ name: 'a', n: 1 }, { name: 'b', n: 2 }, { name: 'c' }] },
  status: {
    conditions: [
      { type: 'Ready', status: 'True' },
      { type: 'Old]', status: 'False' },
    ],
  },
};

describe('parseJsonPath', () => {
  const cases: [path: string, found: unknown[]][] = [
    ['.spec.replicas', [3]],
    ['spec.replicas', [3]],
    ['$.spec.replicas', [3]],
    ['{.spec.replicas}', [3]],
    ['.spec.missing.deeper', []],
    ['.metadata.labels.app\\.kubernetes\\.io/name', ['shop']],
    [".metadata.labels['app\\.kubernetes\\.io/name']", ['shop']],
    ['.metadata.labels["plain"]', ['x']],
    [".metadata['name','labels'].plain", ['x']],
    ['.spec.items[0].name', ['a']],
    ['.spec.items[-1].name', ['c']],
    ['.spec.items[9].name', []],
    ['.spec.items[*].name', ['a', 'b', 'c']],
    ['.spec.items[0,2].name', ['a', 'c']],
    ['.spec.items[1:].name', ['b', 'c']],
    ['.spec.items[:2].name', ['a', 'b']],
    ['.spec.items[0:3:2].name', ['a', 'c']],
    ['.spec.items[-2:].name', ['b', 'c']],
    ['.spec.items.*.n', [1, 2]],
    ['..n', [1, 2]],
    ['.status.conditions[?(@.type=="Ready")].status', ['True']],
    [".status.conditions[?(@.type == 'Old]')].status", ['False']],
    ['.spec.items[?(@.n)].name', ['a', 'b']],
    ['.spec.items[?(@.n>1)].name', ['b']],
    ['.spec.items[?(@.n<=1)].name', ['a']],
    ['.spec.items[?(@.n!=1)].name', ['b']],
    ['.spec.items[?(@.n<$.spec.replicas)].name', ['a', 'b']],
    ['.metadata[0]', []],
  ];
  for (const [path, found] of cases) {
    it(`${path} finds ${JSON.stringify(found)}`, () => assert.deepEqual(parseJsonPath(path).find(object), found));
  }

  for (const wrong of ['.a[', '.a[x]', '.a]', '.a b', '{range .items[*]}{end}', '.a[0:1:0]']) {
    it(`refuses ${wrong}`, () => assert.throws(() => parseJsonPath(wrong), { reason: 'BadRequest' }));
  }

  it('remembers how it was written', () => assert.equal(parseJsonPath('.a').toString(), '.a'));
});

describe('printJsonValue', () => {
  it('writes strings bare and everything else as JSON', () => {
    assert.deepEqual(['x', 3, true, ['a'], null].map(printJsonValue), ['x', '3', 'true', '["a"]', '<nil>']);
  });
});
