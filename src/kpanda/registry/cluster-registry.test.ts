import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hasReason, StatusError } from '#base/status-error.ts';
import { isConditionTrue, findCondition } from '#kube/meta/condition.ts';
import { eventually, names } from '../index/testing.ts';
import { SECRETS, VIRTUAL_LABEL } from './cluster.ts';
import { problemsOf, validateKubeconfig } from './validate-kubeconfig.ts';
import { testMember, testRegistry, TOKENS } from './testing.ts';

const NODES = { group: '', version: 'v1', resource: 'nodes' };
const node = (name: string, ready: boolean) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name },
  spec: { podCIDR: '10.1.0.0/24' },
  status: {
    capacity: { cpu: '4', memory: '8Gi', pods: '110' },
    allocatable: { cpu: '3500m', memory: '7Gi', pods: '110' },
    conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }],
  },
});

describe('a kubeconfig to import', () => {
  it('is taken when its bearer may do everything', async (t) => {
    const member = await testMember(t);
    const report = await validateKubeconfig(member.kubeconfig());
    assert.equal(report.ok, true, problemsOf(report));
    assert.deepEqual([report.user, report.server, report.missing], ['admin', member.url, []]);
    assert.match(report.version ?? '', /^v1\./);
    assert.ok(report.kubeSystemID);
  });

  it('is refused with exactly the rights that are missing', async (t) => {
    const member = await testMember(t);
    const report = await validateKubeconfig(member.kubeconfig(TOKENS.reader), { purpose: 'read' });
    assert.equal(report.ok, false);
    assert.deepEqual(report.missing.map(({ verb, resource }) => `${verb} ${resource}`).toSorted(), [
      'get secrets',
      'list secrets',
      'watch secrets',
    ]);
    assert.match(problemsOf(report), /^rights: the bearer may not get secrets, list secrets, watch secrets$/);
    const more = await validateKubeconfig(member.kubeconfig(TOKENS.reader));
    assert.ok(more.missing.some(({ verb, resource }) => verb === 'create' && resource === 'pods'));
  });

  const broken: readonly (readonly [because: string, text: (url: string) => string, words: RegExp])[] = [
    ['when it cannot be read', () => 'not: [a kubeconfig', /^kubeconfig: /],
    [
      'when nobody answers',
      () => kubeconfigOf('https://127.0.0.1:1'),
      /^reachable: .*127\.0\.0\.1:1 cannot be reached/,
    ],
    ['when its token is not known', (url) => kubeconfigOf(url, 'wrong'), /authenticated: /],
    [
      'when it would run a program here',
      (url) =>
        kubeconfigOf(url).replace('token: t', 'exec: {command: sh, apiVersion: client.authentication.k8s.io/v1}'),
      /^kubeconfig: /,
    ],
    [
      'when its token has ended',
      (url) => kubeconfigOf(url, `a.${Buffer.from('{"exp":1000000000}').toString('base64url')}.c`),
      /expiry: the token ended at 2001/,
    ],
  ];
  for (const [because, text, words] of broken) {
    it(`is refused ${because}`, async (t) => {
      const member = await testMember(t);
      const report = await validateKubeconfig(text(member.url), { timeoutMs: 2_000 });
      assert.equal(report.ok, false);
      assert.match(problemsOf(report), words);
    });
  }
});

function kubeconfigOf(server: string, token = 't'): string {
  return `apiVersion: v1
kind: Config
current-context: c
clusters: [{name: c, cluster: {server: "${server}"}}]
contexts: [{name: c, context: {cluster: c, user: u}}]
users:
- name: u
  user:
    token: ${token}
`;
}

