/** The inventory as an API: over REST and gRPC, on a real inventory with members, and who may call what. */
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { systemClock } from '#base/clock.ts';
import { silentLog } from '#base/log.ts';
import { StatusError } from '#base/status-error.ts';
import { ClusterService } from '#gen/proto/kpanda/api/cluster/v1alpha1/cluster_service_pb.ts';
import { onePort, rpcClient } from '#rpc/index.ts';
import { testMember, testRegistry, TOKENS } from '../registry/testing.ts';
import type { ReviewedAction, ReviewedCaller } from '../reviews.ts';
import { VIRTUAL_LABEL } from '../registry/index.ts';
import { kpandaApi } from './kpanda-api.ts';
import { reviewedCalls } from './reviewed-calls.ts';

const ROOT = '/apis/kpanda.io/v1alpha1';

/** A cluster that knows two tokens: one may look, one may look at one cluster. */
const asked: ReviewedAction[] = [];
const reviews = {
  async callerOf(token: string): Promise<ReviewedCaller> {
    if (token !== 'viewer' && token !== 'single') throw new StatusError('Unauthorized', 'Unauthorized');
    return { user: token, groups: [] };
  },
  async allows({ user }: ReviewedCaller, action: ReviewedAction): Promise<boolean> {
    asked.push(action);
    const looks = action.subresource === undefined && (action.verb === 'get' || action.verb === 'list');
    return looks && (user === 'viewer' || action.name === 'one');
  },
};

