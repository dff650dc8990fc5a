import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { annotationsOf, commandOf, isName, NOTHING, settingsOf } from './wanted.ts';

describe('a wanted instance', () => {
  it('has a name of small letters, digits and dashes', () => {
    assert.deepEqual(['prod-cn', 'a', '-a', 'A', 'a-', 'a'.repeat(51)].map(isName), [
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  it('sends no setting that holds anyway', () => assert.deepEqual(settingsOf(NOTHING), {}));

  it('sends what was switched on, and storage where somebody else keeps it', () => {
    const wanted = { ...NOTHING, failover: true, metricsAdapter: true, storage: 'pvc', storageClass: 'fast' } as const;
    assert.deepEqual(settingsOf(wanted), { failover: { enabled: true }, metricsAdapter: { enabled: true } });
    assert.deepEqual(settingsOf({ ...wanted, mode: 'operator' })['storage'], {
      type: 'pvc',
      size: '10Gi',
      storageClass: 'fast',
    });
    assert.deepEqual(settingsOf({ ...wanted, mode: 'external' }), {});
  });

  it('says who runs it, what it is called and whether it goes with its control plane', () => {
    assert.deepEqual(annotationsOf({ mode: 'embedded', alias: 'Shop', release: false }), {
      'kairship.io/mode': 'embedded',
      'kairship.io/release-on-delete': 'false',
      'kairship.io/alias-name': 'Shop',
    });
    assert.equal(commandOf({ name: 'shop', alias: 'The shop' }), 'kairship instance create shop --alias "The shop"');
  });
});
