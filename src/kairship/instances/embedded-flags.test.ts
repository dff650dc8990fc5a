import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { karmadaSpecOf } from './convert-karmada.ts';
import type { Failover } from './instance.ts';
import { embeddedFlags } from './embedded-flags.ts';

describe('An embedded instance', () => {
  it('is started as its Karmada says, always with the same words for the same wishes', () => {
    const spec = {
      featureGates: { PropagateDeps: false },
      components: {
        karmadaControllerManager: {
          controllers: ['*', '-binding'],
          featureGates: { Failover: true },
          extraArgs: { 'graceful-eviction-timeout': '600s', 'cluster-failure-threshold': '5s' },
        },
      },
    };
    assert.deepEqual(embeddedFlags(spec), {
      flags: [
        '--cluster-failure-threshold=5s',
        '--graceful-eviction-timeout=600s',
        '--feature-gates=Failover=true,PropagateDeps=false',
        '--controllers=*,-binding',
      ],
      unmet: [],
    });
  });

  it('lets policies taint clusters so that they are left, where taints make work leave', () => {
    const manager = (value: string) => ({
      components: { karmadaControllerManager: { extraArgs: { 'enable-no-execute-taint-eviction': value } } },
    });
    const allowed = '--allow-no-execute-taint-policy=true';
    assert.ok(embeddedFlags(manager('true')).flags.includes(allowed));
    assert.ok(!embeddedFlags(manager('false')).flags.includes(allowed));
  });

  it('waits for a lost cluster as long as is said, or as the API tells where nothing is', () => {
    const flags = (failover: Failover) =>
      embeddedFlags(karmadaSpecOf({ failover })).flags.filter((flag) => flag.includes('failover-eviction-timeout'));
    assert.deepEqual(flags({ enabled: true, failoverEvictionTimeout: 5 }), ['--failover-eviction-timeout=5s']);
    assert.deepEqual(flags({ enabled: true }), ['--failover-eviction-timeout=30s']);
    assert.deepEqual(flags({ enabled: false }), []);
  });

  it('says what it does not have', () => {
    const spec = {
      components: {
        etcd: { external: { endpoints: ['https://10.0.0.1:2379'] } },
        karmadaDescheduler: {},
        karmadaMetricsAdapter: {},
        karmadaControllerManager: { extraArgs: { v: '4' } },
      },
    };
    assert.deepEqual(embeddedFlags(spec), {
      flags: [],
      unmet: ['the flag --v', 'the component karmadaDescheduler', 'an external etcd'],
    });
  });
});
