import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { newReplicaSet, resized, REVISION, templateHash, wanted } from './replica-sets.ts';
import type { RolloutPlan } from './rollout.ts';
import { deployment, planOf, play, replicaSet } from './testing.ts';

const sizes = (plan: RolloutPlan) => plan.scale.map(({ replicas }) => replicas);

describe('a rollout', () => {
  it('makes the first ReplicaSet with all replicas, as revision 1', () => {
    const { create } = planOf(deployment(3), []);
    assert.ok(create);
    assert.deepEqual([wanted(create), create.metadata.annotations?.[REVISION]], [3, '1']);
    assert.equal(create.metadata.name, `web-${templateHash(deployment(3))}`);
  });

  it('leaves a finished Deployment alone', () => {
    const web = deployment(3);
    assert.deepEqual(planOf(web, [replicaSet(web, 1, 3)]), { scale: [], forget: [], rolls: true });
  });

  it('scales the current ReplicaSet when only the replicas change', () => {
    assert.deepEqual(sizes(planOf(deployment(5), [replicaSet(deployment(2), 1, 2)])), [5]);
    assert.deepEqual(sizes(planOf(deployment(1), [replicaSet(deployment(5), 1, 5)])), [1]);
  });

  it('scales up before it scales down, and down only as far as the new pods are available', () => {
    const next = deployment(4, 'web:2');
    const old = replicaSet(deployment(4), 1, 4);
    assert.equal(wanted(planOf(next, [old]).create ?? old), 1);
    // One may be missing, so one old pod may go though the new one is not available yet; then everything waits.
    assert.deepEqual(sizes(planOf(next, [old, replicaSet(next, 2, 1, 0)])), [3]);
    const waiting = [resized(next, old, 3), replicaSet(next, 2, 2, 0)];
    assert.deepEqual(sizes(planOf(next, waiting)), []);
  });

  it('takes unavailable old pods away first', () => {
    const next = deployment(4, 'web:3');
    const broken = replicaSet(deployment(4, 'web:2'), 2, 2, 0);
    const plan = planOf(next, [replicaSet(deployment(4), 1, 3), broken, replicaSet(next, 3, 0, 0)]);
    assert.deepEqual(
      plan.scale.map(({ replicaSet: set, replicas }) => [set.metadata.uid, replicas]),
      [['rs-2', 0]],
    );
  });

  it('Recreate empties the old set, waits for its pods to be gone, then fills the new one', () => {
    const next = deployment(3, 'web:2', { strategy: { type: 'Recreate' } });
    const old = replicaSet(deployment(3), 1, 3);
    assert.deepEqual(sizes(planOf(next, [old])), [0]);
    const emptied = replicaSet(deployment(3), 1, 0);
    assert.equal(planOf(next, [emptied], true).create, undefined);
    const { create } = planOf(next, [emptied]);
    assert.equal(create && wanted(create), 3);
  });

  it('a rollback reuses the old ReplicaSet under a new revision, and remembers its old one', () => {
    const sets = [replicaSet(deployment(2), 1, 0), replicaSet(deployment(2, 'web:2'), 2, 2)];
    const { renew, create } = planOf(deployment(2), sets);
    assert.equal(create, undefined);
    assert.equal(renew?.metadata.annotations?.[REVISION], '3');
    assert.equal(renew?.metadata.annotations?.['deployment.kubernetes.io/revision-history'], '1');
  });

  it('copies annotations to the current set, but not those of kubectl and of rollouts', () => {
    const web = deployment(1);
    const annotations = { 'kubernetes.io/change-cause': 'x', 'kubectl.kubernetes.io/last-applied-configuration': 'y' };
    const noted = { ...web, metadata: { ...web.metadata, annotations } };
    const { renew } = planOf(noted, [replicaSet(web, 1, 1)]);
    assert.equal(renew?.metadata.annotations?.['kubernetes.io/change-cause'], 'x');
    assert.equal(renew?.metadata.annotations?.['kubectl.kubernetes.io/last-applied-configuration'], undefined);
  });

  it('when paused, changes its size and nothing else', () => {
    const next = deployment(4, 'web:2', { paused: true });
    assert.deepEqual(planOf(next, [replicaSet(deployment(4), 1, 4)]), { scale: [], forget: [], rolls: false });
    assert.deepEqual(
      sizes(planOf({ ...next, spec: { ...next.spec!, replicas: 6 } }, [replicaSet(deployment(4), 1, 4)])),
      [6],
    );
  });

  it('a change of size in the middle of a rollout is shared in proportion', () => {
    const before = deployment(10, 'web:2', { strategy: { rollingUpdate: { maxSurge: 3, maxUnavailable: 2 } } });
    const after = { ...before, spec: { ...before.spec!, replicas: 15 } };
    const old = resized(before, replicaSet(deployment(10), 1, 8), 8);
    const next = resized(before, replicaSet(before, 2, 5), 5);
    // From 13 to 18 pods: 8 · 18/13 ≈ 11 and 5 · 18/13 ≈ 7, as in the documentation of Kubernetes.
    assert.deepEqual(sizes(planOf(after, [old, next])), [11, 7]);
  });

  it('forgets old sets beyond the history limit once it is complete', () => {
    const web = deployment(1, 'web:9', { revisionHistoryLimit: 1 });
    const status = { observedGeneration: 3, replicas: 1, updatedReplicas: 1, availableReplicas: 1 };
    const idle = [1, 2, 3].map((n) => replicaSet(deployment(1, `web:${n}`), n, 0));
    const { forget } = planOf({ ...web, status }, [...idle, replicaSet(web, 4, 1)]);
    assert.deepEqual(
      forget.map(({ metadata }) => metadata.uid),
      ['rs-1', 'rs-2'],
    );
  });

  it('another hash is made after a collision', () => {
    const web = deployment(1);
    const collided = { ...web, status: { collisionCount: 1 } };
    assert.notEqual(newReplicaSet(collided, 1, 1).metadata.name, newReplicaSet(web, 1, 1).metadata.name);
  });

  it('the hash of a template does not depend on the order of its keys', () => {
    const web = deployment(1);
    const turned = {
      ...web,
      spec: { ...web.spec!, template: Object.fromEntries(Object.entries(web.spec!.template).reverse()) },
    };
    assert.equal(templateHash(turned), templateHash(web));
  });
});

