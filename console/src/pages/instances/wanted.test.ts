import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  annotationsOf,
  backupCommands,
  commandOf,
  hostOf,
  isBackupName,
  isName,
  modeOf,
  NOTHING,
  ownEntries,
  settingsOf,
  withInternal,
} from './wanted.ts';

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

  it('tells who runs it, and where', () => {
    assert.deepEqual([modeOf(), modeOf({ 'kairship.io/mode': 'operator' })], ['embedded', 'operator']);
    assert.deepEqual([hostOf(), hostOf('cluster-frankfurt'), hostOf('other')], ['', 'frankfurt', 'other']);
  });

  it('keeps what programs wrote from those who edit it, and from being lost', () => {
    const had = { owner: 'shop', 'kairship.io/mode': 'embedded', 'shadow.clusterpedia.io/cluster-name': 'k-demo' };
    assert.deepEqual(ownEntries(had), [['owner', 'shop']]);
    assert.deepEqual(
      withInternal(had, [
        ['team.example.com/a', '1, 2=3'],
        ['kairship.io/mode', 'external'],
        ['', 'nothing'],
      ]),
      {
        'team.example.com/a': '1, 2=3',
        'kairship.io/mode': 'embedded',
        'shadow.clusterpedia.io/cluster-name': 'k-demo',
      },
    );
  });
});

describe('a backup', () => {
  it('is called as a resource may be', () =>
    assert.deepEqual(['before-1.19', 'A', '-a', ''].map(isBackupName), [true, false, false, false]));

  it('is made, put back and deleted by commands, with what was chosen', () => {
    const { make, restore, remove } = backupCommands;
    assert.equal(make('demo', '', ''), 'kairship instance backup demo');
    assert.equal(make('demo', 'first', 'a b'), 'kairship instance backup demo --name first --note "a b"');
    assert.equal(restore('first', 'demo', 'demo', []), 'kairship instance restore first demo');
    assert.equal(
      restore('first', 'demo', 'other', ['shop', 'web']),
      'kairship instance restore first other --from demo --namespaces shop,web',
    );
    assert.equal(remove('demo', 'first'), 'kairship instance delete-backup first demo');
  });
});
