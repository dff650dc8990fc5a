import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { notFound, StatusError } from '#base/status-error.ts';
import type { MetricSpec } from '#gen/kube/types.ts';
import type { Member } from '#karmada/cluster/index.ts';
import { decodeMetricValues, decodePodMetrics, sampleOf } from './decode-metrics.ts';
import { memberMetrics } from './member-metrics.ts';

const AT = '2026-01-01T00:00:00Z';

/** A member that answers the paths it knows, and notes what it was asked. */
function member(name: string, answers: Readonly<Record<string, unknown>>, asked: string[] = []) {
  const answer = (path: string) => {
    asked.push(path);
    const found = answers[path];
    if (found === undefined) throw notFound('path', path);
    if (found instanceof Error) throw found;
    return found;
  };
  const client = {
    getText: async (path: string) => JSON.stringify(answer(path)),
    list: async () => answer('pods'),
  };
  const mapper = { byKind: async () => ({ group: 'networking.k8s.io', resource: 'ingresses' }) };
  return { name, client, mapper } as unknown as Member;
}

function read(members: readonly Member[], spec: Partial<MetricSpec>) {
  const { signal } = new AbortController();
  return memberMetrics({ members, namespace: 'shop', selector: 'app=web', signal })(spec as MetricSpec);
}

const values = (...amounts: readonly string[]) => ({ items: amounts.map((value) => ({ value, timestamp: AT })) });
const target = { type: 'Value', value: '1' };

describe('memberMetrics', () => {
  it('sums the value of an object in all members', async () => {
    const path =
      '/apis/custom.metrics.k8s.io/v1beta2/namespaces/shop/ingresses.networking.k8s.io/web/rps?metricLabelSelector=verb%3Dget';
    const metric = { name: 'rps', selector: { matchLabels: { verb: 'get' } } };
    const describedObject = { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', name: 'web' };
    const members = [member('m1', { [path]: values('2500m') }), member('m2', { [path]: values('1') })];
    const reading = await read(members, { object: { metric, describedObject, target } });
    assert.deepEqual(reading, { type: 'value', value: 3_500, silent: [] });
  });

  it('asks for an external metric by its name, and names who has none', async () => {
    const path = '/apis/external.metrics.k8s.io/v1beta1/namespaces/shop/jobs?labelSelector=queue%3Dq';
    const metric = { name: 'jobs', selector: { matchLabels: { queue: 'q' } } };
    const down = member('m2', { [path]: new StatusError('ServiceUnavailable', 'down') });
    const reading = await read([member('m1', { [path]: values('3', '4') }), down], { external: { metric, target } });
    assert.deepEqual(reading, { type: 'value', value: 7_000, silent: ['cluster m2: down'] });
  });

  it('falls back to the older custom metrics API', async () => {
    const query = '?labelSelector=app%3Dweb';
    const asked: string[] = [];
    const path = (version: string) => `/apis/custom.metrics.k8s.io/${version}/namespaces/shop/pods/*/rps${query}`;
    const items = [{ describedObject: { name: 'web-0' }, value: '5', timestamp: AT, windowSeconds: 30 }];
    const reading = await read([member('m1', { [path('v1beta1')]: { items } }, asked)], {
      pods: { metric: { name: 'rps' }, target },
    });
    assert.deepEqual(asked, [path('v1beta2'), path('v1beta1')]);
    const sample = { value: 5_000, at: Date.parse(AT), windowMs: 30_000 };
    assert.deepEqual(reading, { type: 'samples', samples: new Map([['m1/web-0', sample]]), silent: [] });
  });

  it('fails only when nobody answers, and says why', async () => {
    const reading = await read([member('m1', {})], { resource: { name: 'cpu', target } });
    assert.equal(reading.type, 'failed');
    assert.match(
      reading.type === 'failed' ? reading.message : '',
      /^unable to fetch metrics from resource metrics API: cluster m1: does not serve it from metrics\.k8s\.io/,
    );
    const empty = await read([member('m1', { pods: { items: [] } })], { resource: { name: 'cpu', target } });
    assert.deepEqual(empty, { type: 'failed', message: 'no metrics returned from resource metrics API' });
  });

  it('keeps pods of the same name in different members apart', async () => {
    const containers = [{ name: 'main', usage: { cpu: '5m' } }];
    const pods = { items: [{ metadata: { name: 'db-0' }, timestamp: AT, window: '30s', containers }] };
    const reading = await read([member('m1', { pods }), member('m2', { pods })], { resource: { name: 'cpu', target } });
    assert.deepEqual(reading.type === 'samples' && [...reading.samples.keys()], ['m1/db-0', 'm2/db-0']);
  });
});

describe('what members answer', () => {
  const pod = decodePodMetrics({
    metadata: { name: 'web-0' },
    timestamp: AT,
    window: '1m30.5s',
    containers: [
      { name: 'main', usage: { cpu: '250m', memory: '10Mi' } },
      { name: 'side', usage: { cpu: '1500u' } },
    ],
  });
  it('is the sum of the containers, or one of them', () => {
    assert.equal(pod.windowMs, 90_500);
    assert.deepEqual(sampleOf(pod, 'cpu', undefined), { value: 252, at: Date.parse(AT), windowMs: 90_500 });
    assert.deepEqual(sampleOf(pod, 'memory', 'main'), { value: 10_485_760_000, at: Date.parse(AT), windowMs: 90_500 });
  });
  it('counts only when it is complete', () => {
    assert.equal(sampleOf(pod, 'memory', undefined), undefined);
    assert.equal(sampleOf(pod, 'cpu', 'other'), 'absent');
  });
  it('may be anything', () => {
    assert.deepEqual(decodeMetricValues('nonsense'), []);
    assert.deepEqual(decodeMetricValues({ items: [{ value: 'many' }, 7] }), []);
    assert.equal(decodePodMetrics({}).containers.length, 0);
  });
});
