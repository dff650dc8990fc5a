import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testServer } from '../testing.ts';
import { compareVersions } from './catalog.ts';

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const crd = {
  metadata: { name: 'gizmos.ex.io' },
  spec: {
    group: 'ex.io',
    scope: 'Cluster',
    names: { plural: 'gizmos', kind: 'Gizmo' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
};
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

describe('Discovery', () => {
  it('is aggregated for those who ask, and not sent again to those who have it', async (t) => {
    const { call } = await testServer(t);
    const accept = `${AGGREGATED},application/json`;
    const first = await call('GET', '/apis', undefined, { accept });
    assert.equal(first.headers['content-type'], AGGREGATED);
    assert.equal(first.headers['vary'], 'Accept');
    const etag = String(first.headers['etag']);
    assert.equal((await call('GET', '/apis', undefined, { accept, 'if-none-match': etag })).code, 304);
    await call('POST', CRDS, crd);
    const second = await call('GET', '/apis', undefined, { accept, 'if-none-match': etag });
    assert.equal(second.code, 200);
    assert.ok(second.body.items.some((group: { metadata: { name: string } }) => group.metadata.name === 'ex.io'));
  });

  it('tells older clients group by group', async (t) => {
    const { call } = await testServer(t);
    assert.equal((await call('GET', '/api')).body.kind, 'APIVersions');
    assert.equal((await call('GET', '/apis/batch')).body.preferredVersion.groupVersion, 'batch/v1');
    const { body } = await call('GET', '/api/v1');
    assert.ok(body.resources.some(({ name }: { name: string }) => name === 'namespaces/finalize'));
    assert.equal((await call('GET', '/apis/none.io')).text, '404 page not found\n');
  });

  it('prefers stable versions to beta, and newer to older', () => {
    const versions = ['v1alpha1', 'v2', 'v1beta2', 'foo', 'v1', 'v1beta1', 'v11'];
    assert.deepEqual(versions.sort(compareVersions), ['v11', 'v2', 'v1', 'v1beta2', 'v1beta1', 'v1alpha1', 'foo']);
  });
});

describe('OpenAPI', () => {
  it('has an index whose hashes change with what is served', async (t) => {
    const { call } = await testServer(t);
    const before = (await call('GET', '/openapi/v3')).body.paths;
    await call('POST', CRDS, crd);
    const after = (await call('GET', '/openapi/v3')).body.paths;
    assert.deepEqual(before['apis/apps/v1'], after['apis/apps/v1']);
    assert.equal(before['apis/ex.io/v1'], undefined);
    const document = await call('GET', after['apis/ex.io/v1'].serverRelativeURL);
    assert.ok(document.body.paths['/apis/ex.io/v1/gizmos'].post);
    const known = { 'if-none-match': String(document.headers['etag']) };
    assert.equal((await call('GET', '/openapi/v3/apis/ex.io/v1', undefined, known)).code, 304);
  });

  it('is one document in version 2, in JSON and in the protobuf that kubectl asks for', async (t) => {
    const { call } = await testServer(t);
    const { headers, body } = await call('GET', '/openapi/v2');
    assert.equal(body.swagger, '2.0');
    assert.ok(body.paths['/apis/apps/v1/namespaces/{namespace}/deployments'].post);
    assert.equal((await call('GET', '/openapi/v2', undefined, { 'if-none-match': String(headers['etag']) })).code, 304);
    const accept = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
    const encoded = await call('GET', '/openapi/v2', undefined, { accept });
    assert.equal(encoded.headers['content-type'], accept.replace('@', '.'));
    assert.notEqual(encoded.headers['etag'], headers['etag']);
  });
});

describe('Health', () => {
  it('is told check by check', async (t) => {
    const health = [{ name: 'moon', readinessOnly: true, healthy: () => false }];
    const { call } = await testServer(t, { health });
    assert.equal((await call('GET', '/livez')).text, 'ok');
    const ready = await call('GET', '/readyz');
    assert.equal(ready.code, 500);
    assert.match(ready.text, /\[\+\]ping ok\n.*\[-\]moon failed: reason withheld\nreadyz check failed\n/s);
    assert.equal((await call('GET', '/readyz?exclude=moon')).code, 200);
    assert.equal((await call('GET', '/readyz/ping')).text, 'ok');
    assert.equal((await call('GET', '/readyz/sun')).code, 404);
  });

  it('has numbers for those who measure', async (t) => {
    const { call } = await testServer(t);
    await call('GET', '/version');
    assert.match((await call('GET', '/metrics')).text, /apiserver_request_total\{.*code="200".*\} \d+/);
  });
});
