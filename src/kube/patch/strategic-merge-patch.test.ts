import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StatusError } from '#base/status-error.ts';
import { strategicMergePatch } from './strategic-merge-patch.ts';
import { deploymentSchema } from './testing.ts';

/** What a pod template's spec becomes. */
function patched(spec: unknown, patch: unknown): unknown {
  const original = { spec: { template: { spec } } };
  const before = JSON.stringify([original, patch]);
  const result = strategicMergePatch(deploymentSchema, original, { spec: { template: { spec: patch } } });
  assert.equal(JSON.stringify([original, patch]), before, 'an argument was changed');
  return (result as typeof original).spec.template.spec;
}

function failure(spec: unknown, patch: unknown): string {
  try {
    patched(spec, patch);
  } catch (error) {
    assert.ok(error instanceof StatusError);
    return `${error.code} ${error.message}`;
  }
  return 'no failure';
}

const named = (...names: string[]) => names.map((name) => ({ name }));

describe('strategicMergePatch of objects', () => {
  it('merges members and removes those set to null', () => {
    assert.deepEqual(patched({ dnsPolicy: 'a', schedulerName: 'b' }, { dnsPolicy: null, restartPolicy: 'c' }), {
      schedulerName: 'b',
      restartPolicy: 'c',
    });
  });

  it('leaves nulls out of what it adds', () => {
    assert.deepEqual(patched({}, { securityContext: { runAsUser: null, x: [{ y: null }] } }), {
      securityContext: { x: [{}] },
    });
  });

  it('replaces an object on $patch: replace', () => {
    assert.deepEqual(patched({ dnsPolicy: 'a' }, { $patch: 'replace', containers: named('b') }), {
      containers: named('b'),
    });
  });

  it('empties an object on $patch: delete', () => {
    assert.deepEqual(patched({ securityContext: { runAsUser: 1 } }, { securityContext: { $patch: 'delete' } }), {
      securityContext: {},
    });
  });

  it('drops a value with a directive that finds nothing to act on', () => {
    assert.deepEqual(patched({}, { securityContext: { $patch: 'replace', runAsUser: 1 } }), {});
  });

  it('keeps only what $retainKeys names', () => {
    const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } };
    const patch = { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } };
    assert.deepEqual(strategicMergePatch(deploymentSchema, { spec: { strategy } }, patch), {
      spec: { strategy: { type: 'Recreate' } },
    });
  });

  it('treats __proto__ as any other member', () => {
    const patch: unknown = JSON.parse('{"metadata":{"labels":{"__proto__":"x"}}}');
    assert.equal(
      JSON.stringify(strategicMergePatch(deploymentSchema, { metadata: { labels: { a: 'b' } } }, patch)),
      '{"metadata":{"labels":{"a":"b","__proto__":"x"}}}',
    );
  });
});

describe('strategicMergePatch of keyed lists', () => {
  it('merges elements with the same key and puts new ones first, as the patch alone orders them', () => {
    const containers = [
      { name: 'a', image: 'x' },
      { name: 'b', image: 'y' },
    ];
    assert.deepEqual(patched({ containers }, { containers: [{ name: 'new' }, { name: 'b', image: 'z' }] }), {
      containers: [{ name: 'new' }, { name: 'a', image: 'x' }, { name: 'b', image: 'z' }],
    });
  });

  it('deletes an element', () => {
    assert.deepEqual(patched({ containers: named('a', 'b') }, { containers: [{ name: 'a', $patch: 'delete' }] }), {
      containers: named('b'),
    });
  });

  it('replaces the whole list when an element says so', () => {
    assert.deepEqual(patched({ containers: named('a', 'b') }, { containers: [{ $patch: 'replace' }, { name: 'c' }] }), {
      containers: named('c'),
    });
  });

  it('adds a list without its directives', () => {
    assert.deepEqual(
      patched(
        {},
        {
          containers: [
            { name: 'a', $patch: 'delete' },
            { name: 'b', x: null },
          ],
        },
      ),
      {
        containers: named('b'),
      },
    );
  });

  it('replaces a list without the merge strategy', () => {
    assert.deepEqual(patched({ tolerations: [{ key: 'a' }] }, { tolerations: [{ key: 'b' }] }), {
      tolerations: [{ key: 'b' }],
    });
  });

  it('merges lists inside of elements', () => {
    const spec = { containers: [{ name: 'a', env: [{ name: 'X', value: '1' }], args: ['1'] }] };
    const patch = { containers: [{ name: 'a', env: [{ name: 'Y', value: '2' }], args: ['2'] }] };
    assert.deepEqual(patched(spec, patch), {
      containers: [
        {
          name: 'a',
          env: [
            { name: 'Y', value: '2' },
            { name: 'X', value: '1' },
          ],
          args: ['2'],
        },
      ],
    });
  });

  const orders: [because: string, live: string, patch: string, order: string, result: string][] = [
    ['reorders without other changes', 'abc', '', 'cab', 'cab'],
    ['puts a new element where the order says', 'ab', 'n', 'anb', 'anb'],
    ['keeps what only the server has between its neighbours', 'asb', '', 'ab', 'asb'],
    ['keeps it before the first that followed it', 'sab', '', 'ba', 'sba'],
    ['keeps it at the end when nothing followed', 'abs', '', 'ba', 'bas'],
  ];
  for (const [because, live, patch, order, result] of orders) {
    it(`$setElementOrder ${because}`, () => {
      const changes = patch === '' ? {} : { containers: named(...patch.split('')) };
      const given = { ...changes, '$setElementOrder/containers': named(...order.split('')) };
      assert.deepEqual(patched({ containers: named(...live.split('')) }, given), {
        containers: named(...result.split('')),
      });
    });
  }

  it('$setElementOrder of a list that nobody has adds nothing', () => {
    assert.deepEqual(patched({}, { '$setElementOrder/containers': named('a') }), {});
  });
});

