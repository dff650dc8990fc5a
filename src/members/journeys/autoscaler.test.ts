import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AutoscalingV2HorizontalPodAutoscaler as Autoscaler, Deployment } from '#gen/kube/types.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { AUTOSCALERS, DEPLOYMENTS } from '../resources.ts';
import { journey, object, selector, template } from './journey.ts';

const METRICS = (resource: string) => ({ group: 'metrics.k8s.io', version: 'v1beta1', resource });

function loaded(load: string) {
  const resources = { requests: { cpu: '500m', memory: '128Mi' } };
  const spec = { containers: [{ name: 'web', image: 'web:1', resources }] };
  const annotations = { 'members.kairship.io/cpu-load': load };
  return object('apps/v1', 'Deployment', 'web', {
    replicas: 1,
    selector,
    template: template('web:1', { spec, annotations }),
  });
}

const autoscaler = object('autoscaling/v2', 'HorizontalPodAutoscaler', 'web', {
  scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
  minReplicas: 1,
  maxReplicas: 6,
  metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } }],
  behavior: { scaleDown: { stabilizationWindowSeconds: 30 } },
});

describe('metrics', { timeout: 120_000 }, () => {
  it('tell what nodes and pods use', async (t) => {
    const { client, until } = await journey(t);
    await client.create(DEPLOYMENTS, loaded('700m'));
    await until<Deployment>(DEPLOYMENTS, 'default/web', ({ status }) => status?.availableReplicas === 1);
    const [pod] = (await client.list(METRICS('pods'), { namespace: 'default' })).items;
    const [container] = (pod?.['containers'] ?? []) as { name: string; usage: { cpu: string } }[];
    assert.deepEqual([container?.name, container?.usage.cpu], ['web', '700000000n']);
    const nodes = (await client.list(METRICS('nodes'))).items as (KubeObject & { usage: { cpu: string } })[];
    assert.equal(nodes.length, 3);
    assert.ok(nodes.some(({ usage }) => usage.cpu === '820000000n'));
    await assert.rejects(client.get(METRICS('pods'), { namespace: 'default', name: 'x' }), { reason: 'NotFound' });
  });
});

describe('an autoscaler', { timeout: 120_000 }, () => {
  it('follows the load up and down', async (t) => {
    const { client, until, patch, events } = await journey(t, { speed: 200 });
    await client.create(DEPLOYMENTS, loaded('1'));
    await client.create(AUTOSCALERS, autoscaler);
    // One CPU at half of half a CPU each is four pods.
    const grown = await until<Autoscaler>(AUTOSCALERS, 'default/web', ({ status }) => status?.currentReplicas === 4);
    assert.equal(grown.status?.conditions?.find(({ type }) => type === 'ScalingActive')?.reason, 'ValidMetricFound');
    await until<Autoscaler>(
      AUTOSCALERS,
      'default/web',
      ({ status }) => status?.currentMetrics?.[0]?.resource?.current.averageUtilization === 50,
    );
    assert.ok((await events('web', 'SuccessfulRescale')).includes('SuccessfulRescale'));

    await patch(DEPLOYMENTS, 'default/web', {
      spec: { template: { metadata: { annotations: { 'members.kairship.io/cpu-load': '400m' } } } },
    });
    await until<Deployment>(DEPLOYMENTS, 'default/web', ({ spec }) => spec?.replicas === 2);
  });

  it('says when it cannot tell', async (t) => {
    const { client, until } = await journey(t);
    await client.create(AUTOSCALERS, autoscaler);
    await until<Autoscaler>(
      AUTOSCALERS,
      'default/web',
      ({ status }) => status?.conditions?.[0]?.reason === 'FailedGetScale',
    );
  });
});
