import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { routeOf } from './route.ts';

const cases: readonly [path: string, route: object][] = [
  ['/api/v1/pods', { group: '', version: 'v1', resource: 'pods' }],
  ['/api/v1/namespaces', { group: '', version: 'v1', resource: 'namespaces' }],
  ['/api/v1/namespaces/a', { group: '', version: 'v1', resource: 'namespaces', name: 'a' }],
  [
    '/api/v1/namespaces/a/finalize',
    { group: '', version: 'v1', resource: 'namespaces', name: 'a', subresource: 'finalize' },
  ],
  ['/api/v1/namespaces/a/pods', { group: '', version: 'v1', namespace: 'a', resource: 'pods' }],
  [
    '/apis/apps/v1/namespaces/a/deployments/d/scale',
    { group: 'apps', version: 'v1', namespace: 'a', resource: 'deployments', name: 'd', subresource: 'scale' },
  ],
  [
    '/api/v1/nodes/n/proxy/metrics/cadvisor',
    { group: '', version: 'v1', resource: 'nodes', name: 'n', subresource: 'proxy', rest: 'metrics/cadvisor' },
  ],
  [
    '/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Anode',
    { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'clusterroles', name: 'system:node' },
  ],
];

describe('A path', () => {
  for (const [path, expected] of cases) {
    it(`${path} names its resource`, () =>
      assert.deepEqual(routeOf(path), { kind: 'resource', watch: false, ...expected }));
  }

  it('that asks for a watch in the old way names what is watched', () => {
    const expected = {
      kind: 'resource',
      group: '',
      version: 'v1',
      resource: 'pods',
      namespace: 'a',
      name: 'p',
      watch: true,
    };
    assert.deepEqual(routeOf('/api/v1/watch/namespaces/a/pods/p'), expected);
  });

  for (const path of [
    '/',
    '/api',
    '/api/v1',
    '/apis',
    '/apis/apps',
    '/apis/apps/v1',
    '/healthz',
    '/api/v1/pods/%E0%A4%A',
  ]) {
    it(`${path} is no resource`, () => assert.deepEqual(routeOf(path), { kind: 'path', path }));
  }
});
