import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { missingIn } from './override-rules.ts';

const policy = (overriders: object) => ({ spec: { overrideRules: [{ overriders: {} }, { overriders }] } });
const missing = (overriders: object) =>
  missingIn(policy(overriders)).map((path) => path.join('.').replace('spec.overrideRules.1.overriders.', ''));

describe('What a rule of an override policy lacks', () => {
  it('is a value, unless something is removed', () => {
    const tag = { component: 'Tag', operator: 'replace' };
    assert.deepEqual(missing({ imageOverrider: [{ ...tag, value: '' }] }), ['imageOverrider.0.value']);
    assert.deepEqual(missing({ imageOverrider: [{ ...tag, value: '1.28' }] }), []);
    assert.deepEqual(missing({ imageOverrider: [{ ...tag, operator: 'remove' }] }), []);
    assert.deepEqual(missing({ plaintext: [{ path: '/spec/replicas', operator: 'add', value: 0 }] }), []);
    assert.deepEqual(missing({ plaintext: [{ path: '', operator: 'remove' }] }), ['plaintext.0.path']);
  });

  it('is the container whose command changes, the labels, the field', () => {
    assert.deepEqual(missing({ argsOverrider: [{ operator: 'add', value: ['-v'] }] }), [
      'argsOverrider.0.containerName',
    ]);
    assert.deepEqual(missing({ labelsOverrider: [{ operator: 'add', value: {} }] }), ['labelsOverrider.0.value']);
    assert.deepEqual(missing({ fieldOverrider: [{ fieldPath: '/data/a.yaml' }, {}] }), ['fieldOverrider.1.fieldPath']);
  });

  it('is nothing in a policy that overrides nothing', () => {
    assert.deepEqual(missingIn({ spec: { placement: {} } }), []);
    assert.deepEqual(missingIn(undefined), []);
  });
});
