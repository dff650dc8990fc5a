import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { engineSettings } from './karmada-flags.ts';

const plain = { controllers: '*', featureGates: [] };

describe('the flags of kairship karmada', () => {
  it('mean nothing by themselves: every default is Karmada’s', () => {
    const { failover, autoscaling, clusterStatus, preemption, enabled } = engineSettings(plain);
    assert.deepEqual(failover, { enabled: false, statefulInjection: false });
    assert.deepEqual(autoscaling, {});
    assert.deepEqual(clusterStatus, { thresholds: { successMs: 30_000, failureMs: 30_000 } });
    assert.deepEqual([preemption, enabled], [false, []]);
  });

  it('turn gates and controllers', () => {
    const settings = engineSettings({
      controllers: '*,-namespace,deploymentReplicasSyncer',
      featureGates: ['Failover=true,PropagateDeps=false', 'PropagationPolicyPreemption=True', 'GracefulEviction=true'],
      noExecuteTaintEvictionPurgeMode: 'Directly',
      failoverEvictionTimeout: 30_000,
      gracefulEvictionTimeout: 60_000,
    });
    assert.deepEqual(settings.disabled, ['namespace', 'hpaScaleTargetMarker', 'dependencies']);
    assert.deepEqual(settings.enabled, ['deploymentReplicasSyncer']);
    assert.equal(settings.preemption, true);
    assert.equal(settings.failover?.enabled, true);
    assert.equal(settings.failover?.purgeMode, 'Directly');
    assert.equal(settings.failover?.evictionTimeoutMs, 30_000);
    assert.equal(settings.failover?.gracefulEvictionTimeoutMs, 60_000);
  });

  it('skip namespaces by whole names', () => {
    const { skippedNamespaces = [] } = engineSettings({ ...plain, skippedPropagatingNamespaces: 'kube-.*, team' });
    assert.deepEqual(
      ['kube-system', 'team', 'teams'].map((name) => skippedNamespaces.some((pattern) => pattern.test(name))),
      [true, true, false],
    );
  });

  it('refuse what is not there, and say what is', () => {
    const cases = [
      [{ controllers: '*,-nobody' }, /"nobody"/, /detector, scheduler/],
      [{ featureGates: ['Nothing=true'] }, /Nothing=true/, /Failover, .*GracefulEviction/],
      [{ featureGates: ['Failover'] }, /Failover cannot/, /Name=true/],
      [{ featureGates: ['GracefulEviction=false'] }, /GracefulEviction=false/, /always true here/],
      [{ skippedPropagatingNamespaces: '(' }, /no regular expression/, /whole names/],
    ] as const;
    for (const [flags, message, why] of cases) {
      assert.throws(
        () => engineSettings({ ...plain, ...flags }),
        (error: Error & { why: string; code: number }) =>
          message.test(error.message) && why.test(error.why) && error.code === 2,
        String(message),
      );
    }
  });
});
