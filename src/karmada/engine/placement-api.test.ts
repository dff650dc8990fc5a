import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PROPAGATION_POLICY } from '#karmada/apis/index.ts';
import { httpClient } from '#kube/client/index.ts';
import { staticTokens } from '#kube/apiserver/index.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { CONFIG_MAP, DEPLOYMENT, eventually, sharedPlane, testSpace } from './testing.ts';

const EXPLANATIONS = { group: 'placement.kairship.io', version: 'v1alpha1', resource: 'explanations' };
const TRACES = { ...EXPLANATIONS, resource: 'traces' };

interface Step {
  readonly name: string;
  readonly durationMs?: number;
  readonly attempts: number;
  readonly errors?: readonly { readonly message: string }[];
}

interface Trace extends KubeObject {
  readonly template: { readonly kind: string; readonly name: string };
  readonly state: string;
  readonly because: string;
  readonly steps: readonly Step[];
  readonly clusters: readonly { readonly name: string; readonly state: string; readonly steps: readonly Step[] }[];
  readonly history: readonly unknown[];
}

const plane = sharedPlane(['m1', 'm2'], {
  authenticators: [
    staticTokens({ admin: { name: 'admin', groups: ['system:masters'] }, alice: { name: 'alice', groups: [] } }),
  ],
});
let listening: Promise<string> | undefined;
const address = () => (listening ??= plane().then(async ({ karmada }) => (await karmada.server.listen()).url));

async function call(path: string, accept = 'application/json', token = 'admin') {
  const headers = { accept, authorization: `Bearer ${token}` };
  const answer = await fetch(`${await address()}/apis/placement.kairship.io/v1alpha1${path}`, { headers });
  return { code: answer.status, body: JSON.parse(await answer.text()) };
}

const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';

/** A ConfigMap on its way to both members, until its trace says that it is there. */
async function propagated(name: string) {
  const space = await testSpace(await plane());
  await space.client.create(PROPAGATION_POLICY, space.policy('p'));
  const made = await space.client.create(CONFIG_MAP, space.configMap(name));
  const uid = made.metadata.uid ?? '';
  const trace = await eventually(async () => {
    const found = await space.client.get<Trace>(TRACES, space.key(uid));
    return found.state === 'Ready' && found.steps.some((step) => step.name === 'aggregated') ? found : undefined;
  }, 'the trace to be complete');
  return { space, uid, trace };
}

