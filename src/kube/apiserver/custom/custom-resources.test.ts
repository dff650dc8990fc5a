import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { memoryStore } from '#kube/store/index.ts';
import { apiServer } from '../api-server.ts';
import { testServer } from '../testing.ts';

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const GIZMOS = '/apis/ex.io/v1/namespaces/default/gizmos';
const merge = { 'content-type': 'application/merge-patch+json' };

function crd(plural = 'gizmos', kind = 'Gizmo') {
  const spec = { type: 'object', properties: { color: { type: 'string', default: 'red' }, size: { type: 'integer' } } };
  const openAPIV3Schema = { type: 'object', properties: { spec, status: { type: 'object' } } };
  const v2 = { type: 'object', properties: { spec: { type: 'object', properties: { color: { type: 'string' } } } } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.ex.io` },
    spec: {
      group: 'ex.io',
      scope: 'Namespaced',
      names: { plural, kind },
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } },
        { name: 'v2', served: true, storage: false, schema: { openAPIV3Schema: v2 } },
      ],
    },
  };
}

const gizmo = { apiVersion: 'ex.io/v1', kind: 'Gizmo', metadata: { name: 'g' }, spec: { size: 1 } };

describe('A custom resource', () => {
  it('is served as soon as its definition is created', async (t) => {
    const { call } = await testServer(t);
    await call('POST', CRDS, crd());
    const created = await call('POST', GIZMOS, gizmo);
    assert.equal(created.code, 201);
    assert.deepEqual(created.body.spec, { color: 'red', size: 1 });
    const { body } = await call('GET', `${CRDS}/gizmos.ex.io`);
    assert.deepEqual(
      body.status.conditions.map(({ type, status }: { type: string; status: string }) => `${type} ${status}`),
      ['NamesAccepted True', 'Established True'],
    );
  });

  it('tells whoever uses a deprecated version, and what to use instead', async (t) => {
    const { call } = await testServer(t);
    const { spec, ...rest } = crd();
    const old = { ...spec.versions[1], name: 'v1beta1', deprecated: true };
    const words = { ...old, name: 'v1alpha1', deprecationWarning: 'use something else' };
    await call('POST', CRDS, { ...rest, spec: { ...spec, versions: [spec.versions[0], old, words] } });
    const warning = async (version: string) =>
      (await call('GET', `/apis/ex.io/${version}/namespaces/default/gizmos`)).headers['warning'];
    assert.equal(await warning('v1'), undefined);
    assert.equal(await warning('v1beta1'), '299 - "ex.io/v1beta1 Gizmo is deprecated; use ex.io/v1 Gizmo"');
    assert.equal(await warning('v1alpha1'), '299 - "use something else"');
  });

  it('shows in each version what that version knows', async (t) => {
    const { call } = await testServer(t);
    await call('POST', CRDS, crd());
    await call('POST', GIZMOS, gizmo);
    const path = '/apis/ex.io/v2/namespaces/default/gizmos';
    const { body } = await call('GET', `${path}/g`);
    assert.deepEqual([body.apiVersion, body.spec], ['ex.io/v2', { color: 'red' }]);
    await call('POST', path, {
      apiVersion: 'ex.io/v2',
      kind: 'Gizmo',
      metadata: { name: 'h' },
      spec: { color: 'blue' },
    });
    assert.deepEqual((await call('GET', `${GIZMOS}/h`)).body.spec, { color: 'blue' });
  });

  it('ends with its definition, watches included', async (t) => {
    const { call } = await testServer(t);
    await call('POST', CRDS, crd());
    await call('POST', GIZMOS, gizmo);
    const watching = call('GET', `${GIZMOS}?watch=1`);
    const deleted = await call('DELETE', `${CRDS}/gizmos.ex.io`);
    assert.ok(deleted.body.metadata.deletionTimestamp);
    const types = (await watching).text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).type);
    assert.deepEqual(types, ['ADDED', 'DELETED']);
    assert.equal((await call('GET', GIZMOS)).code, 404);
    assert.equal((await call('GET', `${CRDS}/gizmos.ex.io`)).code, 404);
  });

  it('waits with its end for objects that are held', async (t) => {
    const { call } = await testServer(t);
    await call('POST', CRDS, crd());
    await call('POST', GIZMOS, { ...gizmo, metadata: { name: 'g', finalizers: ['ex.io/hold'] } });
    await call('DELETE', `${CRDS}/gizmos.ex.io`);
    assert.ok((await call('GET', `${GIZMOS}/g`)).body.metadata.deletionTimestamp);
    await call('PATCH', `${GIZMOS}/g`, { metadata: { finalizers: null } }, merge);
    assert.equal((await call('GET', GIZMOS)).code, 404);
  });

  it('changes with its definition, and defaults what is already stored', async (t) => {
    const { call } = await testServer(t);
    await call('POST', CRDS, crd());
    await call('POST', GIZMOS, gizmo);
    const wanted = crd().spec;
    const shape = { type: 'string', default: 'round' };
    Object.assign(wanted.versions[0]!.schema.openAPIV3Schema.properties.spec.properties, { shape });
    await call('PATCH', `${CRDS}/gizmos.ex.io`, { spec: wanted }, merge);
    assert.deepEqual((await call('GET', `${GIZMOS}/g`)).body.spec, { color: 'red', shape: 'round', size: 1 });
  });

  it('is not served under a name another one has', async (t) => {
    const { call } = await testServer(t);
    await call('POST', CRDS, crd());
    await call('POST', CRDS, crd('others', 'Gizmo'));
    const { body } = await call('GET', `${CRDS}/others.ex.io`);
    const [accepted] = body.status.conditions;
    assert.deepEqual(
      [accepted.status, accepted.reason, accepted.message],
      ['False', 'SingularConflict', '"gizmo" is already in use'],
    );
    assert.equal((await call('GET', '/apis/ex.io/v1/others')).code, 404);
  });

  it('is there again after a restart', async (t) => {
    const store = memoryStore();
    const first = await apiServer({ store });
    const crds = { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' };
    const gizmos = { group: 'ex.io', version: 'v1', resource: 'gizmos' };
    await first.client().create(crds, crd());
    await first.client().create(gizmos, { ...gizmo, metadata: { name: 'g', namespace: 'default' } });
    await first.close();
    const second = await apiServer({ store });
    t.after(() => second.close());
    const again = await second.client().get(gizmos, { namespace: 'default', name: 'g' });
    assert.deepEqual(again['spec'], { color: 'red', size: 1 });
  });
});
