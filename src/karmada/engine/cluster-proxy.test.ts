/** Members reached through the control plane, one at a time and all at once, with the rights of whoever asks. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { MASTERS, staticTokens } from '#kube/apiserver/index.ts';
import { httpClient } from '#kube/client/http-client.ts';
import { memoryStore } from '#kube/store/index.ts';
import { CONFIG_MAP, configMap, sharedPlane, type TestPlane } from './testing.ts';

const TOKENS = { admin: { name: 'admin', groups: [MASTERS] }, nobody: { name: 'nobody', groups: [] } };
const shared = sharedPlane(['m1', 'm2'], { store: memoryStore(), authenticators: [staticTokens(TOKENS)] });

interface Answer {
  readonly code: number | undefined;
  readonly body: { readonly items?: readonly { metadata: Record<string, never> }[]; readonly message?: string };
}

describe('the proxy of all clusters', () => {
  let plane: TestPlane;
  let url: string;

  before(async () => {
    plane = await shared();
    ({ url } = await plane.karmada.server.listen());
    await plane.member('m1').client.create(CONFIG_MAP, configMap('both'));
    await plane.member('m2').client.create(CONFIG_MAP, configMap('both'));
    await plane.member('m2').client.create(CONFIG_MAP, configMap('one'));
  });

  async function ask(path: string, how: { token?: string; method?: string; body?: string } = {}): Promise<Answer> {
    const { token = 'admin', method = 'GET', body } = how;
    const client = httpClient({ server: url, token });
    try {
      const answer = await client.request({
        method,
        path: `/apis/cluster.karmada.io/v1alpha1/clusters/${path}`,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/merge-patch+json' },
        ...(body === undefined ? {} : { body }),
      });
      const text = Buffer.concat(await Array.fromAsync(answer as AsyncIterable<Buffer>)).toString();
      return { code: answer.statusCode, body: JSON.parse(text) as Answer['body'] };
    } finally {
      client.close();
    }
  }

  const CONFIG_MAPS = '*/proxy/api/v1/namespaces/default/configmaps';

  it('lists what all members have, and says whose it is', async () => {
    const { code, body } = await ask(`${CONFIG_MAPS}?limit=1`);
    assert.equal(code, 200);
    const seen = (body.items ?? []).map(({ metadata: { name, annotations } }) => [
      name,
      annotations?.['resource.karmada.io/cached-from-cluster'],
    ]);
    const own = seen.filter(([name]) => name !== 'kube-root-ca.crt');
    assert.deepEqual(own, [
      ['both', 'm1'],
      ['both', 'm2'],
      ['one', 'm2'],
    ]);
  });

  it('finds the one member that has an object, to read and to change it', async () => {
    assert.equal((await ask(`${CONFIG_MAPS}/one`)).code, 200);
    const body = JSON.stringify({ data: { key: 'changed' } });
    assert.equal((await ask(`${CONFIG_MAPS}/one`, { method: 'PATCH', body })).code, 200);
    const changed = await plane.member('m2').client.get(CONFIG_MAP, { namespace: 'default', name: 'one' });
    assert.deepEqual(changed['data'], { key: 'changed' });
  });

  it('refuses a name that several have or none has, and what is not about what there is', async () => {
    const twice = await ask(`${CONFIG_MAPS}/both`);
    assert.deepEqual(
      [twice.code, twice.body.message],
      [409, 'conflict resource, exist in more than one cluster: m1,m2'],
    );
    assert.equal((await ask(`${CONFIG_MAPS}/none`)).code, 404);
    const watched = await ask(`${CONFIG_MAPS}?watch=true`);
    assert.deepEqual([watched.code, watched.body.message], [405, 'Request verb watch is not support']);
    assert.equal((await ask(CONFIG_MAPS, { method: 'POST', body: '{}' })).code, 405);
  });

  it('answers discovery itself', async () => {
    const { code, body } = await ask('*/proxy/apis');
    assert.equal(code, 200);
    assert.ok(JSON.stringify(body).includes('policy.karmada.io'));
  });

  it('is for those who may use it, and shows them what members let them see', async () => {
    const refused = await ask(CONFIG_MAPS, { token: 'nobody' });
    assert.equal(refused.code, 403);
    const rbac = { apiVersion: 'rbac.authorization.k8s.io/v1', metadata: { name: 'proxies' } };
    const group = { group: 'rbac.authorization.k8s.io', version: 'v1' };
    const rules = [{ verbs: ['get'], apiGroups: ['cluster.karmada.io'], resources: ['clusters/proxy'] }];
    await plane.client.create({ ...group, resource: 'clusterroles' }, { ...rbac, kind: 'ClusterRole', rules });
    const subjects = [{ apiGroup: group.group, kind: 'User', name: 'nobody' }];
    const roleRef = { apiGroup: group.group, kind: 'ClusterRole', name: 'proxies' };
    const bound = { ...rbac, kind: 'ClusterRoleBinding', roleRef, subjects };
    await plane.client.create({ ...group, resource: 'clusterrolebindings' }, bound);
    // The members do not know the caller: nothing to be seen there is no list.
    const hidden = await ask(CONFIG_MAPS, { token: 'nobody' });
    assert.deepEqual([hidden.code, hidden.body.message], [404, 'not found']);
    assert.equal((await ask('m1/proxy/api/v1/namespaces/default/configmaps', { token: 'nobody' })).code, 403);
  });
});
