/** A member that nobody reaches but its agent, which dials out: with the rights an agent has, and no others. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { silentLog } from '#base/log.ts';
import { agentAccess, agentAccountName, type Cluster, CLUSTER, type Work, WORK } from '#karmada/apis/index.ts';
import {
  appears,
  CONFIG_MAP,
  configMap,
  disappears,
  eventually,
  policy,
  sharedPlane,
  startMember,
  type TestMember,
  type TestPlane,
} from '#karmada/engine/testing.ts';
import { MASTERS, staticTokens } from '#kube/apiserver/index.ts';
import { httpClient, type HttpClient } from '#kube/client/http-client.ts';
import { isConditionTrue } from '#kube/meta/condition.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { memoryStore } from '#kube/store/index.ts';
import { agentCredential } from './credential.ts';
import { type Agent, startAgent } from './start-agent.ts';

const TOKENS = { admin: { name: 'admin', groups: [MASTERS] }, nobody: { name: 'nobody', groups: [] } };
const shared = sharedPlane([], {
  store: memoryStore(),
  authenticators: [staticTokens(TOKENS)],
  engine: { heartbeat: { everyMs: 50, grace: { startupMs: 60_000, monitorMs: 5_000 } } },
});

interface Running {
  readonly agent: Agent;
  stop(): Promise<void>;
}

describe('a cluster that pulls', () => {
  let plane: TestPlane;
  let url: string;
  let member: TestMember;
  let running: Running;

  after(async () => {
    for (const end of ends.reverse()) await end();
  });
  before(async () => {
    plane = await shared();
    ({ url } = await plane.karmada.server.listen());
    member = await startMember({ after: (end) => ends.push(end) });
    await invite('edge');
    running = await run('edge', member.url);
    await ready('edge');
  });
  const ends: (() => unknown)[] = [];

  /** What making a token does: the Cluster, and what its agent may do. */
  async function invite(name: string): Promise<void> {
    const cluster = await plane.client.create<Cluster>(CLUSTER, {
      apiVersion: CLUSTER.apiVersion,
      kind: 'Cluster',
      metadata: { name },
      spec: { syncMode: 'Pull' },
    });
    for (const { gvr, object } of agentAccess(cluster, { held: true }))
      await plane.client.create(gvr, object).catch(() => undefined);
  }

  async function tokenFor(name: string): Promise<string> {
    const metadata = { namespace: 'karmada-cluster', name: agentAccountName(name) };
    const asked = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', metadata, spec: {} };
    const accounts = { group: '', version: 'v1', resource: 'serviceaccounts' };
    const { status } = (await plane.client.create(accounts, asked, { subresource: 'token' })) as KubeObject & {
      status: { token: string };
    };
    return status.token;
  }

  async function run(cluster: string, server: string, token?: string): Promise<Running> {
    const stopping = new AbortController();
    const toMember = httpClient({ server, token: 'engine' });
    const given = { server: url, cluster, token: token ?? (await tokenFor(cluster)) };
    const credential = await agentCredential({ given, member: toMember, clock: systemClock, log: silentLog });
    const control = httpClient(credential.config);
    const facts = { region: 'nowhere', labels: { reach: 'none' } };
    const agent = await startAgent({
      cluster,
      control,
      member: toMember,
      facts,
      leaseMs: 400,
      status: { everyMs: 50, thresholds: { successMs: 0, failureMs: 0 } },
      signal: stopping.signal,
    }).catch((error: unknown) => {
      control.close();
      toMember.close();
      throw error;
    });
    const keeping = credential.keep(control, stopping.signal);
    await agent.ready;
    const stop = async () => {
      stopping.abort();
      await Promise.all([agent.ended.catch(() => undefined), keeping]);
      control.close();
      toMember.close();
    };
    ends.push(stop);
    return { agent, stop };
  }

  const ready = (name: string, status = 'True') =>
    appears<Cluster>(plane.client, CLUSTER, { name }, (cluster) =>
      (cluster.status?.conditions ?? []).some((each) => each.type === 'Ready' && each.status === status),
    );

  async function through(
    path: string,
    { token = 'admin', method = 'GET', body }: { token?: string; method?: string; body?: string } = {},
  ): Promise<{ code: number | undefined; text: string }> {
    const client: HttpClient = httpClient({ server: url, token });
    try {
      const answer = await client.request({
        method,
        path: `/apis/cluster.karmada.io/v1alpha1/clusters/edge/proxy${path}`,
        headers: { 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body }),
      });
      const text = Buffer.concat(await Array.fromAsync(answer as AsyncIterable<Buffer>)).toString();
      return { code: answer.statusCode, text };
    } finally {
      client.close();
    }
  }

  it('is taken up by its agent, which says which cluster it is and where', async () => {
    const { spec, metadata, status } = await ready('edge');
    assert.equal(spec.region, 'nowhere');
    assert.equal(metadata.labels?.['reach'], 'none');
    const kubeSystem = await member.client.get(NAMESPACES, { name: 'kube-system' });
    assert.equal(spec.id, kubeSystem.metadata.uid);
    assert.equal(spec.apiEndpoint, undefined);
    assert.ok(status?.kubernetesVersion);
  });

  it('gets what policies place there, reports it, and gives it up again', async () => {
    await plane.client.create(CONFIG_MAP, configMap('pulled'));
    const placement = { clusterAffinity: { clusterNames: ['edge'] } };
    const resourceSelectors = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'pulled' }];
    await plane.client.create(POLICIES, policy('to-edge', { placement, resourceSelectors }));
    await appears(member.client, CONFIG_MAP, 'pulled');
    await eventually(async () => {
      const { items } = await plane.client.list<Work>(WORK, { namespace: 'karmada-es-edge' });
      return items.some(
        ({ metadata, status }) => metadata.name.startsWith('pulled-') && isConditionTrue(status?.conditions, 'Applied'),
      );
    }, 'the Work to be applied');
    await eventually(async () => {
      const { items } = await plane.client.list<TraceObject>(TRACES, { namespace: 'default' });
      const { clusters = [] } = items.find(({ template }) => template.name === 'pulled') ?? {};
      return clusters.some(({ name, state }) => name === 'edge' && state === 'Ready');
    }, 'the trace to say that it has arrived');
    await plane.client.delete(CONFIG_MAP, { namespace: 'default', name: 'pulled' });
    await disappears(member.client, CONFIG_MAP, 'pulled');
  });

  it('is reached through the control plane by its users, each as themselves', async () => {
    const maps = '/api/v1/namespaces/default/configmaps';
    await member.client.create(CONFIG_MAP, configMap('local'));
    assert.match((await through(`${maps}/local`)).text, /"name":"local"/);
    const made = await through(maps, { method: 'POST', body: JSON.stringify(configMap('by-proxy')) });
    assert.equal(made.code, 201, made.text);
    assert.equal((await through(`${maps}/local`, { token: 'nobody' })).code, 403);
  });

  it('refuses what the control plane would change in its own name', async () => {
    const cluster = await plane.client.get<Cluster>(CLUSTER, { name: 'edge' });
    const { client } = await plane.karmada.engine.members.connect(cluster);
    assert.ok(await client.get(CONFIG_MAP, { namespace: 'default', name: 'local' }));
    await assert.rejects(client.create(CONFIG_MAP, configMap('sneaked')), {
      reason: 'Forbidden',
      message: 'the control plane may change nothing here in its own name',
    });
  });

  it('lets its agent see and change nothing of others', async () => {
    const agent = httpClient({ server: url, token: await tokenFor('edge') });
    try {
      await assert.rejects(agent.list(WORK, { namespace: 'karmada-es-other' }), { reason: 'Forbidden' });
      await assert.rejects(agent.list(WORK), { reason: 'Forbidden' });
      await assert.rejects(agent.list({ group: '', version: 'v1', resource: 'secrets' }), { reason: 'Forbidden' });
      await assert.rejects(
        agent.create(CLUSTER, { apiVersion: CLUSTER.apiVersion, kind: 'Cluster', metadata: { name: 'x' } }),
        { reason: 'Forbidden' },
      );
    } finally {
      agent.close();
    }
  });

  it('is unknown when its agent is heard of no more, and known again when it is back', async () => {
    await running.stop();
    await ready('edge', 'Unknown');
    const silent = await through('/version');
    assert.equal(silent.code, 503);
    assert.match(silent.text, /the agent of cluster edge is not connected/);
    // The token it was given has ended meanwhile; the one it asked for is in the member.
    running = await run('edge', member.url, 'ended');
    await ready('edge');
    await eventually(async () => (await through('/version')).code === 200, 'the tunnel to be open again');
  });

  it('cannot be taken up by the agent of another cluster', async () => {
    const other = await startMember({ after: (end) => ends.push(end) });
    await assert.rejects(run('edge', other.url), { reason: 'Conflict', message: /another cluster/ });
  });

  it('leaves with everything it was given, and its agent ends', async () => {
    await plane.client.create(CONFIG_MAP, configMap('last'));
    const placement = { clusterAffinity: { clusterNames: ['edge'] } };
    const resourceSelectors = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'last' }];
    await plane.client.create(POLICIES, policy('last-to-edge', { placement, resourceSelectors }));
    await appears(member.client, CONFIG_MAP, 'last');
    const token = await tokenFor('edge');
    await plane.client.delete(CLUSTER, { name: 'edge' });
    await disappears(plane.client, CLUSTER, { name: 'edge' });
    await disappears(member.client, CONFIG_MAP, 'last');
    await assert.rejects(running.agent.ended, { reason: 'Gone', message: /no member any more/ });
    const late = httpClient({ server: url, token });
    await eventually(
      () =>
        late.get(CLUSTER, { name: 'edge' }).then(
          () => false,
          ({ reason }) => reason === 'Unauthorized',
        ),
      'its token to be worth nothing',
    );
    late.close();
  });
});

interface TraceObject extends KubeObject {
  readonly template: { readonly name: string };
  readonly clusters?: readonly { readonly name: string; readonly state: string }[];
}

const TRACES = { group: 'placement.kairship.io', version: 'v1alpha1', resource: 'traces' };
const NAMESPACES = { group: '', version: 'v1', resource: 'namespaces' };
const POLICIES = { group: 'policy.karmada.io', version: 'v1alpha1', resource: 'propagationpolicies' };