async function served(t: TestContext) {
  const inventory = await testRegistry(t);
  const calls = { count: 0 };
  const registry = new Proxy(inventory.registry, {
    get: (target, name, receiver) => {
      calls.count += 1;
      return Reflect.get(target, name, receiver) as unknown;
    },
  });
  const api = kpandaApi({
    registry,
    members: inventory.members,
    ...reviewedCalls({ reviews, adminToken: 'root' }),
    clock: systemClock,
    log: silentLog,
  });
  const server = onePort({
    onRequest: (request, response) => void (api.handle(request, response) || response.writeHead(404).end()),
    onHttp2: (request, response) => void (api.handle(request, response) || response.writeHead(404).end()),
  });
  const port = await server.listen(0, '127.0.0.1');
  t.after(() => server.close());
  const base = `http://127.0.0.1:${port}`;
  const call = async (verb: string, path: string, body?: object, token = 'root') => {
    const answer = await fetch(`${base}${ROOT}${path}`, {
      method: verb,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    // oxlint-disable-next-line typescript/no-explicit-any -- answers of every shape
    return { status: answer.status, body: (await answer.json()) as any };
  };
  return { ...inventory, base, call, calls };
}

describe('the API of the inventory', () => {
  it('imports, shows, changes, rotates and removes a cluster, and never shows its credential', async (t) => {
    const { call, until } = await served(t);
    const member = await testMember(t);
    const kubeconfig = member.kubeconfig();
    const report = await call('POST', '/clusters/validate', { kubeconfig });
    assert.deepEqual([report.body.ok, report.body.user, report.body.missing], [true, 'admin', []]);
    const poor = await call('POST', '/clusters/validate', { kubeconfig: member.kubeconfig(TOKENS.reader) });
    assert.equal(poor.body.ok, false);
    assert.ok(poor.body.missing.length > 0);

    const made = await call('POST', '/clusters', { name: 'one', kubeconfig, aliasName: 'One', labels: { tier: 'a' } });
    assert.equal(made.status, 200, JSON.stringify(made.body));
    assert.equal((await call('POST', '/clusters', { name: 'one', kubeconfig })).status, 409);
    const refused = await call('POST', '/clusters', { name: 'two', kubeconfig: member.kubeconfig(TOKENS.nobody) });
    assert.equal(refused.status, 422);
    assert.match(refused.body.message, /cluster "two" cannot be used/);

    await until('one', (cluster) => cluster?.status?.phase === 'Running');
    const one = (await call('GET', '/clusters/one')).body;
    assert.deepEqual([one.status.phase, one.spec.aliasName, one.metadata.labels.tier], ['Running', 'One', 'a']);
    assert.match(one.status.kubernetesVersion, /^v1\./);
    assert.equal(one.status.credential.type, 'token');
    assert.ok(!JSON.stringify(one).includes(TOKENS.first));

    const changed = await call('PUT', '/clusters/one', { region: 'eu' });
    assert.deepEqual([changed.body.spec.region, changed.body.spec.aliasName], ['eu', 'One']);
    const labelled = await call('PUT', '/clusters/one/labels', { labels: { tier: 'b' } });
    assert.equal(labelled.body.metadata.labels.tier, 'b');

    const other = await testMember(t);
    const wrong = await call('POST', '/clusters/one/validate', { kubeconfig: other.kubeconfig() });
    assert.equal(wrong.body.ok, false);
    assert.match(JSON.stringify(wrong.body.checks), /of another cluster/);
    assert.equal(
      (await call('POST', '/clusters/one/credential:rotate', { kubeconfig: other.kubeconfig() })).status,
      422,
    );
    const second = member.kubeconfig(TOKENS.second);
    assert.equal((await call('POST', '/clusters/one/credential:rotate', { kubeconfig: second })).body.user, 'admin-2');
    const kept = await call('GET', '/clusters/one/kubeconfig');
    assert.ok(kept.body.kubeConfigString.includes(TOKENS.second));

    const { items } = (await call('GET', '/clusters/one/preferredresources')).body;
    const deployments = items.find(({ resource }: { resource: string }) => resource === 'deployments');
    assert.deepEqual(deployments, {
      group: 'apps',
      version: 'v1',
      resource: 'deployments',
      kind: 'Deployment',
      namespaced: true,
    });
    assert.deepEqual((await call('GET', '/clusters/one/usage')).body, { samples: [] });
    assert.equal((await call('DELETE', '/clusters/one')).status, 200);
    await until('one', (cluster) => cluster === undefined);
    assert.equal((await call('GET', '/clusters/one')).status, 404);
  });

  it('R19: lists by filter, order and page, and hides clusters that stand for instances', async (t) => {
    const { call, clusters, base } = await served(t);
    const secretRef = { namespace: 'kpanda-system', name: 'none' };
    for (const [name, region] of [
      ['b', 'eu'],
      ['a', 'eu'],
      ['c', 'us'],
    ] as const)
      await clusters.create({ metadata: { name }, spec: { secretRef, region } });
    await clusters.create({ metadata: { name: 'k-demo', labels: { [VIRTUAL_LABEL]: 'true' } }, spec: { secretRef } });
    const listed = async (query: string) => {
      const { status, body } = await call('GET', `/clusters?${query}`);
      assert.equal(status, 200, JSON.stringify(body));
      return body.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name) as string[];
    };
    assert.deepEqual(await listed('sortBy=field_name&sortDir=asc'), ['a', 'b', 'c']);
    assert.deepEqual(await listed('sortBy=field_name&sortDir=desc&region=eu'), ['b', 'a']);
    assert.deepEqual(await listed('sortBy=field_name&sortDir=asc&pageSize=2&page=2'), ['c']);
    assert.deepEqual((await listed('showVirtualCluster=true')).length, 4);
    assert.deepEqual(await listed('managedBy=kairship&showVirtualCluster=true'), ['k-demo']);
    assert.deepEqual(await listed('phase=Running'), []);
    assert.equal((await call('GET', '/clusters?pageSize=100000')).status, 400);
    const summary = (await call('GET', '/clustersummary')).body.items;
    assert.deepEqual(summary.map(({ name }: { name: string }) => name).toSorted(), ['a', 'b', 'c']);

    const grpc = rpcClient(ClusterService, createGrpcTransport({ baseUrl: base }));
    const headers = { authorization: 'Bearer root' };
    assert.equal((await grpc.getCluster({ name: 'c' }, { headers })).spec?.region, 'us');
    await assert.rejects(grpc.getCluster({ name: 'none' }, { headers }), { reason: 'NotFound' });
    await assert.rejects(grpc.getCluster({ name: 'c' }), { reason: 'Unauthorized' });
  });

  it('R11: refuses whoever may not, before the inventory hears of it', async (t) => {
    const { call, calls, base } = await served(t);
    const requests: readonly (readonly [string, string, object?])[] = [
      ['POST', '/clusters', { name: 'x', kubeconfig: 'x' }],
      ['POST', '/clusters/validate', { kubeconfig: 'x' }],
      ['POST', '/clusters/one/validate', { kubeconfig: 'x' }],
      ['PUT', '/clusters/one', { region: 'eu' }],
      ['PUT', '/clusters/one/labels', { labels: {} }],
      ['POST', '/clusters/one/credential:rotate', { kubeconfig: 'x' }],
      ['DELETE', '/clusters/one'],
      ['GET', '/clusters/one/kubeconfig'],
      ['GET', '/clusters/one/usage'],
    ];
    for (const [verb, path, body] of requests) {
      assert.equal((await call(verb, path, body, 'viewer')).status, 403, `${verb} ${path}`);
      assert.equal((await call(verb, path, body, 'forged')).status, 401, `${verb} ${path}`);
    }
    for (const path of ['/clusters', '/clustersummary', '/clusters/two'])
      assert.equal((await call('GET', path, undefined, 'single')).status, 403, path);
    assert.equal((await fetch(`${base}${ROOT}/clusters`)).status, 401);
    assert.equal(calls.count, 0);
    assert.ok(asked.some(({ verb, subresource, name }) => `${verb} ${subresource} ${name}` === 'get kubeconfig one'));

    assert.equal((await call('GET', '/clusters', undefined, 'viewer')).status, 200);
    assert.equal((await call('GET', '/clusters/one', undefined, 'single')).status, 404);
  });
});