describe('any rollout', () => {
  const shape = fc.record({
    from: fc.integer({ min: 0, max: 20 }),
    to: fc.integer({ min: 0, max: 20 }),
    surge: fc.nat(5),
    unavailable: fc.nat(5),
  });

  it('stays within surge and unavailability on the way, and ends at the goal', () => {
    fc.assert(
      fc.property(shape, ({ to, surge, unavailable }) => {
        const rollingUpdate = { maxSurge: surge, maxUnavailable: unavailable };
        const next = deployment(to, 'web:2', { strategy: { type: 'RollingUpdate', rollingUpdate } });
        const old = resized(next, replicaSet(deployment(to), 1, to), to);
        const { seen } = play(next, [old]);
        const missing = surge === 0 && unavailable === 0 ? 1 : unavailable;
        for (const state of seen) assert.ok(state.wanted <= to + surge, `${state.wanted} pods wanted`);
        for (const state of seen) assert.ok(state.available >= to - missing, `${state.available} available`);
        assert.equal(seen.at(-1)?.available ?? 0, to);
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  it('ends at the goal when its size changes on the way', () => {
    fc.assert(
      fc.property(shape, fc.nat(20), ({ from, to, surge, unavailable }, rolled) => {
        const rollingUpdate = { maxSurge: surge, maxUnavailable: unavailable };
        const strategy = { type: 'RollingUpdate', rollingUpdate };
        const next = deployment(to, 'web:2', { strategy });
        const middle = deployment(from, 'web:2', { strategy });
        const moved = Math.min(rolled, from);
        const old = resized(middle, replicaSet(deployment(from), 1, from - moved), from - moved);
        const { sets } = play(next, [old, resized(middle, replicaSet(middle, 2, moved), moved)]);
        assert.deepEqual(sets.map(wanted), [0, to]);
      }),
      { seed: 1, numRuns: 300 },
    );
  });
});
