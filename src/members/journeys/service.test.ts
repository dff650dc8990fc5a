import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Endpoints, EndpointSlice, Ingress, Pod, PodDisruptionBudget, Service } from '#gen/kube/types.ts';
import {
  DEPLOYMENTS,
  DISRUPTION_BUDGETS,
  ENDPOINT_SLICES,
  ENDPOINTS,
  INGRESSES,
  PODS,
  SERVICES,
} from '../resources.ts';
import { type Journey, journey, object, selector, template } from './journey.ts';

const deployment = (replicas: number, spec: object = {}) =>
  object('apps/v1', 'Deployment', 'web', { replicas, selector, template: template('web:1', { spec }) });
const service = (name: string, spec: object = {}) =>
  object('v1', 'Service', name, {
    selector: { app: 'web' },
    ports: [{ name: 'http', port: 80, targetPort: 'http' }],
    ...spec,
  });
const ports = { containers: [{ name: 'web', image: 'web:1', ports: [{ name: 'http', containerPort: 8080 }] }] };

const ready = ({ endpoints }: EndpointSlice) => endpoints.filter(({ conditions }) => conditions?.ready === true);

async function untilSlice({ client }: Journey, is: (slice: EndpointSlice) => boolean): Promise<EndpointSlice> {
  const labelSelector = 'kubernetes.io/service-name=web';
  const stop = new AbortController();
  for await (const { object: slice } of client.watch<EndpointSlice>(ENDPOINT_SLICES, {
    labelSelector,
    signal: stop.signal,
  })) {
    if (is(slice)) return slice;
  }
  throw new Error('the watch ended');
}

describe('a Service', { timeout: 120_000 }, () => {
  it('has the ready pods it selects behind it, and an address before it', async (t) => {
    const cluster = await journey(t);
    const { client, until, patch, settles } = cluster;
    await client.create(SERVICES, service('web', { type: 'LoadBalancer' }));
    await client.create(DEPLOYMENTS, deployment(3, ports));
    const slice = await untilSlice(cluster, (one) => ready(one).length === 3);
    assert.deepEqual(slice.ports, [{ name: 'http', port: 8080, protocol: 'TCP' }]);
    assert.equal(slice.endpoints[0]?.zone, 'z1');
    assert.equal(slice.endpoints[0]?.targetRef?.kind, 'Pod');
    const old = await until<Endpoints>(
      ENDPOINTS,
      'default/web',
      ({ subsets }) => subsets?.[0]?.addresses?.length === 3,
    );
    assert.equal(old.subsets?.[0]?.ports?.[0]?.port, 8080);
    const found = await until<Service>(
      SERVICES,
      'default/web',
      ({ status }) => status?.loadBalancer?.ingress !== undefined,
    );
    assert.match(found.status?.loadBalancer?.ingress?.[0]?.ip ?? '', /^(192\.0\.2|198\.51\.100|203\.0\.113)\./);
    assert.ok((found.spec?.ports?.[0]?.nodePort ?? 0) >= 30_000);
    await settles();

    const [pod] = (await client.list<Pod>(PODS, { labelSelector: 'app=web' })).items;
    await patch(PODS, `default/${pod?.metadata.name ?? ''}`, {
      metadata: { annotations: { 'members.kairship.io/fail': 'NeverReady' } },
    });
    await untilSlice(cluster, (one) => ready(one).length === 2 && one.endpoints.length === 3);
    await patch(DEPLOYMENTS, 'default/web', { spec: { replicas: 0 } });
    await untilSlice(cluster, ({ endpoints }) => endpoints.length === 0);
    await patch(SERVICES, 'default/web', {
      spec: { type: 'ClusterIP', allocateLoadBalancerNodePorts: null, externalTrafficPolicy: null },
    });
    await until<Service>(SERVICES, 'default/web', ({ status }) => status?.loadBalancer?.ingress === undefined);
  });

  it('of a headless kind names its pods', async (t) => {
    const cluster = await journey(t);
    await cluster.client.create(SERVICES, service('web', { clusterIP: 'None' }));
    const named = { ...template(), spec: { ...template().spec, hostname: 'one', subdomain: 'web' } };
    await cluster.client.create(PODS, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p', namespace: 'default', labels: { app: 'web' } },
      spec: named.spec,
    });
    const slice = await untilSlice(cluster, (one) => ready(one).length === 1);
    assert.equal(slice.endpoints[0]?.hostname, 'one');
    assert.equal(slice.metadata.labels?.['service.kubernetes.io/headless'], '');
  });

  it('may be reached through an Ingress', async (t) => {
    const { client, until } = await journey(t);
    const backend = { service: { name: 'web', port: { number: 80 } } };
    await client.create(INGRESSES, object('networking.k8s.io/v1', 'Ingress', 'web', { defaultBackend: backend }));
    await until<Ingress>(
      INGRESSES,
      'default/web',
      ({ status }) => status?.loadBalancer?.ingress?.[0]?.ip !== undefined,
    );
  });
});

describe('a disruption budget', { timeout: 120_000 }, () => {
  it('allows as many evictions as it can, and no more', async (t) => {
    const { client, until } = await journey(t);
    await client.create(DEPLOYMENTS, deployment(2));
    await client.create(
      DISRUPTION_BUDGETS,
      object('policy/v1', 'PodDisruptionBudget', 'web', { minAvailable: 1, selector }),
    );
    await until<PodDisruptionBudget>(
      DISRUPTION_BUDGETS,
      'default/web',
      ({ status }) => status?.disruptionsAllowed === 1,
    );
    const [one, other] = (await client.list<Pod>(PODS, { labelSelector: 'app=web' })).items;
    const evict = (name = '') =>
      client.create(
        PODS,
        { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace: 'default' } },
        { subresource: 'eviction' },
      );
    await evict(one?.metadata.name);
    await assert.rejects(evict(other?.metadata.name), { reason: 'TooManyRequests' });
    await until<PodDisruptionBudget>(
      DISRUPTION_BUDGETS,
      'default/web',
      ({ status }) => status?.disruptionsAllowed === 1,
    );
  });
});
