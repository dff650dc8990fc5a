import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { discovery, type Fetch } from './discovery.ts';
import type { ApiResource } from './kube-client.ts';
import { restMapper } from './rest-mapper.ts';

const CORE = {
  kind: 'APIGroupDiscoveryList',
  items: [
    {
      metadata: {},
      versions: [
        {
          version: 'v1',
          resources: [
            {
              resource: 'pods',
              responseKind: { kind: 'Pod' },
              scope: 'Namespaced',
              singularResource: 'pod',
              shortNames: ['po'],
              categories: ['all'],
              verbs: ['get', 'list'],
              subresources: [{ subresource: 'log' }, { subresource: 'status' }],
            },
          ],
        },
      ],
    },
  ],
};

const GROUPS = {
  kind: 'APIGroupDiscoveryList',
  items: [
    {
      metadata: { name: 'apps' },
      versions: ['v1', 'v1beta1'].map((version) => ({
        version,
        resources: [
          {
            resource: 'deployments',
            responseKind: { kind: 'Deployment' },
            scope: 'Namespaced',
            singularResource: 'deployment',
            shortNames: ['deploy'],
            verbs: ['get'],
          },
        ],
      })),
    },
    {
      metadata: { name: 'metrics.k8s.io' },
      versions: [
        {
          version: 'v1beta1',
          resources: [
            { resource: 'pods', responseKind: { kind: 'PodMetrics' }, scope: 'Namespaced', verbs: ['get'] },
            { resource: 'only-subresources', scope: 'Cluster', verbs: [] },
          ],
        },
      ],
    },
  ],
};

const LEGACY: Record<string, unknown> = {
  '/api': { kind: 'APIVersions', versions: ['v1'] },
  '/apis': {
    kind: 'APIGroupList',
    groups: [
      {
        name: 'apps',
        versions: [{ groupVersion: 'apps/v1beta1' }, { groupVersion: 'apps/v1' }],
        preferredVersion: { groupVersion: 'apps/v1' },
      },
      { name: 'broken.io', versions: [{ groupVersion: 'broken.io/v1' }] },
    ],
  },
  '/api/v1': {
    resources: [
      {
        name: 'pods',
        singularName: 'pod',
        namespaced: true,
        kind: 'Pod',
        verbs: ['get', 'list'],
        shortNames: ['po'],
        categories: ['all'],
      },
      { name: 'pods/log', singularName: '', namespaced: true, kind: 'Pod', verbs: ['get'] },
      { name: 'pods/status', singularName: '', namespaced: true, kind: 'Pod', verbs: ['get'] },
    ],
  },
  '/apis/apps/v1': {
    resources: [
      { name: 'deployments', singularName: 'deployment', namespaced: true, kind: 'Deployment', verbs: ['get'] },
    ],
  },
  '/apis/apps/v1beta1': { resources: [] },
};

const POD = {
  group: '',
  version: 'v1',
  kind: 'Pod',
  resource: 'pods',
  singular: 'pod',
  shortNames: ['po'],
  categories: ['all'],
  namespaced: true,
  verbs: ['get', 'list'],
  subresources: ['log', 'status'],
};

