/** Our agent beside a member, for a real Karmada: it takes its cluster up, brings what is placed there, and reports. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startAgent } from '#agent/start-agent.ts';
import { hasReason } from '#base/status-error.ts';
import {
  agentAccess,
  agentAccountName,
  type Cluster,
  CLUSTER,
  RESOURCE_BINDING,
  type ResourceBinding,
} from '#karmada/apis/index.ts';
import { startMember, type TestMember } from '#karmada/engine/testing.ts';
import { type HttpClient, httpClient } from '#kube/client/http-client.ts';
import { isConditionTrue } from '#kube/meta/condition.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { until } from './processes.ts';
import { type RealKarmada, startRealKarmada } from './real-karmada.ts';
import { realMissing } from './real-kube.ts';

const CONFIG_MAP = { group: '', version: 'v1', resource: 'configmaps' };
const POLICY = { group: 'policy.karmada.io', version: 'v1alpha1', resource: 'propagationpolicies' };
const ACCOUNT = { group: '', version: 'v1', resource: 'serviceaccounts' };
const settings = { namespace: 'default', name: 'settings' };

describe('our agent and a real Karmada', { skip: realMissing() ?? false, timeout: 300_000 }, () => {
  const ends: (() => unknown)[] = [];
  let karmada: RealKarmada;
  let member: TestMember;
  let control: HttpClient;
  let agent: Awaited<ReturnType<typeof startAgent>>;

  before(async () => {
    const directory = mkdtempSync(join(tmpdir(), 'real-agent-'));
    ends.push(() => rmSync(directory, { recursive: true, force: true }));
    karmada = await startRealKarmada({ directory });
    ends.push(() => karmada.stop());
    member = await startMember({ after: (end) => ends.push(end) });
  });
  after(async () => {
    for (const end of ends.reverse()) await end();
  });

  it('takes its cluster up with an agent’s rights', async () => {
    const cluster = await karmada.client.create<Cluster>(CLUSTER, {
      apiVersion: CLUSTER.apiVersion,
      kind: 'Cluster',
      metadata: { name: 'edge' },
      spec: { syncMode: 'Pull' },
    });
    for (const { gvr, object } of agentAccess(cluster, { held: false }))
      await karmada.client.apply(gvr, object, { fieldManager: 'test', force: true });
    const metadata = { namespace: 'karmada-cluster', name: agentAccountName('edge') };
    const asked = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', metadata, spec: {} };
    const { status } = (await karmada.client.create(ACCOUNT, asked, { subresource: 'token' })) as KubeObject & {
      status: { token: string };
    };
    const { server, ca } = karmada.config;
    control = httpClient({ server, ...(ca === undefined ? {} : { ca }), token: status.token });
    const local = httpClient({ server: member.url, token: 'engine' });
    const stopping = new AbortController();
    agent = await startAgent({ cluster: 'edge', control, member: local, signal: stopping.signal });
    ends.push(async () => {
      stopping.abort();
      await agent.ended.catch(() => undefined);
      control.close();
      local.close();
    });
    await agent.ready;
    await until('the cluster to be ready', async () => {
      const found = await karmada.client.get<Cluster>(CLUSTER, { name: 'edge' });
      return isConditionTrue(found.status?.conditions, 'Ready') && (found.spec.taints ?? []).length === 0;
    });
  });

  it('brings what Karmada places there, and Karmada hears of it', async () => {
    await karmada.client.create(CONFIG_MAP, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: settings,
      data: { key: 'value' },
    });
    await karmada.client.create(POLICY, {
      apiVersion: 'policy.karmada.io/v1alpha1',
      kind: 'PropagationPolicy',
      metadata: { namespace: 'default', name: 'settings' },
      spec: {
        resourceSelectors: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'settings' }],
        placement: { clusterAffinity: { clusterNames: ['edge'] } },
      },
    });
    const found = await until('the object in the member', () =>
      member.client.get(CONFIG_MAP, settings).catch(() => undefined),
    );
    assert.deepEqual(found['data'], { key: 'value' });
    await until('the binding to say so', async () => {
      const key = { namespace: 'default', name: 'settings-configmap' };
      const { status } = await karmada.client.get<ResourceBinding>(RESOURCE_BINDING, key);
      return status?.aggregatedStatus?.some(({ clusterName, applied }) => clusterName === 'edge' && applied);
    });
  });

  it('takes it out again when it is deleted', async () => {
    await karmada.client.delete(CONFIG_MAP, settings);
    await until('it to be gone', () =>
      member.client.get(CONFIG_MAP, settings).then(
        () => undefined,
        (error: unknown) => hasReason(error, 'NotFound'),
      ),
    );
  });
});
