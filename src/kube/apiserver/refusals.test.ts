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
