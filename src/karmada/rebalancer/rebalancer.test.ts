import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import * as fc from 'fast-check';
import { fakeClock } from '#base/clock.ts';
import {
  RESOURCE_BINDING,
  type ResourceBinding,
  WORKLOAD_REBALANCER,
  type WorkloadRebalancer,
  type WorkloadReference,
} from '#karmada/apis/index.ts';
import { CONTROLLERS } from '#karmada/engine/index.ts';
import { appears, eventually, find, startKarmada } from '#karmada/engine/testing.ts';
import { memoryStore } from '#kube/store/index.ts';
import { needsTrigger, observedWorkloads, timeToLive } from './index.ts';

const web: WorkloadReference = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'web' };
const role: WorkloadReference = { apiVersion: 'rbac/v1', kind: 'ClusterRole', name: 'reader' };

function rebalancer(
  workloads: readonly WorkloadReference[],
  more: Partial<Pick<WorkloadRebalancer, 'status'>> & { readonly ttl?: number } = {},
): WorkloadRebalancer {
  const { ttl, ...rest } = more;
  return {
    apiVersion: WORKLOAD_REBALANCER.apiVersion,
    kind: 'WorkloadRebalancer',
    metadata: { name: 'r' },
    spec: { workloads, ...(ttl === undefined ? {} : { ttlSecondsAfterFinished: ttl }) },
    ...rest,
  };
}

describe('observedWorkloads', () => {
  it('lists what is asked for, sorted', () =>
    assert.deepEqual(observedWorkloads(rebalancer([role, web])), [{ workload: web }, { workload: role }]));
  it('keeps what it knows, and of what is no longer asked for only successes', () => {
    const observed = [
      { workload: web, result: 'Successful' },
      { workload: role, result: 'Failed', reason: 'ReferencedBindingNotFound' },
    ] as const;
    assert.deepEqual(observedWorkloads(rebalancer([], { status: { observedWorkloads: observed } })), [observed[0]]);
  });
  it('says the same whatever the order', () => {
    const parts = {
      apiVersion: fc.constantFrom('v1', 'apps/v1'),
      kind: fc.constantFrom('A', 'B'),
      namespace: fc.constantFrom('x', 'y'),
      name: fc.constantFrom('a', 'b', 'c'),
    };
    const workload = fc.record(parts, { noNullPrototype: true });
    fc.assert(
      fc.property(fc.array(workload), (workloads) => {
        const [one, other] = [workloads, workloads.toReversed()].map((each) => observedWorkloads(rebalancer(each)));
        assert.deepEqual(one, other);
        const again = observedWorkloads(rebalancer(workloads, { status: { observedWorkloads: one ?? [] } }));
        assert.deepEqual(again, one, 'and stays the same');
      }),
      { seed: 1, numRuns: 100 },
    );
  });
});

it('only a rebalancer younger than the last fresh start asks for another', () => {
  const [older, younger] = ['2026-01-01T00:00:00Z', '2026-01-01T00:00:01Z'] as const;
  assert.deepEqual(
    [needsTrigger(older, undefined), needsTrigger(younger, older), needsTrigger(older, older)],
    [true, true, false],
  );
});

it('a finished rebalancer lives as long as it is told', () => {
  const at = Date.UTC(2026, 0, 1);
  const finished = { finishTime: new Date(at).toISOString() };
  assert.equal(timeToLive(rebalancer([], { ttl: 60 }), at), undefined);
  assert.equal(timeToLive(rebalancer([], { status: finished }), at), undefined);
  assert.equal(timeToLive(rebalancer([], { ttl: 60, status: finished }), at + 20_000), 40_000);
  assert.equal(timeToLive(rebalancer([], { ttl: 60, status: finished }), at + 99_000), 0);
});

async function alone(t: TestContext) {
  const clock = fakeClock();
  const disabled = CONTROLLERS.filter((name) => name !== 'workloadRebalancer');
  const { client } = await startKarmada(t, memoryStore(), { clock, engine: { disabled } });
  return { client, clock };
}

it('bindings are told to start afresh, results are reported, and the rebalancer goes when its time is over', async (t) => {
  const { client, clock } = await alone(t);
  const before = await client.create<ResourceBinding>(RESOURCE_BINDING, {
    apiVersion: RESOURCE_BINDING.apiVersion,
    kind: 'ResourceBinding',
    metadata: { name: 'web-deployment', namespace: 'default' },
    spec: { resource: web },
  });
  const made = await client.create<WorkloadRebalancer>(WORKLOAD_REBALANCER, rebalancer([web, role], { ttl: 60 }));
  const { status } = await appears<WorkloadRebalancer>(
    client,
    WORKLOAD_REBALANCER,
    { name: 'r' },
    (object) => object.status?.finishTime !== undefined,
  );
  assert.deepEqual(status?.observedWorkloads, [
    { workload: web, result: 'Successful' },
    { workload: role, result: 'Failed', reason: 'ReferencedBindingNotFound' },
  ]);
  assert.equal(status?.observedGeneration, 1);
  const after = await client.get<ResourceBinding>(RESOURCE_BINDING, before.metadata);
  assert.equal(after.spec.rescheduleTriggeredAt, made.metadata.creationTimestamp);
  await clock.advance(59_000);
  assert.ok(await find(client, WORKLOAD_REBALANCER, { name: 'r' }));
  await eventually(async () => {
    await clock.advance(1_000);
    return !(await find(client, WORKLOAD_REBALANCER, { name: 'r' }));
  }, 'the rebalancer to go');
});
