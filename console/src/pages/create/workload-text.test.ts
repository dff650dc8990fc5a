import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { valueAt } from '../policy/policy-text.ts';
import { isName, KINDS, newWorkloadText, podPath, replicasPath } from './workload-text.ts';

describe('a new workload', () => {
  for (const kind of KINDS) {
    it(`of kind ${kind} has one container where the wizard looks for it`, () => {
      const object: unknown = parse(newWorkloadText({ kind, name: 'web', namespace: 'shop' }));
      assert.equal(valueAt(object, [...podPath(kind), 'spec', 'containers', 0, 'name']), 'main');
      assert.equal(valueAt(object, ['metadata', 'namespace']), 'shop');
    });

    it(`of kind ${kind} has its replicas where they are changed`, () => {
      const path = replicasPath(kind);
      const object: unknown = parse(newWorkloadText({ kind, name: 'web', namespace: 'shop' }));
      if (path) assert.equal(typeof valueAt(object, path), 'number');
    });
  }

  it('takes names as Kubernetes does', () => {
    assert.deepEqual(['web', 'a', 'web-2', 'x'.repeat(63)].map(isName), [true, true, true, true]);
    assert.deepEqual(['', 'Web', '-web', 'web-', 'a b', 'x'.repeat(64)].map(isName), [
      false,
      false,
      false,
      false,
      false,
      false,
    ]);
  });
});
