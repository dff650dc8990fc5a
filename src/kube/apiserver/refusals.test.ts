import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testServer } from './testing.ts';

type Case = readonly [
  what: string,
  method: string,
  path: string,
  body: unknown,
  code: number,
  message: string | RegExp,
];

const NS = '/api/v1/namespaces/default';
const AUTHORIZATION = '/apis/authorization.k8s.io/v1';

/** In the words of a real kube-apiserver v1.35. */
const CASES: readonly Case[] = [
  ['an escaped slash is a slash', 'GET', `${NS}/configmaps/a%2Fb`, undefined, 404, /could not find the requested/],
  [
    'a name does not lead elsewhere',
    'GET',
    `${NS}/configmaps/a%25b`,
    undefined,
    400,
    `Name parameter invalid: "a%b": may not contain '%'`,
  ],
  ['a control character is shown', 'GET', `${NS}/configmaps/%00`, undefined, 404, 'configmaps "\\x00" not found'],
  [
    'a subresource is within a namespace',
    'GET',
    '/api/v1/pods/a/status',
    undefined,
    404,
    'the server could not find the requested resource',
  ],
  [
    'what is in a namespace is watched in it',
    'GET',
    '/api/v1/services/a?watch=1',
    undefined,
    404,
    'the server could not find the requested resource',
  ],
  [
    'a status may make a service, which has to be a good one',
    'PUT',
    `${NS}/services/a/status`,
    { metadata: { name: 'a' } },
    422,
    'Service "a" is invalid: spec.ports: Required value',
  ],
  [
    'a collection is not deleted as it is watched',
    'DELETE',
    `${NS}/configmaps?watch=1&resourceVersionMatch=Exact`,
    undefined,
    422,
    /resourceVersionMatch is forbidden for watch unless .*, resourceVersionMatch: Unsupported value: "Exact": supported/,
  ],
  [
    'a binding is of the pod it is sent to',
    'POST',
    `${NS}/pods/a/binding`,
    { metadata: { name: 'b' }, target: { name: 'n' } },
    400,
    'name in URL does not match name in Binding object',
  ],
  [
    'what a binding is to is looked at before its name',
    'POST',
    `${NS}/bindings`,
    { target: { kind: 'Host' } },
    500,
    '[target.kind: Unsupported value: "Host": supported values: "Node", "<empty>", target.name: Required value]',
  ],
  [
    'half a character is none',
    'POST',
    `${NS}/configmaps`,
    { metadata: { name: '\ud800' } },
    422,
    /^ConfigMap "\ufffd" is invalid: metadata\.name: Invalid value: "\ufffd": /,
  ],
  [
    'options are looked at before the object',
    'PUT',
    `${NS}/configmaps/a?dryRun=Some`,
    { data: [] },
    422,
    'UpdateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["Some"]: supported values: "All"',
  ],
  [
    'an object is an object',
    'POST',
    `${NS}/configmaps`,
    true,
    400,
    'the object provided is unrecognized (must be of type ConfigMap): couldn\'t get version/kind; json parse error: json: cannot unmarshal bool into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" } (74727565)',
  ],
  ['null is an object without anything', 'POST', `${NS}/configmaps`, null, 422, /name or generateName is required/],
  [
    'what is wrong with an object comes before its revision',
    'POST',
    `${NS}/configmaps`,
    { metadata: { name: 'A', resourceVersion: '1' } },
    422,
    /metadata.name: Invalid value: "A"/,
  ],
  [
    'a binding is to a node',
    'POST',
    `${NS}/bindings`,
    { metadata: { name: 'a' }, target: { kind: 'Pod' } },
    500,
    '[target.kind: Unsupported value: "Pod": supported values: "Node", "<empty>", target.name: Required value]',
  ],
  ['there is no one binding', 'DELETE', `${NS}/bindings/a`, undefined, 404, /could not find the requested resource/],
  [
    'a review is nobody’s object',
    'POST',
    `${AUTHORIZATION}/selfsubjectaccessreviews`,
    { metadata: { labels: { a: 'b' } }, spec: { nonResourceAttributes: { path: '/' } } },
    422,
    /^\.authorization\.k8s\.io "" is invalid: metadata: Invalid value: .*: must be empty$/,
  ],
  [
    'a review has no fields of others',
    'POST',
    `${AUTHORIZATION}/selfsubjectaccessreviews?fieldValidation=Strict`,
    { spec: { nonResourceAttributes: { path: '/' } }, more: 1 },
    400,
    /strict decoding error: unknown field "more"$/,
  ],
  [
    'a selector of a review is given in one way',
    'POST',
    `${AUTHORIZATION}/selfsubjectaccessreviews`,
    { spec: { resourceAttributes: { fieldSelector: {} } } },
    422,
    /fieldSelector.requirements: Required value: when spec.resourceAttributes.fieldSelector is specified/,
  ],
];

for (const [what, method, path, body, code, message] of CASES) {
  test(what, async (t) => {
    const { call } = await testServer(t);
    const answer = await call(method, path, body);
    assert.equal(answer.code, code);
    if (typeof message === 'string') assert.equal(answer.body.message, message);
    else assert.match(answer.body.message, message);
  });
}

test('who deletes a job without a word about its pods is told that they stay', async (t) => {
  const { call } = await testServer(t);
  const warned = async (query: string) =>
    (await call('DELETE', `/apis/batch/v1/namespaces/default/jobs/a${query}`)).headers['warning'];
  assert.match(String(await warned('')), /child pods are preserved by default/);
  assert.equal(await warned('?propagationPolicy=Background'), undefined);
  const unread = await call('DELETE', '/apis/batch/v1/namespaces/default/jobs?labelSelector=%21%21');
  assert.equal(unread.headers['warning'], undefined);
});

