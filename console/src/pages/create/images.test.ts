import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { imageName, offeredImages } from './images.ts';

const workload = (...images: readonly string[]) => ({
  spec: { template: { spec: { containers: images.map((image) => ({ image })) } } },
});

describe('images that are offered', () => {
  it('are those that run, in workloads, pods and cron jobs, the most usual first', () => {
    const pod = { spec: { containers: [{ image: 'nginx:1' }], initContainers: [{ image: 'wait:2' }] } };
    const cron = { spec: { jobTemplate: { spec: workload('report:3').spec } } };
    assert.deepEqual(offeredImages([workload('api:1', 'nginx:1'), pod, cron, {}, undefined]), [
      'nginx:1',
      'api:1',
      'report:3',
      'wait:2',
    ]);
  });

  it('are named with their registry, and without a project that is none', () => {
    assert.equal(imageName('hub.example', 'web', 'shop/front', '1.0'), 'hub.example/web/shop/front:1.0');
    assert.equal(imageName('hub.example', '_', 'plain', 'latest'), 'hub.example/plain:latest');
  });
});