describe('strategicMergePatch of lists of scalars', () => {
  const finalizers = (live: string[], patch: object) =>
    (
      strategicMergePatch(deploymentSchema, { metadata: { finalizers: live } }, { metadata: patch }) as {
        metadata: { finalizers: string[] };
      }
    ).metadata.finalizers;

  it('merges them as sets', () => {
    assert.deepEqual(finalizers(['a', 'b'], { finalizers: ['b', 'c'] }), ['a', 'b', 'c']);
  });
  it('deletes from them with a parallel list', () => {
    assert.deepEqual(finalizers(['a', 'b', 'c'], { '$deleteFromPrimitiveList/finalizers': ['a', 'c'] }), ['b']);
  });
  it('orders them', () => {
    const patch = { '$setElementOrder/finalizers': ['c', 'a'], finalizers: ['c'] };
    assert.deepEqual(finalizers(['a', 'b'], patch), ['c', 'a', 'b']);
  });
});

describe('strategicMergePatch refuses', () => {
  const containers = named('a');
  const cases: [because: string, patch: object, message: string][] = [
    ['an unknown directive', { $patch: 'merge', x: 1 }, '500 unknown patch type: merge in map: map[$patch:merge x:1]'],
    [
      '$patch: merge in a list',
      { containers: [{ $patch: 'merge' }] },
      '500 merging lists cannot yet be specified in the patch',
    ],
    [
      'an unknown directive in a list',
      { containers: [{ $patch: 'zap' }] },
      '500 unknown patch type: zap in map: map[$patch:zap]',
    ],
    [
      'an element without key',
      { containers: [{ image: 'x' }] },
      '500 map: map[image:x] does not contain declared merge key: name',
    ],
    [
      'a deletion without key',
      { containers: [{ $patch: 'delete' }] },
      '500 map: map[$patch:delete] does not contain declared merge key: name',
    ],
    ['mixed elements', { containers: ['x'] }, '500 list element types are not identical: [[map[name:a]] [x]]'],
    ['lists of lists', { containers: [[1]] }, '422 the server rejected our request due to an error in our request'],
    ['$retainKeys that is no list', { $retainKeys: 'x' }, '400 invalid patch format of retainKeys'],
    ['a member that $retainKeys leaves out', { $retainKeys: ['a'], b: 1 }, '400 invalid patch format of retainKeys'],
    ['$setElementOrder of nothing', { $setElementOrder: [] }, '400 invalid patch format of setElementOrder list'],
    [
      '$setElementOrder that is no list',
      { '$setElementOrder/containers': 'x' },
      '500 expected a []interface {}, but received a string',
    ],
    [
      '$deleteFromPrimitiveList of nothing',
      { $deleteFromPrimitiveList: [] },
      '400 invalid patch format of primitive list',
    ],
    [
      'an order that leaves out an element of the patch',
      { '$setElementOrder/containers': named('a'), containers: named('b') },
      "500 The order in patch list:\n[map[name:b]]\n doesn't match $setElementOrder list:\n[map[name:a]]\n",
    ],
  ];
  for (const [because, patch, message] of cases) {
    it(because, () => assert.equal(failure({ containers }, patch), message));
  }

  it('a patch that is no object', () => {
    assert.throws(() => strategicMergePatch(deploymentSchema, {}, []), { reason: 'BadRequest' });
  });
});
