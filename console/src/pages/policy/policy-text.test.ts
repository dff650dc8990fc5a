import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { DIVISIONS, divisionOf, newPolicyText, schedulingOf, valueAt, withValue } from './policy-text.ts';

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
