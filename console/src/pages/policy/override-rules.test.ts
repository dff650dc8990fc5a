import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { missingIn, textOf, valueOf } from './override-rules.ts';

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

describe('A value of any type, in a field of text', () => {
  it('is what it was after it has been shown', () => {
    for (const value of ['1.28', 'plain', '2', 'true', '', 'a "quoted" one', 3, 0, false, { a: 1 }, ['x'], null])
      assert.deepEqual(valueOf(textOf(value)), value);
    assert.equal(valueOf(textOf(undefined)), undefined);
  });

  it('is shown as people write it', () => {
    assert.deepEqual(['nginx', '2', 2, true].map(textOf), ['nginx', '"2"', '2', 'true']);
  });
});