test('a delete is only of the revision its query names', async (t) => {
  const { call } = await testServer(t);
  await call('POST', `${NS}/configmaps`, { metadata: { name: 'a' } });
  const refused = await call('DELETE', `${NS}/configmaps/a?resourceVersion=1`);
  assert.equal(refused.code, 409);
  assert.match(refused.body.message, /the ResourceVersion in the precondition \(1\) does not match/);
  assert.equal((await call('DELETE', `${NS}/configmaps/a`)).code, 200);
});

test('a pod is resized through its own door, and nothing else is let through there', async (t) => {
  const { call } = await testServer(t);
  const pod = { metadata: { name: 'a' }, spec: { containers: [{ name: 'main', image: 'nginx' }] } };
  await call('POST', `${NS}/pods`, pod);
  const resources = { requests: { cpu: '200m' } };
  const body = { spec: { containers: [{ name: 'main', image: 'other', resources }] } };
  const type = { 'content-type': 'application/strategic-merge-patch+json' };
  const { code, body: resized } = await call('PATCH', `${NS}/pods/a/resize`, body, type);
  assert.equal(code, 200);
  const [{ image, resources: given }] = resized.spec.containers;
  assert.deepEqual({ image, given }, { image: 'nginx', given: resources });
});

test('a service that is balanced no more loses what only balanced ones have', async (t) => {
  const { call } = await testServer(t);
  const balanced = { type: 'LoadBalancer', externalTrafficPolicy: 'Local', loadBalancerClass: 'example.com/lb' };
  const service = { metadata: { name: 'a' }, spec: { ...balanced, ports: [{ port: 80 }] } };
  assert.equal((await call('POST', `${NS}/services`, service)).code, 201);
  const type = { 'content-type': 'application/merge-patch+json' };
  const { code, body } = await call('PATCH', `${NS}/services/a`, { spec: { type: 'ClusterIP' } }, type);
  assert.equal(code, 200, body.message);
  const { clusterIP, clusterIPs, ...left } = body.spec;
  assert.deepEqual(clusterIPs, [clusterIP]);
  assert.deepEqual(left, {
    ports: [{ protocol: 'TCP', port: 80, targetPort: 80 }],
    type: 'ClusterIP',
    sessionAffinity: 'None',
    ipFamilies: ['IPv4'],
    ipFamilyPolicy: 'SingleStack',
    internalTrafficPolicy: 'Cluster',
  });
});

test('what is wrong with a request is told in the order in which it can be known', async (t) => {
  const { call } = await testServer(t);
  const said = async (path: string, headers: Record<string, string>, method = 'POST') => {
    const { code, body } = await call(method, path, { metadata: { name: 'a' } }, headers);
    return `${code} ${body.message}`;
  };
  assert.match(await said(`${NS}/configmaps?dryRun=Some`, { 'content-type': 'text/plain' }), /^415 the body of the/);
  const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
  assert.match(await said(`${NS}/bindings`, table), /^406 only the following media types are accepted/);
  assert.match(await said(`${NS}/pods/a/resize`, table, 'PUT'), /^406 only the following media types are accepted/);
  const apply = { 'content-type': 'application/apply-patch+yaml' };
  assert.match(await said(`${NS}/configmaps/a`, apply, 'PATCH'), /^422 .*fieldManager: Required value/);
  const nameless = await call(
    'PATCH',
    `${NS}/configmaps/a?fieldManager=me`,
    { kind: 'ConfigMap', apiVersion: 'v1' },
    apply,
  );
  assert.match(nameless.body.message, /^the name of the object \(a based on URL\) was undeterminable/);
});

test('what is in no namespace is not made to be in one by saying so', async (t) => {
  const { call } = await testServer(t);
  const node = { metadata: { name: 'n', namespace: 'elsewhere' } };
  const { code, body } = await call('POST', '/api/v1/nodes', node);
  assert.deepEqual([code, body.metadata.namespace], [201, undefined]);
  assert.equal((await call('PUT', '/api/v1/nodes/n', node)).code, 200);
});

test('a claim of data from what is neither a claim nor a snapshot is one of an empty volume', async (t) => {
  const { call } = await testServer(t);
  const source = async (dataSource: object, dataSourceRef?: object) => {
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, dataSource };
    const { body } = await call('POST', `${NS}/persistentvolumeclaims?dryRun=All`, {
      metadata: { name: 'a' },
      spec: { ...spec, ...(dataSourceRef ? { dataSourceRef } : {}) },
    });
    return body.spec.dataSource as unknown;
  };
  assert.equal(await source({ apiGroup: '10.0.0.1' }), undefined);
  const claim = { apiGroup: null, kind: 'PersistentVolumeClaim', name: 'b' };
  assert.deepEqual(await source(claim), claim);
});

test('a definition has the name that its prefix would have', async (t) => {
  const { call } = await testServer(t);
  const { code, body } = await call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: 'gizmos.example.com', generateName: 'a' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'gizmos', kind: 'Gizmo' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
    },
  });
  assert.equal(code, 422);
  assert.match(
    body.message,
    /: metadata.generateName: Invalid value: "a": must be spec.names.plural\+"."\+spec.group$/,
  );
});

test('a namespace of another revision than asked for stays', async (t) => {
  const { call } = await testServer(t);
  await call('POST', '/api/v1/namespaces', { metadata: { name: 'a' } });
  const { code, body } = await call('DELETE', '/api/v1/namespaces/a?resourceVersion=1');
  assert.equal(code, 409);
  assert.match(
    body.message,
    /on namespaces "a": Precondition failed: ResourceVersion in precondition: 1, ResourceVersion in object meta: \d+$/,
  );
});