describe('discovery', () => {
  it('reads the aggregated documents in two requests, then asks only whether they changed', async () => {
    const asked: string[] = [];
    const fetch: Fetch = async ({ path, headers }) => {
      asked.push(`${path} ${headers['if-none-match'] ?? ''}`);
      if (headers['if-none-match'] === '"e"') return { status: 304, headers: {}, body: '' };
      return { status: 200, headers: { etag: '"e"' }, body: JSON.stringify(path === '/api' ? CORE : GROUPS) };
    };
    const discover = discovery(fetch);
    const [found, again] = await Promise.all([discover(), discover()]);
    assert.equal(found, again);
    assert.deepEqual(found[0], POD);
    assert.deepEqual(
      found.map(({ group, version, resource }) => `${group}/${version}/${resource}`),
      ['/v1/pods', 'apps/v1/deployments', 'apps/v1beta1/deployments', 'metrics.k8s.io/v1beta1/pods'],
    );
    assert.deepEqual(await discover(), found);
    assert.deepEqual(asked, ['/api ', '/apis ', '/api "e"', '/apis "e"']);
  });

  it('asks group by group where that is all the server knows, preferred versions first, broken groups left out', async () => {
    const discover = discovery(async ({ path }) => {
      const document = LEGACY[path];
      return { status: document ? 200 : 503, headers: {}, body: JSON.stringify(document ?? 'service unavailable') };
    });
    const found = await discover();
    assert.deepEqual(found[0], POD);
    assert.deepEqual(
      found.slice(1).map(({ group, version, kind }) => [group, version, kind]),
      [['apps', 'v1', 'Deployment']],
    );
  });

  it('fails as the server does, and works again afterwards', async () => {
    let up = false;
    const discover = discovery(async ({ path }) =>
      up
        ? { status: 200, headers: {}, body: JSON.stringify(path === '/api' ? CORE : GROUPS) }
        : { status: 403, headers: {}, body: '{"reason":"Forbidden","message":"no"}' },
    );
    await assert.rejects(discover(), { reason: 'Forbidden', message: 'no' });
    up = true;
    assert.equal((await discover()).length, 4);
  });
});

describe('a REST mapper', () => {
  const resources = async (): Promise<ApiResource[]> => [
    ...(await discovery(async ({ path }) => ({
      status: 200,
      headers: {},
      body: JSON.stringify(path === '/api' ? CORE : GROUPS),
    }))()),
  ];

  it('knows resources by kind and by every name kubectl takes', async () => {
    const mapper = restMapper({ discover: resources });
    const gvr = ({ group, version, resource }: ApiResource) => `${group}/${version}/${resource}`;
    assert.equal(gvr(await mapper.byKind({ group: 'apps', kind: 'Deployment' })), 'apps/v1/deployments');
    assert.equal(
      gvr(await mapper.byKind({ group: 'apps', version: 'v1beta1', kind: 'Deployment' })),
      'apps/v1beta1/deployments',
    );
    for (const [name, expected] of [
      ['po', '/v1/pods'],
      ['pods', '/v1/pods'],
      ['Pod', '/v1/pods'],
      ['pods.v1', '/v1/pods'],
      ['pods.metrics.k8s.io', 'metrics.k8s.io/v1beta1/pods'],
      ['deploy', 'apps/v1/deployments'],
      ['deployment.apps', 'apps/v1/deployments'],
      ['deployments.v1beta1.apps', 'apps/v1beta1/deployments'],
    ] as const) {
      assert.equal(gvr(await mapper.byName(name)), expected, name);
    }
  });

  it('asks again for what it does not know, and says so when nobody does', async () => {
    const known: ApiResource[] = [];
    let asked = 0;
    const mapper = restMapper({ discover: async () => (asked++, [...known]) });
    await assert.rejects(mapper.byName('pods'), {
      reason: 'NotFound',
      message: 'the server doesn\'t have a resource type "pods"',
    });
    known.push(...(await resources()));
    assert.equal((await mapper.byName('pods')).kind, 'Pod');
    await mapper.byName('po');
    assert.equal(asked, 2);
    await assert.rejects(mapper.byKind({ group: 'a', version: 'v1', kind: 'B' }), {
      message: 'no matches for kind "B" in "a/v1"',
    });
  });

  it('does not remember a failure', async () => {
    let fails = true;
    const mapper = restMapper({
      async discover() {
        if (fails) throw new Error('down');
        return resources();
      },
    });
    await assert.rejects(mapper.byName('pods'), { message: 'down' });
    fails = false;
    assert.equal((await mapper.byName('pods')).kind, 'Pod');
  });
});
