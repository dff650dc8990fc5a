import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { karmadaOf, karmadaSpecOf, settingsOf } from './convert-karmada.ts';
import type { Instance, Settings } from './instance.ts';
import type { KarmadaSpec } from './karmada.ts';

const full: Settings = {
  karmadaVersion: 'v1.18.2',
  hostCluster: { apiEndpoint: 'https://10.0.0.1:6443', secretRef: { namespace: 'ops', name: 'host' } },
  storage: { type: 'pvc', size: '10Gi', storageClass: 'fast' },
  featureGates: { PropagateDeps: true },
  failover: { enabled: true, clusterFailureThreshold: 30, gracefulEvictionTimeout: 600 },
  descheduler: { enabled: true, deschedulingInterval: 120 },
  metricsAdapter: { enabled: true },
  suspend: false,
};

/** The same as the community writes it. */
const community: KarmadaSpec = {
  hostCluster: { apiEndpoint: 'https://10.0.0.1:6443', secretRef: { namespace: 'ops', name: 'host' } },
  featureGates: { PropagateDeps: true },
  suspend: false,
  components: {
    etcd: {
      local: {
        volumeData: {
          volumeClaim: {
            spec: {
              accessModes: ['ReadWriteOnce'],
              resources: { requests: { storage: '10Gi' } },
              storageClassName: 'fast',
            },
          },
        },
      },
    },
    karmadaAggregatedAPIServer: { imageTag: 'v1.18.2' },
    karmadaControllerManager: {
      imageTag: 'v1.18.2',
      featureGates: { Failover: true },
      extraArgs: {
        'enable-no-execute-taint-eviction': 'true',
        'cluster-failure-threshold': '30s',
        'graceful-eviction-timeout': '600s',
      },
    },
    karmadaScheduler: { imageTag: 'v1.18.2' },
    karmadaWebhook: { imageTag: 'v1.18.2' },
    karmadaDescheduler: { extraArgs: { 'descheduling-interval': '120s' } },
    karmadaMetricsAdapter: {},
  },
};

describe('R47: an instance and the community Karmada', () => {
  it('say the same of every setting', () => {
    assert.deepEqual(karmadaSpecOf(full), community);
    assert.deepEqual(settingsOf(community), full);
  });

  it('is named, placed and labelled after the instance', () => {
    const instance: Instance = {
      apiVersion: 'kairship.io/v1alpha1',
      kind: 'Instance',
      metadata: { name: 'k-prod' },
      spec: { mode: 'embedded', alias: 'Production', suspend: true },
    };
    assert.deepEqual(karmadaOf(instance), {
      apiVersion: 'operator.karmada.io/v1alpha1',
      kind: 'Karmada',
      metadata: {
        name: 'k-prod',
        namespace: 'kairship-system',
        labels: { 'kairship.io/instance': 'k-prod', 'kairship.io/mode': 'embedded' },
      },
      spec: { suspend: true },
    });
  });

  it('says of failover what its release knows, and lets policies evict', () => {
    const failover = { enabled: true, failoverEvictionTimeout: 20 };
    const of = (mode: 'embedded' | 'operator', karmadaVersion?: string) => {
      const metadata = { name: 'prod' };
      const spec = { mode, failover, ...(karmadaVersion === undefined ? {} : { karmadaVersion }) };
      const { components = {} } =
        karmadaOf({ apiVersion: 'kairship.io/v1alpha1', kind: 'Instance', metadata, spec }).spec ?? {};
      return [
        components['karmadaControllerManager']?.extraArgs?.['failover-eviction-timeout'],
        components['karmadaWebhook']?.extraArgs?.['allow-no-execute-taint-policy'],
      ];
    };
    assert.deepEqual(of('embedded'), ['20s', undefined]);
    assert.deepEqual(of('operator'), [undefined, 'true']);
    assert.deepEqual(of('operator', 'v1.18.2'), [undefined, 'true']);
    assert.deepEqual(of('operator', 'v1.13.0'), ['20s', undefined]);
  });

  it('keeps what only the community knows', () => {
    const spec: KarmadaSpec = {
      crdTarball: { httpSource: { url: 'https://example.test/crds.tar.gz' } },
      components: { karmadaAPIServer: { certSANs: ['a.example.test'], extraArgs: { v: '4' } } },
    };
    assert.deepEqual(settingsOf(spec), { karmada: spec });
    assert.deepEqual(karmadaSpecOf({ karmada: spec }), spec);
  });

  it('takes nothing for its own that it would write differently', () => {
    const odd: KarmadaSpec = {
      components: {
        etcd: { local: { volumeData: { hostPath: { path: '/data', type: 'Directory' } } } },
        karmadaControllerManager: {
          imageTag: 'v1.17.0',
          featureGates: { Failover: true },
          extraArgs: { 'cluster-failure-threshold': '1m30s' },
        },
      },
    };
    assert.deepEqual(settingsOf(odd), { karmada: odd });
  });

  it('loses nothing there and back, whatever stands in the resource', () => {
    const seconds = fc.oneof(
      fc.nat().map((n) => `${n}s`),
      fc.constantFrom('1m', '', '007s', 'soon'),
    );
    const component = fc.record(
      {
        imageTag: fc.constantFrom('v1.18.2', 'v1.17.0'),
        replicas: fc.nat(),
        featureGates: fc.dictionary(fc.constantFrom('Failover', 'Other'), fc.boolean()),
        extraArgs: fc.dictionary(
          fc.constantFrom(
            'cluster-failure-threshold',
            'descheduling-interval',
            'enable-no-execute-taint-eviction',
            'v',
          ),
          fc.oneof(seconds, fc.constantFrom('true', 'false')),
        ),
      },
      { requiredKeys: [] },
    );
    const volume = fc.oneof(
      fc.constant({ emptyDir: {} }),
      fc.constant({ emptyDir: { sizeLimit: '1Gi' } }),
      fc.record({ hostPath: fc.record({ path: fc.string() }) }),
      fc.record({ volumeClaim: fc.object() }),
    );
    const etcd = fc.oneof(
      fc.record({ local: fc.record({ volumeData: volume, replicas: fc.nat() }, { requiredKeys: [] }) }),
      fc.record({ external: fc.record({ endpoints: fc.array(fc.string()), secretRef: fc.object() }) }),
    );
    const names = [
      'karmadaAggregatedAPIServer',
      'karmadaControllerManager',
      'karmadaScheduler',
      'karmadaWebhook',
      'karmadaDescheduler',
      'karmadaMetricsAdapter',
    ];
    const components = fc.record(
      { etcd, ...Object.fromEntries(names.map((name) => [name, component])) },
      { requiredKeys: [] },
    );
    const spec = fc.record(
      { components, suspend: fc.boolean(), hostCluster: fc.object(), featureGates: fc.object(), other: fc.object() },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(spec, (given) => {
        const plain = JSON.parse(JSON.stringify(given)) as KarmadaSpec;
        assert.deepEqual(karmadaSpecOf(settingsOf(plain)), plain);
      }),
      { seed: 47, numRuns: 500 },
    );
  });
});
