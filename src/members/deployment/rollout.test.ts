import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import type { Deployment, ReplicaSet } from '#gen/kube/types.ts';
import { deploymentStatus, HASH_LABEL, planRollout, REVISION, templateHash } from './rollout.ts';

function deployment(replicas: number, image = 'web:1', strategy: object = { type: 'RollingUpdate' }): Deployment {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'default', generation: 3 },
    spec: {
      replicas,
      selector: { matchLabels: { app: 'web' } },
      strategy,
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image }] } },
    },
  };
}

function replicaSet(of: Deployment, revision: number, wanted: number, available = wanted): ReplicaSet {
  const hash = templateHash(of);
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name: `web-${hash}`, labels: { [HASH_LABEL]: hash }, annotations: { [REVISION]: String(revision) } },
    spec: { replicas: wanted, selector: {} },
    status: { replicas: wanted, readyReplicas: available, availableReplicas: available },
  };
}

/** Plays plan after plan, with every pod becoming available at once, and answers each state on the way. */
function play(target: Deployment, start: readonly ReplicaSet[]): { wanted: number; available: number }[] {
  let sets = [...start];
  const seen: { wanted: number; available: number }[] = [];
  for (let step = 0; step < 200; step += 1) {
    const plan = planRollout(target, sets);
    if (!plan.create && plan.scale.length === 0) return seen;
    if (plan.create) sets.push(replicaSet(target, plan.create.revision, plan.create.replicas, 0));
    sets = sets.map((set) => {
      const wanted = plan.scale.find(({ replicaSet: other }) => other === set)?.replicas ?? set.spec?.replicas ?? 0;
      const status = { replicas: wanted, readyReplicas: wanted, availableReplicas: wanted };
      return { ...set, spec: { selector: {}, replicas: wanted }, status };
    });
    const sum = (of: (set: ReplicaSet) => number | undefined) => sets.reduce((all, set) => all + (of(set) ?? 0), 0);
    seen.push({ wanted: sum((set) => set.spec?.replicas), available: sum((set) => set.status?.availableReplicas) });
  }
  assert.fail('the rollout never came to an end');
}

describe('rollout', () => {
  it('makes the first ReplicaSet with all replicas, as revision 1', () => {
    const plan = planRollout(deployment(3), []);
    assert.deepEqual([plan.create?.replicas, plan.create?.revision], [3, 1]);
  });

  it('leaves a finished Deployment alone', () => {
    const web = deployment(3);
    assert.deepEqual(planRollout(web, [replicaSet(web, 1, 3)]), { scale: [], forget: [], revision: 1 });
  });

  it('scales the current ReplicaSet when only the replicas change', () => {
    const web = deployment(5);
    const plan = planRollout(web, [replicaSet(web, 1, 2)]);
    assert.deepEqual(
      plan.scale.map(({ replicas }) => replicas),
      [5],
    );
    assert.deepEqual(
      planRollout(deployment(1), [replicaSet(web, 1, 5)]).scale.map(({ replicas }) => replicas),
      [1],
    );
  });

  it('does not take from the old set before the new one is available', () => {
    const next = deployment(4, 'web:2');
    const plan = planRollout(next, [replicaSet(deployment(4), 1, 4), replicaSet(next, 2, 1, 0)]);
    assert.deepEqual(
      plan.scale.map(({ replicas }) => replicas),
      [3],
    );
  });

  it('Recreate empties the old set before filling the new one', () => {
    const next = deployment(3, 'web:2', { type: 'Recreate' });
    const plan = planRollout(next, [replicaSet(deployment(3), 1, 3)]);
    assert.equal(plan.create?.replicas, 0);
    assert.deepEqual(
      plan.scale.map(({ replicas }) => replicas),
      [0],
    );
  });

  it('a rollback reuses the old ReplicaSet under a new revision', () => {
    const plan = planRollout(deployment(2), [
      replicaSet(deployment(2), 1, 0),
      replicaSet(deployment(2, 'web:2'), 2, 2),
    ]);
    assert.equal(plan.create, undefined);
    assert.equal(plan.revision, 3);
  });

  it('the hash of a template does not depend on the order of its keys', () => {
    const web = deployment(1);
    const spec = web.spec;
    assert.ok(spec);
    const turned = { ...web, spec: { ...spec, template: Object.fromEntries(Object.entries(spec.template).reverse()) } };
    assert.equal(templateHash(turned), templateHash(web));
  });

  it('stays within surge and unavailability on the way, and ends at the goal', () => {
    const shape = fc.record({ replicas: fc.integer({ min: 0, max: 20 }), surge: fc.nat(5), unavailable: fc.nat(5) });
    fc.assert(
      fc.property(shape, ({ replicas, surge, unavailable }) => {
        const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: surge, maxUnavailable: unavailable } };
        const next = deployment(replicas, 'web:2', strategy);
        const states = play(next, [replicaSet(deployment(replicas), 1, replicas)]);
        const missing = surge === 0 && unavailable === 0 ? 1 : unavailable;
        for (const { wanted } of states) assert.ok(wanted <= replicas + surge, `${wanted} pods wanted`);
        for (const { available } of states) assert.ok(available >= replicas - missing, `${available} available`);
        assert.equal(states.at(-1)?.available ?? 0, replicas);
      }),
      { seed: 1, numRuns: 300 },
    );
  });
});

describe('the status of a Deployment', () => {
  it('counts what its ReplicaSets report and leaves zeros out', () => {
    const web = deployment(3);
    const { conditions, ...counts } = deploymentStatus(web, [replicaSet(web, 1, 3, 2)], '2026-01-01T00:00:00Z');
    assert.deepEqual(counts, {
      observedGeneration: 3,
      replicas: 3,
      updatedReplicas: 3,
      readyReplicas: 2,
      availableReplicas: 2,
      unavailableReplicas: 1,
    });
    assert.deepEqual(
      conditions?.map(({ type, status }) => `${type}=${status}`),
      ['Available=False', 'Progressing=True'],
    );
  });

  it('keeps the transition time of a condition that did not flip', () => {
    const web = deployment(1);
    const first = deploymentStatus(web, [replicaSet(web, 1, 1)], '2026-01-01T00:00:00Z');
    const second = deploymentStatus({ ...web, status: first }, [replicaSet(web, 1, 1)], '2026-01-02T00:00:00Z');
    assert.deepEqual(second, first);
  });
});
