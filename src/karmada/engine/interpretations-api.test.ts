import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { scriptRunner } from '#karmada/interpreter/index.ts';
import { interpretation } from './interpretations-api.ts';

const runner = scriptRunner();
after(() => runner.close());

function customization(luaScript: string) {
  return {
    apiVersion: 'config.karmada.io/v1alpha1',
    kind: 'ResourceInterpreterCustomization',
    metadata: { name: 'windows' },
    spec: {
      target: { apiVersion: 'example.io/v1', kind: 'Window' },
      customizations: { healthInterpretation: { luaScript } },
    },
  };
}
const WINDOW = { apiVersion: 'example.io/v1', kind: 'Window', metadata: { name: 'w' }, status: { open: true } };
const HEALTHY = customization('function InterpretHealth(o) return true end');

const ask = (spec: object) => interpretation(spec, runner);

describe('trying customisations out', () => {
  it('answers what the script answers, and what it prints', async () => {
    const script = 'function InterpretHealth(o)\n  print("looked")\n  return o.status.open\nend';
    const answer = await ask({
      customizations: [customization(script)],
      operation: 'InterpretHealth',
      observed: WINDOW,
    });
    assert.deepEqual(answer, { results: [{ name: 'healthy', value: true }], printed: ['looked'] });
  });

  it('answers the line of a mistake, without running anything', async () => {
    const { problem } = await ask({ customizations: [customization('function InterpretHealth(o)\n  return (\nend')] });
    assert.equal(problem?.customization, 'windows');
    assert.ok((problem?.line ?? 0) > 0);
  });

  it('says so when no script has the operation', async () => {
    const { problem } = await ask({ customizations: [HEALTHY], operation: 'InterpretReplica', desired: WINDOW });
    assert.match(problem?.message ?? '', /no customization has InterpretReplica for example.io\/v1 Window/);
  });

  it('refuses what is no customisation and what is no operation', async () => {
    await assert.rejects(ask({ customizations: [WINDOW] }), /is no ResourceInterpreterCustomization/);
    await assert.rejects(ask({ customizations: [] }), /at least one/);
    await assert.rejects(ask({ customizations: [HEALTHY], operation: 'Guess' }), /"Guess" is none of/);
  });
});
