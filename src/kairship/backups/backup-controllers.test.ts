import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fakeClock } from '#base/clock.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { Informers } from '#kube/runtime/index.ts';
import type { InstanceBackup, InstanceRestore } from './backup.ts';
import { backupControllers } from './backup-controllers.ts';

/** What was heard of an object is behind: it still says that nothing was done. */
function stage(now: InstanceBackup | InstanceRestore) {
  const done: string[] = [];
  const { status: _, ...behind } = now;
  const informers = (() => ({ get: () => behind })) as unknown as Informers;
  const client = {
    get: async () => now,
    update: async (_gvr: unknown, object: unknown) => object,
  } as unknown as KubeClient;
  const keeper = {
    make: async () => (done.push('made'), { bytes: 1, objects: 1, sha256: 'x' }),
    restore: async () => void done.push('restored'),
    preview: async () => (done.push('previewed'), []),
    remove: async () => void done.push('removed'),
  };
  return { done, controllers: backupControllers({ client, informers, clock: fakeClock(), keeper }) };
}

describe('a backup and a restore', () => {
  for (const [index, kind] of ['InstanceBackup', 'InstanceRestore'].entries())
    it(`are done once, whatever was heard of them last: ${kind}`, async () => {
      const { done, controllers } = stage({
        apiVersion: 'kairship.io/v1alpha1',
        kind,
        metadata: { name: 'one' },
        spec: { instance: 'demo', backup: 'one' },
        status: { phase: 'Completed' },
      });
      await controllers[index]?.reconcile({ key: 'one' } as never);
      assert.deepEqual(done, []);
    });
});