describe('the inventory', () => {
  it('imports a cluster, learns what it is, and indexes it', async (t) => {
    const { registry, until, reader, client } = await testRegistry(t);
    const member = await testMember(t);
    await member.server.client().create(NODES, node('n1', true));
    await member.server.client().create(NODES, node('n2', false));
    await registry.importCluster({
      name: 'one',
      kubeconfig: member.kubeconfig(),
      provider: 'aws',
      region: 'eu',
      labels: { env: 'prod' },
    });
    const cluster = await until('one', (found) => found?.status?.nodeSummary?.total === 2);
    const { status, spec } = cluster ?? {};
    assert.equal(status?.phase, 'Running');
    assert.deepEqual(status?.nodeSummary, { total: 2, ready: 1 });
    assert.deepEqual(status?.resourceSummary?.allocatable, { cpu: '7', memory: '14Gi', pods: '220' });
    assert.equal(status?.podCIDR, '10.1.0.0/24');
    assert.ok(status?.apiGroups?.includes('apps/v1'));
    assert.ok(isConditionTrue(status?.conditions, 'Ready'));
    assert.equal(spec?.apiEndpoint, member.url);
    assert.ok(!JSON.stringify(cluster).includes(TOKENS.first), 'no credential in the object');
    await eventually(reader, async () => (await names(reader, 'nodes')).join() === 'one//n1,one//n2');
    assert.match(await registry.kubeconfig('one'), /token-1/);
    assert.deepEqual(
      (await registry.list({ provider: 'aws', labelSelector: 'env=prod' })).map(({ metadata }) => metadata.name),
      ['one'],
    );
    await assert.rejects(registry.importCluster({ name: 'two', kubeconfig: member.kubeconfig() }), (error) =>
      hasReason(error, 'AlreadyExists'),
    );
    await registry.setLabels('one', { team: 'a', [VIRTUAL_LABEL]: 'true' });
    assert.deepEqual((await registry.get('one')).metadata.labels, { team: 'a' });
    assert.equal((await client.list(SECRETS, { namespace: 'kpanda-system' })).items.length, 1);
  });

  it('keeps nothing of a cluster it refuses', async (t) => {
    const { registry, client } = await testRegistry(t);
    const member = await testMember(t);
    await assert.rejects(
      registry.importCluster({ name: 'one', kubeconfig: member.kubeconfig(TOKENS.nobody) }),
      (error) =>
        error instanceof StatusError &&
        error.reason === 'Invalid' &&
        /cannot be used: rights: the bearer may not/.test(error.message),
    );
    assert.deepEqual(await registry.list(), []);
    assert.equal((await client.list(SECRETS, { namespace: 'kpanda-system' })).items.length, 0);
  });

  it('R19: hides virtual clusters from whoever does not ask for them', async (t) => {
    const { registry, clusters } = await testRegistry(t);
    const secretRef = { namespace: 'kairship-system', name: 'x' };
    await clusters.create({ metadata: { name: 'k-prod', labels: { [VIRTUAL_LABEL]: 'true' } }, spec: { secretRef } });
    assert.deepEqual(await registry.list(), []);
    assert.equal((await registry.list({ showVirtualCluster: true })).length, 1);
  });

  it('R46: rotates a credential without losing the cluster, and refuses one that does not work or is of another', async (t) => {
    const { registry, until, members, clusters, client } = await testRegistry(t);
    const member = await testMember(t);
    const other = await testMember(t);
    await registry.importCluster({ name: 'one', kubeconfig: member.kubeconfig() });
    await until('one', (found) => found?.status?.phase === 'Running' && found.status.kubeSystemID !== undefined);
    await assert.rejects(registry.rotate('one', member.kubeconfig('wrong')), (error) => hasReason(error, 'Invalid'));
    await assert.rejects(registry.rotate('one', other.kubeconfig()), /of another cluster/);
    assert.match(await registry.kubeconfig('one'), /token-1/);
    await registry.rotate('one', member.kubeconfig(TOKENS.second));
    const connection = async () => (await members.connect(await clusters.get('one'))).client.config.token;
    assert.equal(await connection(), TOKENS.second);
    // Somebody writes a wrong one straight into the Secret.
    const wrong = Buffer.from(other.kubeconfig()).toString('base64');
    await client.patch(
      SECRETS,
      { namespace: 'kpanda-system', name: 'cluster-one' },
      { type: 'merge', body: { data: { kubeconfig: wrong } } },
    );
    assert.equal(await connection(), TOKENS.second);
    const told = await until(
      'one',
      (found) => findCondition(found?.status?.conditions, 'CredentialValid')?.status === 'False',
    );
    assert.equal(told?.status?.phase, 'Running');
    assert.match(
      findCondition(told?.status?.conditions, 'CredentialValid')?.message ?? '',
      /of another cluster.*still in use/,
    );
  });

  it('removes a cluster with everything of it, also when it is dead', async (t) => {
    const { registry, until, database, client } = await testRegistry(t);
    const member = await testMember(t);
    await registry.importCluster({ name: 'one', kubeconfig: member.kubeconfig() });
    await until('one', (found) => found?.status?.nodeSummary !== undefined);
    await member.server.close();
    await registry.remove('one');
    await until('one', (found) => found === undefined);
    for (const table of ['objects', 'streams', 'sources', 'usage']) {
      const [rows = []] = await database.read([{ text: `SELECT * FROM ${table}`, params: [] }]);
      assert.equal(rows.length, 0, table);
    }
    assert.equal((await client.list(SECRETS, { namespace: 'kpanda-system' })).items.length, 0);
  });

  it('says of a cluster that went away that it is unknown, and keeps what it knew', async (t) => {
    const { registry, until, clusters } = await testRegistry(t);
    const member = await testMember(t);
    await registry.importCluster({ name: 'one', kubeconfig: member.kubeconfig() });
    await until('one', (found) => found?.status?.nodeSummary !== undefined);
    await member.server.close();
    // A change wakes the controller before its time.
    await clusters.modify('one', (draft) => void (draft.spec.zone = 'z'));
    const cluster = await until('one', (found) => found?.status?.phase === 'Unknown');
    assert.match(findCondition(cluster?.status?.conditions, 'Ready')?.message ?? '', /cannot be reached/);
    assert.ok(cluster?.status?.kubernetesVersion);
  });
});
