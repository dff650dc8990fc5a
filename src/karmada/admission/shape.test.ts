import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PropagationSpec } from '#karmada/apis/index.ts';
import { draftOf } from '#base/json.ts';
import { defaultPropagationSpec } from './policy-defaults.ts';
import { canBeDefaulted } from './shape.ts';

const withSpec = (spec: unknown) => {
  const object = { apiVersion: 'x/v1', kind: 'X', metadata: { name: 'x' }, spec };
  return canBeDefaulted(object);
};

describe('what defaults are written for', () => {
  it('is any object with a spec whose lists are lists of objects', () => {
    assert.ok(withSpec({}));
    assert.ok(withSpec({ resourceSelectors: [{ kind: 'Pod' }], placement: { spreadConstraints: [{}] }, taints: null }));
    assert.ok(withSpec({ workload: { manifests: [{ metadata: {} }] } }));
  });
  it('is nothing without a spec, or with something else in its place', () => {
    for (const spec of [undefined, null, 'x', 3, []]) assert.equal(withSpec(spec), false);
  });
  it('is nothing that has something else where a list of objects belongs', () => {
    for (const resourceSelectors of [3, {}, [null], [3]]) assert.equal(withSpec({ resourceSelectors }), false);
    assert.equal(withSpec({ placement: { spreadConstraints: [null] } }), false);
    assert.equal(withSpec({ resourceModels: [{ ranges: [null] }] }), false);
    assert.equal(withSpec({ placement: 3 }), false);
  });
  it('may lack the selectors that a policy needs, which is for the schema to say', () => {
    const spec = draftOf({} as PropagationSpec);
    assert.doesNotThrow(() => defaultPropagationSpec(spec, 'default'));
    assert.equal(spec.resourceSelectors, undefined);
  });
});
