import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { entriesPatch, fieldPatch } from './field-patch.ts';

const json = (fields: Record<string, string>): unknown => JSON.parse(JSON.stringify(fieldPatch(fields)));

describe('Fields by their path', () => {
  it('become one merge patch', () => {
    assert.deepEqual(
      json({ 'spec.type': 'NodePort', 'spec.sessionAffinity': 'None', "metadata.labels['a.io/b']": 'x' }),
      {
        spec: { type: 'NodePort', sessionAffinity: 'None' },
        metadata: { labels: { 'a.io/b': 'x' } },
      },
    );
  });

  it('take JSON where it is JSON, and text where only text may be', () => {
    assert.deepEqual(
      json({
        'spec.publishNotReadyAddresses': 'true',
        'spec.ports': '[{"port":80}]',
        'spec.selector.app': '1',
        'metadata.annotations.on': 'true',
        'spec.loadBalancerIP': '10.0.0.1',
      }),
      {
        spec: {
          publishNotReadyAddresses: true,
          ports: [{ port: 80 }],
          selector: { app: '1' },
          loadBalancerIP: '10.0.0.1',
        },
        metadata: { annotations: { on: 'true' } },
      },
    );
  });

  it('are removed by an empty value', () => {
    assert.deepEqual(json({ 'metadata.labels.app': '' }), { metadata: { labels: { app: null } } });
  });

  it('are refused when they are none, within a list, or contradict each other', () => {
    assert.throws(() => fieldPatch({}), /data is empty/);
    assert.throws(() => fieldPatch({ 'spec.ports[].port': '80' }), /within a list/);
    assert.throws(() => fieldPatch({ spec: '{}', 'spec.type': 'NodePort' }), /set twice/);
    assert.throws(() => fieldPatch({ 'spec.type': 'NodePort', spec: '{}' }), /set twice/);
    assert.throws(() => fieldPatch({ '..': 'x' }), /cannot read the field/);
  });

  it('never reach the prototype of anything', () => {
    fieldPatch({ '__proto__.polluted': 'yes', 'constructor.prototype.polluted': 'yes' });
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
  });
});

describe('Entries of a map', () => {
  it('are set, or removed by an empty value', () => {
    assert.deepEqual(entriesPatch({ a: '1', b: '' }), { a: '1', b: null });
    assert.throws(() => entriesPatch({}), /data is empty/);
  });
});
