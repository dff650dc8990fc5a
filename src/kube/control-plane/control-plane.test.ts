import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { ConfigMap, Pod, Secret, ServiceAccount } from '#gen/kube/types.ts';
import { MASTERS, staticTokens } from '#kube/apiserver/index.ts';
import { call } from '#kube/apiserver/testing.ts';
import { httpClient } from '#kube/client/http-client.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { Gvr } from '#kube/meta/gvk.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { memoryStore } from '#kube/store/index.ts';
import { controlPlane, type ControlPlaneOptions } from './control-plane.ts';

const core = (resource: string): Gvr => ({ group: '', version: 'v1', resource });

async function plane(t: TestContext, options: Partial<ControlPlaneOptions> = {}) {
  const authenticators = [staticTokens({ admin: { name: 'admin', groups: [MASTERS] } })];
  const server = await controlPlane({ store: memoryStore(), authenticators, ca: () => 'the CA', ...options });
  t.after(() => server.close());
  const { url } = await server.listen();
  const as = (token: string) => {
    const client = httpClient({ server: url, token });
    t.after(() => client.close());
    return client;
  };
  return { server, url, as, client: server.client() };
}

/** The first state of an object that passes; a watch, so no time is lost and none is assumed. */
async function first<T extends KubeObject>(
  client: KubeClient,
  gvr: Gvr,
  namespace: string,
  is: (object: T) => boolean,
) {
  const stop = new AbortController();
  for await (const { type, object } of client.watch<T>(gvr, { namespace, signal: stop.signal })) {
    if (type !== 'DELETED' && is(object)) return object;
  }
  throw new Error('the watch ended');
}

