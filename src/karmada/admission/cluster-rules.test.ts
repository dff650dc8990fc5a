import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fakeClock } from '#base/clock.ts';
import { draftOf } from '#base/json.ts';
import type { Cluster, ClusterSpec } from '#karmada/apis/index.ts';
import { defaultCluster } from './cluster-defaults.ts';
import { clusterErrors, clusterNameProblems } from './cluster-rules.ts';

function cluster(spec: Partial<ClusterSpec> = {}, name = 'm1'): Cluster {
  return {
    apiVersion: 'cluster.karmada.io/v1alpha1',
    kind: 'Cluster',
    metadata: { name },
    spec: { syncMode: 'Push', ...spec },
  };
}

function defaulted(given: Cluster, operation: 'CREATE' | 'UPDATE' = 'CREATE'): Cluster {
  const draft = draftOf(given);
  defaultCluster(draft, operation, fakeClock());
  return draft;
}

describe('defaults of a cluster', () => {
  it('are nine grades of nodes', () => {
    const models = defaulted(cluster()).spec.resourceModels ?? [];
    assert.equal(models.length, 9);
    assert.deepEqual(models[1], {
      grade: 1,
      ranges: [
        { name: 'cpu', min: '1', max: '2' },
        { name: 'memory', min: '4Gi', max: '16Gi' },
      ],
    });
    assert.deepEqual(clusterErrors(defaulted(cluster())), []);
  });
  it('leave no empty list of taints', () => {
    assert.equal('taints' in defaulted(cluster({ taints: [] }), 'UPDATE').spec, false);
  });
  it('come back only on create: grades once removed stay removed', () => {
    assert.equal(defaulted(cluster(), 'UPDATE').spec.resourceModels, undefined);
  });
  it('open the two ends of given grades and sort them', () => {
    const range = (min: string, max: string) => [{ name: 'cpu', min, max }];
    const resourceModels = [
      { grade: 2, ranges: range('2', '4') },
      { grade: 1, ranges: range('1', '2') },
    ];
    assert.deepEqual(defaulted(cluster({ resourceModels })).spec.resourceModels, [
      { grade: 1, ranges: range('0', '2') },
      { grade: 2, ranges: range('2', '9223372036854775807') },
    ]);
  });
  it('move the one zone into the list of zones', () => {
    const { zone, zones } = defaulted(cluster({ zone: 'z1' })).spec;
    assert.deepEqual([zone, zones], [undefined, ['z1']]);
  });
  it('note when a NoExecute taint came', () => {
    const taints = [
      { key: 'a', effect: 'NoExecute' },
      { key: 'b', effect: 'NoSchedule' },
    ] as const;
    const times = defaulted(cluster({ taints })).spec.taints?.map(({ timeAdded }) => timeAdded);
    assert.deepEqual(times, ['2026-01-01T00:00:00Z', undefined]);
  });
});

describe('rules of a cluster', () => {
  it('leave room in the name for the prefix of its namespace', () => {
    assert.deepEqual(clusterNameProblems('m'.repeat(48)), []);
    assert.deepEqual(clusterNameProblems('m'.repeat(49)), ['must be no more than 48 characters']);
    assert.match(clusterNameProblems('M1')[0] ?? '', /lowercase RFC 1123 label/);
  });
  const cases: [because: string, spec: Partial<ClusterSpec>, errors: string[]][] = [
    ['an https endpoint is fine', { apiEndpoint: 'https://127.0.0.1:6443' }, []],
    [
      'an endpoint carries no query',
      { apiEndpoint: 'https://m1/?a=b' },
      ['spec.apiEndpoint: Invalid value: "a=b": query parameters are not permitted in the URL'],
    ],
    [
      'a secret is named in full',
      { secretRef: { namespace: '', name: 'm1' } },
      ['spec.secretRef.namespace: Required value'],
    ],
    [
      'a proxy speaks http or socks5',
      { proxyURL: 'ftp://proxy' },
      ['spec.proxyURL: Invalid value: "ftp://proxy": unsupported scheme "ftp", must be http, https, or socks5'],
    ],
    [
      'zone and zones exclude each other',
      { zone: 'a', zones: ['b'] },
      ['spec.zone: Invalid value: "a": Zone and Zones cannot co-exist'],
    ],
    [
      'a taint is there once',
      {
        taints: [
          { key: 'a', effect: 'NoSchedule' },
          { key: 'a', effect: 'NoSchedule' },
        ],
      },
      [
        'spec.taints[1]: Duplicate value: {"key":"a","effect":"NoSchedule"}: taints must be unique by key and effect pair',
      ],
    ],
    [
      'grades follow on each other',
      {
        resourceModels: [
          { grade: 1, ranges: [{ name: 'cpu', min: '0', max: '2' }] },
          { grade: 2, ranges: [{ name: 'cpu', min: '3', max: '9223372036854775807' }] },
        ],
      },
      [
        'spec.resourceModels: Invalid value: [{"grade":1,"ranges":[{"name":"cpu","min":"0","max":"2"}]},{"grade":2,"ranges":[{"name":"cpu","min":"3","max":"9223372036854775807"}]}]: Model intervals for resources must be contiguous and non-overlapping',
      ],
    ],
  ];
  for (const [because, spec, errors] of cases) {
    it(because, () => {
      const found = clusterErrors(cluster(spec)).map(({ field, message }) => `${field}: ${message}`);
      assert.deepEqual(found, errors);
    });
  }
});
