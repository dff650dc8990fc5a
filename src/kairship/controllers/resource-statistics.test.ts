import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { apiServer } from '#kube/apiserver/index.ts';
import { memoryStore } from '#kube/store/index.ts';
import { INSTANCES, type Instance } from '../instances/instance.ts';
import { installInstances } from '../instances/install.ts';
import { instances } from '../instances/kinds.ts';
import type { ListRequest, Reads } from '../read/reads.ts';
import { resourceStatisticsController } from './resource-statistics-controller.ts';
import { eventually, run } from './testing.ts';

const member = (name: string, nodes: number) => ({
  metadata: { name },
  status: {
    conditions: [{ type: 'Ready', status: 'True' }],
    nodeSummary: { totalNum: nodes, readyNum: nodes },
    resourceSummary: { allocatable: { cpu: String(nodes), memory: `${nodes}Gi` }, allocated: {} },
  },
});

describe('the statistics of an instance', () => {
  it('R23, R40: are written when they change and then alone, from members and never from nodes of its own', async (t) => {
    const server = await apiServer({ store: memoryStore() });
    t.after(() => server.close());
    const client = server.client();
    await installInstances(client, systemClock, new AbortController().signal);
    let members = [member('a', 3), member('b', 2)];
    const asked: string[] = [];
    const reads = {
      async all({ resource }: ListRequest) {
        asked.push(resource.resource);
        return resource.resource === 'clusters' ? members : [];
      },
      async count({ resource }: ListRequest) {
        asked.push(resource.resource);
        return 1;
      },
    } as Partial<Reads> as Reads;
    const times = () => asked.filter((resource) => resource === 'clusters').length;
    const secretRef = { namespace: 'kairship-system', name: 'x' };
    await instances(client).create({ metadata: { name: 'prod' }, spec: { mode: 'external', secretRef } });
    t.after(run(client, (informers) => resourceStatisticsController({ client, informers, reads, everyMs: 1 })));

    const shows = async (totalNum: number): Promise<Instance> => {
      const instance = await client.get<Instance>(INSTANCES, { name: 'prod' });
      assert.deepEqual(instance.status?.summary?.['nodeSummary'], { totalNum, readyNum: totalNum });
      return instance;
    };
    await eventually(async () => void (await shows(5)));
    // The controller hears of its own write a moment later; after that there is nothing to write.
    const heard = times() + 3;
    await eventually(async () => assert.ok(times() > heard));
    const { metadata } = await shows(5);
    const since = times() + 5;
    await eventually(async () => assert.ok(times() > since));
    assert.equal((await shows(5)).metadata.resourceVersion, metadata.resourceVersion);

    members = [member('a', 3)];
    await eventually(async () => void (await shows(3)));
    assert.ok(!asked.includes('nodes'), 'what an instance itself has is no part of its size');
  });
});