describe('a control plane', () => {
  it('gives pods the priority of their class, and of the default one', async (t) => {
    const { client } = await plane(t);
    const classes = { group: 'scheduling.k8s.io', version: 'v1', resource: 'priorityclasses' };
    const make = (name: string, value: number, globalDefault = false) =>
      client.create(classes, {
        apiVersion: 'scheduling.k8s.io/v1',
        kind: 'PriorityClass',
        metadata: { name },
        value,
        globalDefault,
        preemptionPolicy: 'Never',
      });
    const pod = async (name: string, given: object = {}) => {
      const spec = { containers: [{ name: 'main', image: 'nginx' }], ...given };
      const metadata = { name, namespace: 'default' };
      const made = await client.create<Pod>(core('pods'), { apiVersion: 'v1', kind: 'Pod', metadata, spec });
      return [made.spec?.priorityClassName, made.spec?.priority, made.spec?.preemptionPolicy];
    };
    assert.deepEqual(await pod('plain'), [undefined, 0, 'PreemptLowerPriority']);
    await make('named', 7);
    await make('usual', 5, true);
    assert.deepEqual(await pod('a'), ['usual', 5, 'Never']);
    assert.deepEqual(await pod('b', { priorityClassName: 'named' }), ['named', 7, 'Never']);
    await assert.rejects(pod('c', { priorityClassName: 'x' }), { message: /no PriorityClass with name x was found$/ });
    await assert.rejects(pod('d', { priority: 9 }), {
      message: /the integer value of priority \(9\) must not be provided/,
    });
  });

  it('gives pods their service account, with a token for each container that has none', async (t) => {
    const { client } = await plane(t);
    await client.create(core('namespaces'), { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' } });
    const account = (name: string, more: object = {}) =>
      client.create(core('serviceaccounts'), {
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { name, namespace: 'n' },
        ...more,
      });
    const pod = async (name: string, given: object = {}, annotations: Record<string, string> = {}) => {
      const spec = { containers: [{ name: 'main', image: 'nginx' }], ...given };
      const metadata = { name, namespace: 'n', annotations };
      const made = await client.create<Pod>(core('pods'), { apiVersion: 'v1', kind: 'Pod', metadata, spec });
      return made.spec!;
    };
    // Its account may still be on its way.
    const plain = await pod('plain');
    assert.deepEqual([plain.serviceAccountName, plain.serviceAccount], ['default', 'default']);
    const volume = plain.volumes?.[0];
    assert.match(volume?.name ?? '', /^kube-api-access-[a-z0-9]{5}$/);
    assert.deepEqual(volume?.projected?.sources?.[0], {
      serviceAccountToken: { expirationSeconds: 3607, path: 'token' },
    });
    const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount';
    assert.deepEqual(plain.containers[0]?.volumeMounts, [{ name: volume?.name, readOnly: true, mountPath }]);

    await account('shy', { automountServiceAccountToken: false, imagePullSecrets: [{ name: 'pull' }] });
    const shy = await pod('shy', { serviceAccountName: 'shy' });
    assert.deepEqual([shy.volumes, shy.imagePullSecrets], [undefined, [{ name: 'pull' }]]);
    const own = await pod('own', {
      serviceAccountName: 'shy',
      automountServiceAccountToken: true,
      imagePullSecrets: [{ name: 'mine' }],
    });
    assert.deepEqual([own.volumes?.length, own.imagePullSecrets], [1, [{ name: 'mine' }]]);

    const mounted = { name: 'main', image: 'nginx', volumeMounts: [{ name: 'mine', mountPath }] };
    const kept = await pod('kept', { containers: [mounted], volumes: [{ name: 'mine', emptyDir: {} }] });
    assert.deepEqual(
      kept.volumes?.map(({ name }) => name),
      ['mine'],
    );

    await assert.rejects(pod('lost', { serviceAccountName: 'nobody' }), {
      message: 'pods "lost" is forbidden: error looking up service account n/nobody: serviceaccount "nobody" not found',
    });
    const mirror = { 'kubernetes.io/config.mirror': 'x' };
    await assert.rejects(pod('mirror', { serviceAccountName: 'shy', nodeName: 'n1' }, mirror), {
      message: 'pods "mirror" is forbidden: a mirror pod may not reference service accounts',
    });
  });

  it('gives pods what their runtime class says, and refuses those that contradict it', async (t) => {
    const { client } = await plane(t);
    await client.create(
      { group: 'node.k8s.io', version: 'v1', resource: 'runtimeclasses' },
      {
        apiVersion: 'node.k8s.io/v1',
        kind: 'RuntimeClass',
        metadata: { name: 'vm' },
        handler: 'vm',
        overhead: { podFixed: { cpu: '250m' } },
        scheduling: { nodeSelector: { virtual: 'true' }, tolerations: [{ key: 'vm', operator: 'Exists' }] },
      },
    );
    const pod = async (name: string, given: object) => {
      const spec = { containers: [{ name: 'main', image: 'nginx' }], ...given };
      const metadata = { name, namespace: 'default' };
      return (await client.create<Pod>(core('pods'), { apiVersion: 'v1', kind: 'Pod', metadata, spec })).spec!;
    };
    const made = await pod('a', { runtimeClassName: 'vm', nodeSelector: { zone: 'x' } });
    assert.deepEqual(made.overhead, { cpu: '250m' });
    assert.deepEqual(made.nodeSelector, { virtual: 'true', zone: 'x' });
    assert.ok(made.tolerations?.some(({ key }) => key === 'vm'));
    const refusals: [object, RegExp][] = [
      [{ runtimeClassName: 'gone' }, /^pods "b" is forbidden: pod rejected: RuntimeClass "gone" not found$/],
      [{ overhead: { cpu: '1' } }, /Pod Overhead set without corresponding RuntimeClass defined Overhead$/],
      [{ runtimeClassName: 'vm', overhead: { cpu: '1' } }, /Pod's Overhead doesn't match RuntimeClass's/],
      [
        { runtimeClassName: 'vm', nodeSelector: { virtual: 'no' } },
        /conflict: runtimeClass\.scheduling\.nodeSelector\[virtual\] = true; pod\.spec\.nodeSelector\[virtual\] = no$/,
      ],
    ];
    for (const [given, message] of refusals) await assert.rejects(pod('b', given), { message });
  });

  it('gives a namespace its default service account and the authority of the server', async (t) => {
    const { client } = await plane(t);
    await client.create(core('namespaces'), { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n1' } });
    await first<ServiceAccount>(client, core('serviceaccounts'), 'n1', ({ metadata }) => metadata.name === 'default');
    const published = await first<ConfigMap>(client, core('configmaps'), 'n1', () => true);
    assert.equal(published.metadata.name, 'kube-root-ca.crt');
    assert.deepEqual(published.data, { 'ca.crt': 'the CA' });
  });

  it('makes tokens for service accounts, which may do what their bindings say', async (t) => {
    const { client, as } = await plane(t);
    const metadata = { name: 'robot', namespace: 'default' };
    await client.create(core('serviceaccounts'), { apiVersion: 'v1', kind: 'ServiceAccount', metadata });
    await client.create(core('secrets'), {
      apiVersion: 'v1',
      kind: 'Secret',
      type: 'kubernetes.io/service-account-token',
      metadata: { ...metadata, annotations: { 'kubernetes.io/service-account.name': 'robot' } },
    });
    const { data } = await first<Secret>(
      client,
      core('secrets'),
      'default',
      (secret) => secret.data?.['token'] !== undefined,
    );
    assert.equal(Buffer.from(data?.['ca.crt'] ?? '', 'base64').toString(), 'the CA');
    const robot = as(Buffer.from(data?.['token'] ?? '', 'base64').toString());
    await assert.rejects(robot.list(core('configmaps'), { namespace: 'default' }), {
      message:
        'configmaps is forbidden: User "system:serviceaccount:default:robot" cannot list resource "configmaps" in API group "" in the namespace "default"',
    });

    const rbac = { group: 'rbac.authorization.k8s.io', version: 'v1' };
    const kind = { apiVersion: 'rbac.authorization.k8s.io/v1', metadata: { name: 'reader', namespace: 'default' } };
    await client.create(
      { ...rbac, resource: 'roles' },
      {
        ...kind,
        kind: 'Role',
        rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list'] }],
      },
    );
    await client.create(
      { ...rbac, resource: 'rolebindings' },
      {
        ...kind,
        kind: 'RoleBinding',
        roleRef: { apiGroup: rbac.group, kind: 'Role', name: 'reader' },
        subjects: [{ kind: 'ServiceAccount', ...metadata }],
      },
    );
    await robot.list(core('configmaps'), { namespace: 'default' });
    await client.delete(core('secrets'), metadata);
    await assert.rejects(robot.list(core('configmaps'), { namespace: 'default' }), { reason: 'Unauthorized' });
  });

  it('writes into a request for a certificate who made it, whatever the request says', async (t) => {
    const { as } = await plane(t);
    const pem = '-----BEGIN CERTIFICATE REQUEST-----\nMA==\n-----END CERTIFICATE REQUEST-----\n';
    const spec = {
      request: Buffer.from(pem).toString('base64'),
      signerName: 'example.com/signer',
      usages: ['client auth'],
      username: 'somebody-else',
      groups: ['system:masters'],
      extra: { forged: ['yes'] },
    };
    const made = await as('admin').create(
      { group: 'certificates.k8s.io', version: 'v1', resource: 'certificatesigningrequests' },
      { apiVersion: 'certificates.k8s.io/v1', kind: 'CertificateSigningRequest', metadata: { name: 'c' }, spec },
    );
    const groups = [MASTERS, 'system:authenticated'];
    const { username: _, extra: __, ...asked } = spec;
    assert.deepEqual(made['spec'], { ...asked, username: 'admin', groups });
  });

  it('tells programs that get its tokens how to check them', async (t) => {
    const { url } = await plane(t);
    const read = async (path: string) => (await call(url, 'GET', path)).body;
    const { issuer, jwks_uri: keys } = await read('/.well-known/openid-configuration');
    assert.deepEqual(
      [issuer, keys],
      ['https://kubernetes.default.svc', 'https://kubernetes.default.svc/openid/v1/jwks'],
    );
    assert.equal((await read('/openid/v1/jwks')).keys[0].alg, 'ES256');
    assert.ok((await read('/')).paths.includes('/openid/v1/jwks'));
  });

  it('lets those act as others who were given that right, and as nobody else', async (t) => {
    const { client, url } = await plane(t, {
      authenticators: [staticTokens({ 'tok-alice': { name: 'alice', groups: [] } })],
    });
    const rbac = { group: 'rbac.authorization.k8s.io', version: 'v1' };
    const kind = { apiVersion: 'rbac.authorization.k8s.io/v1', metadata: { name: 'actor' } };
    const impersonate = (resource: string, names: readonly string[], apiGroup = '') => ({
      apiGroups: [apiGroup],
      resources: [resource],
      verbs: ['impersonate'],
      resourceNames: names,
    });
    await client.create(
      { ...rbac, resource: 'clusterroles' },
      {
        ...kind,
        kind: 'ClusterRole',
        rules: [
          impersonate('users', ['bob', 'system:anonymous']),
          impersonate('groups', ['devs']),
          impersonate('serviceaccounts', ['robot']),
          impersonate('userextras/scopes', ['view'], 'authentication.k8s.io'),
        ],
      },
    );
    await client.create(
      { ...rbac, resource: 'clusterrolebindings' },
      {
        ...kind,
        kind: 'ClusterRoleBinding',
        roleRef: { apiGroup: rbac.group, kind: 'ClusterRole', name: 'actor' },
        subjects: [{ apiGroup: rbac.group, kind: 'User', name: 'alice' }],
      },
    );
    const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
    const as = async (headers: Record<string, string>) => {
      const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
      const { code, body } = await call(url, 'POST', path, review, { authorization: 'Bearer tok-alice', ...headers });
      return code === 201 ? body.status.userInfo.groups : body.message;
    };
    assert.deepEqual(await as({ 'impersonate-user': 'bob' }), ['system:authenticated']);
    const scoped = { 'impersonate-user': 'bob', 'impersonate-group': 'devs', 'impersonate-extra-scopes': 'view' };
    assert.deepEqual(await as(scoped), ['devs', 'system:authenticated']);
    assert.deepEqual(await as({ 'impersonate-user': 'system:serviceaccount:n1:robot' }), [
      'system:serviceaccounts',
      'system:serviceaccounts:n1',
      'system:authenticated',
    ]);
    for (const [headers, refused] of [
      [{ 'impersonate-user': 'eve' }, 'users "eve" is forbidden'],
      [{ 'impersonate-user': 'bob', 'impersonate-group': 'system:masters' }, 'groups "system:masters" is forbidden'],
      [{ ...scoped, 'impersonate-extra-scopes': 'edit' }, 'userextras.authentication.k8s.io "edit" is forbidden'],
      [{ 'impersonate-user': 'system:anonymous' }, 'selfsubjectreviews.authentication.k8s.io is forbidden'],
    ] as const) {
      assert.ok(String(await as(headers)).startsWith(refused), refused);
    }
  });
});
