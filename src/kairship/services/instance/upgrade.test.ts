import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { KARMADA_VERSION } from '#karmada/apis/index.ts';
import type { Instance, InstanceMode } from '../../instances/instance.ts';
import { upgradeOf } from './upgrade.ts';

const instance = (mode: InstanceMode, karmadaVersion = 'v1.18.0'): Instance => ({
  apiVersion: 'kairship.io/v1alpha1',
  kind: 'Instance',
  metadata: { name: 'demo' },
  spec: { mode },
  status: { karmadaVersion },
});

describe('An upgrade', () => {
  it('goes to the newest version there is, unless one is named', () => {
    assert.deepEqual(upgradeOf(instance('embedded'), ''), { from: 'v1.18.0', to: KARMADA_VERSION });
    assert.deepEqual(upgradeOf(instance('operator'), 'v1.19.10'), { from: 'v1.18.0', to: 'v1.19.10' });
    assert.deepEqual(upgradeOf(instance('operator', 'v1.19.9'), 'v1.19.10').to, 'v1.19.10');
  });

  it('never goes back, nor to what is not there, nor over the head of who runs the instance', () => {
    assert.throws(() => upgradeOf(instance('operator', 'v1.19.10'), 'v1.19.9'), { reason: 'Conflict' });
    assert.throws(() => upgradeOf(instance('embedded'), 'v9.0.0'), { reason: 'BadRequest', message: /only one/ });
    assert.throws(() => upgradeOf(instance('embedded'), 'newest'), { reason: 'BadRequest' });
    assert.throws(() => upgradeOf(instance('external'), ''), { reason: 'Conflict' });
  });
});