describe('traces', () => {
  it('R56: follow a template from its writing to its status, cluster by cluster', async () => {
    const { trace } = await propagated('traced');
    assert.deepEqual(
      trace.steps.map(({ name }) => name),
      ['written', 'matched', 'bound', 'scheduled', 'aggregated'],
    );
    assert.deepEqual(
      trace.clusters.map(({ name, steps }) => [name, steps.map((step) => step.name)]),
      ['m1', 'm2'].map((name) => [name, ['rendered', 'applied', 'collected', 'ready']]),
    );
    for (const { durationMs } of trace.steps) assert.ok((durationMs ?? -1) >= 0);
  });

  it('have a run for each change, the newest first', async () => {
    const { space, uid } = await propagated('changed');
    await space.client.patch(CONFIG_MAP, space.key('changed'), { type: 'merge', body: { data: { key: 'other' } } });
    const trace = await eventually(async () => {
      const found = await space.client.get<Trace>(TRACES, space.key(uid));
      return found.history.length === 1 && found.state === 'Ready' ? found : undefined;
    }, 'the second run');
    assert.equal(trace.because, 'the template changed');
  });

  it('keep failed attempts with their errors', async () => {
    const space = await testSpace(await plane());
    // The member has an object of that name which is not ours.
    const member = (await plane()).member('m1').client;
    await member.create(
      { group: '', version: 'v1', resource: 'namespaces' },
      {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: space.namespace },
      },
    );
    await member.create(CONFIG_MAP, space.configMap('taken'));
    const placement = { clusterAffinity: { clusterNames: ['m1'] } };
    await space.client.create(PROPAGATION_POLICY, space.policy('p', { placement }));
    const { metadata } = await space.client.create(CONFIG_MAP, space.configMap('taken'));
    const trace = await eventually(async () => {
      const found = await space.client.get<Trace>(TRACES, space.key(metadata.uid ?? ''));
      return found.state === 'Failing' ? found : undefined;
    }, 'the failure to be traced');
    const applied = trace.clusters[0]?.steps.find(({ name }) => name === 'applied');
    assert.match(applied?.errors?.[0]?.message ?? '', /already exists in the cluster m1/);
    assert.equal(applied?.durationMs, undefined);
  });

  it('are listed with columns, and narrowed down by what they are of', async () => {
    const { space, uid } = await propagated('listed');
    const path = `/namespaces/${space.namespace}/traces?fieldSelector=template.kind=ConfigMap,template.name=listed`;
    const { body } = await call(path, TABLE);
    assert.deepEqual(
      body.columnDefinitions.map(({ name }: { name: string }) => name),
      ['Name', 'Template', 'Generation', 'State', 'Clusters', 'Took', 'Age', 'Slowest', 'Because'],
    );
    assert.deepEqual(body.rows[0].cells.slice(0, 5), [uid, 'configmap/listed', null, 'Ready', '2/2']);
    const { body: none } = await call(`/traces?fieldSelector=template.kind=ConfigMap,template.name=other`);
    assert.deepEqual([none.kind, none.items, none.message], ['TraceList', [], undefined]);
    assert.equal((await call('/traces?fieldSelector=nothing=1')).code, 400);
  });

  it('are watched, from what there is or from where a list ended', async () => {
    const { space, uid } = await propagated('watched');
    const client = httpClient({ server: await address(), token: 'admin' });
    const over = new AbortController();
    try {
      const { metadata } = await client.list(TRACES, { namespace: space.namespace });
      const { resourceVersion } = metadata;
      const seen = client.watch<Trace>(TRACES, { namespace: space.namespace, resourceVersion, signal: over.signal });
      await space.client.patch(CONFIG_MAP, space.key('watched'), { type: 'merge', body: { data: { key: 'new' } } });
      for await (const { type, object } of seen) {
        assert.equal(type, 'MODIFIED');
        assert.equal(object.metadata.name, uid);
        if (object.history.length === 1 && object.state === 'Ready') break;
      }
      const all = client.watch<Trace>(TRACES, { namespace: space.namespace, signal: over.signal });
      const types: string[] = [];
      for await (const { type } of all) {
        if (types.push(type) === 1) await space.client.delete(CONFIG_MAP, space.key('watched'));
        if (type === 'DELETED') break;
      }
      assert.equal(types[0], 'ADDED');
      const old = client.watch(TRACES, { resourceVersion: '999999999', signal: over.signal });
      await assert.rejects(async () => {
        for await (const event of old) assert.fail(event.type);
      }, /too old resource version/);
    } finally {
      over.abort();
      client.close();
    }
  });
});

describe('the placement group', () => {
  it('is found by discovery, with what can be done with each', async () => {
    const { body } = await call('');
    const verbs = Object.fromEntries(
      body.resources.map(({ name, verbs: can }: { name: string; verbs: string[] }) => [name, can.join()]),
    );
    assert.equal(verbs['traces'], 'get,list,watch');
    assert.equal(verbs['explanations'], 'get,list');
    assert.equal(verbs['clusterexplanations'], 'get,list');
  });

  it('lists explanations with their verdicts', async () => {
    const { space } = await propagated('explained');
    const { body } = await call(`/namespaces/${space.namespace}/explanations`, TABLE);
    assert.deepEqual(body.rows[0].cells.slice(0, 5), [
      'explained-configmap',
      'scheduled',
      'm1,m2 of 2',
      '',
      'not scheduled before',
    ]);
    const { body: one } = await call(`/namespaces/${space.namespace}/explanations/explained-configmap`);
    assert.equal(one.explanation.binding, `${space.namespace}/explained-configmap`);
    assert.deepEqual(one.history, []);
  });

  it('keeps the reasons of earlier decisions as history', async () => {
    const space = await testSpace(await plane());
    const placement = {
      clusterAffinity: { clusterNames: ['m1', 'm2'] },
      replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Weighted' } as const,
    };
    await space.client.create(PROPAGATION_POLICY, space.policy('p', { placement }));
    await space.client.create(DEPLOYMENT, space.deployment('scaled', 2));
    const decided = (replicas: number) =>
      eventually(async () => {
        const found = await space.client.get<KubeObject & { explanation: { replicas: number }; history: object[] }>(
          EXPLANATIONS,
          space.key('scaled-deployment'),
        );
        return found.explanation.replicas === replicas ? found : undefined;
      }, `${replicas} replicas to be placed`);
    await decided(2);
    await space.client.patch(DEPLOYMENT, space.key('scaled'), { type: 'merge', body: { spec: { replicas: 5 } } });
    const { history } = await decided(5);
    assert.equal(history.length, 1);
  });

  it('is closed to those who were not let in', async () => {
    assert.equal((await call('/traces', 'application/json', 'alice')).code, 403);
    assert.equal((await call('/namespaces/default/explanations/x', 'application/json', 'alice')).code, 403);
  });
});
