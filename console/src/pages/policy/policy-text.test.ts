import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import {
  DIVISIONS,
  divisionOf,
  moved,
  newPolicyText,
  schedulingOf,
  valueAt,
  withGroups,
  withValue,
} from './policy-text.ts';

const TEXT = `# placed by the shop
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata:
  name: shop # keep
spec:
  priority: 3
  placement:
    clusterAffinity:
      clusterNames: [ a ]
`;

describe('a policy as text', () => {
  it('changes one value and leaves comments and everything else', () => {
    const changed = withValue(TEXT, ['spec', 'priority'], 7);
    assert.equal(changed, TEXT.replace('priority: 3', 'priority: 7'));
  });

  it('takes out what is emptied, with the parents that are left empty', () => {
    const changed = withValue(TEXT, ['spec', 'placement', 'clusterAffinity', 'clusterNames'], undefined);
    assert.deepEqual(parse(changed).spec, { priority: 3 });
  });

  it('creates what a path needs on the way', () => {
    const changed = withValue(TEXT, ['spec', 'placement', 'spreadConstraints'], [{ spreadByField: 'region' }]);
    assert.equal(valueAt(parse(changed), ['spec', 'placement', 'spreadConstraints', 0, 'spreadByField']), 'region');
  });

  it('leaves what it does not know in lists and maps it writes anew, wherever that goes', () => {
    const text = `spec:
  rules: # in this order
    - name: a # the first
      unheard: { of: 1 }
    # and then
    - name: b
    - name: c # gone soon
`;
    const { rules } = parse(text).spec;
    const changed = withValue(text, ['spec', 'rules'], [...moved(rules.slice(0, 2), 0, 1), { name: 'd' }]);
    assert.deepEqual(parse(changed).spec.rules, [{ name: 'b' }, { name: 'a', unheard: { of: 1 } }, { name: 'd' }]);
    for (const kept of ['in this order', 'the first', 'and then', 'unheard: { of: 1 }'])
      assert.ok(changed.includes(kept), changed);
    const inMap = withValue(TEXT, ['spec'], { ...parse(TEXT).spec, priority: 4 });
    assert.equal(inMap, TEXT.replace('priority: 3', 'priority: 4'));
  });

  it('makes one choice of clusters the first of ordered groups, and that one again', () => {
    const placement = { clusterAffinity: { clusterNames: ['a'] }, clusterTolerations: [{ key: 'k' }] };
    const grouped = withGroups(placement, true);
    assert.deepEqual(grouped, {
      clusterAffinities: [{ affinityName: 'first', clusterNames: ['a'] }],
      clusterTolerations: [{ key: 'k' }],
    });
    assert.deepEqual(withGroups(grouped, false), placement);
    assert.deepEqual(withGroups(undefined, false), {});
  });

  it('moves an item up and down, but not over the edge', () => {
    assert.deepEqual(moved([1, 2, 3], 2, -1), [1, 3, 2]);
    assert.deepEqual(moved([1, 2, 3], 0, -1), [1, 2, 3]);
    assert.deepEqual(moved([1, 2, 3], 2, 1), [1, 2, 3]);
  });

  it('leaves a text that cannot be read alone', () => {
    assert.equal(withValue('a: [', ['a'], 1), 'a: [');
  });

  for (const division of DIVISIONS) {
    it(`reads back the division "${division}" that it wrote`, () => {
      assert.equal(divisionOf(schedulingOf(division, ['a', 'b'])), division);
    });
  }

  it('begins with a policy that says what it is for', () => {
    const policy = parse(newPolicyText({ kind: 'PropagationPolicy', namespace: 'shop', name: 'p', target: 'web' }));
    assert.deepEqual(policy.metadata, { name: 'p', namespace: 'shop' });
    assert.equal(policy.spec.resourceSelectors[0].name, 'web');
  });

  it('gives a policy of the whole instance no namespace', () => {
    const policy = parse(newPolicyText({ kind: 'ClusterOverridePolicy', namespace: 'shop', name: 'p' }));
    assert.deepEqual(policy.metadata, { name: 'p' });
    assert.deepEqual(policy.spec.overrideRules, [{ overriders: {} }]);
  });
});
