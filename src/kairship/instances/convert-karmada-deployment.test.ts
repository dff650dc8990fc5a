import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { karmadaSpecOf, settingsOf } from './convert-karmada.ts';
import { deploymentOf, settingsOfDeployment } from './convert-karmada-deployment.ts';
import type { Settings } from './instance.ts';

const old = {
  spec: {
    mode: 'Helm',
    images: { karmadaRegistry: 'example.test/karmada', karmadaVersion: 'v1.2.0' },
    controlPlane: {
      namespace: 'karmada-prod',
      endPointCfg: { controlPlaneEndpoint: 'https://10.0.0.1:6443', secretRef: { namespace: 'ops', name: 'host' } },
      etcd: { storageMode: 'PVC', size: '10Gi', storageClass: 'fast' },
      components: ['schedulerEstimator'],
      serviceType: 'NodePort',
    },
  },
};

const settings: Settings = {
  karmadaVersion: 'v1.2.0',
  hostCluster: { apiEndpoint: 'https://10.0.0.1:6443', secretRef: { namespace: 'ops', name: 'host' } },
  storage: { type: 'pvc', size: '10Gi', storageClass: 'fast' },
  karmadaDeployment: {
    mode: 'Helm',
    images: { karmadaRegistry: 'example.test/karmada' },
    controlPlane: { namespace: 'karmada-prod', components: ['schedulerEstimator'], serviceType: 'NodePort' },
  },
};

describe('R47: an instance and the first operator’s KarmadaDeployment', () => {
  it('say the same of what both know, and keep what one knows alone', () => {
    assert.deepEqual(settingsOfDeployment(old), settings);
    assert.deepEqual(deploymentOf(settings), old);
  });

  it('become the community’s Karmada', () => {
    assert.deepEqual(karmadaSpecOf(settings).components?.['etcd'], {
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
    });
  });

  it('lose nothing through all three and back', () => {
    const more: Settings = { ...settings, failover: { enabled: true, clusterFailureThreshold: 5 }, suspend: true };
    const { karmadaDeployment = {}, ...said } = settingsOfDeployment(deploymentOf(more));
    assert.deepEqual({ ...settingsOf(karmadaSpecOf(said)), karmadaDeployment }, more);
  });

  it('lose nothing there and back, whatever the old resource says', () => {
    const text = fc.constantFrom('a', 'PVC', 'emptyDir', 'hostPath', '10Gi');
    const etcd = fc.record({ storageMode: text, size: text, storageClass: text, more: text }, { requiredKeys: [] });
    const endPointCfg = fc.record(
      { controlPlaneEndpoint: text, secretRef: fc.dictionary(text, text), kubeconfig: text },
      { requiredKeys: [] },
    );
    const images = fc.record({ karmadaVersion: text, kubeVersion: text }, { requiredKeys: [] });
    const controlPlane = fc.record({ etcd, endPointCfg, serviceType: text }, { requiredKeys: [] });
    fc.assert(
      fc.property(fc.record({ images, controlPlane, mode: text }, { requiredKeys: [] }), (spec) => {
        const plain = JSON.parse(JSON.stringify(spec)) as typeof spec;
        assert.deepEqual(deploymentOf(settingsOfDeployment({ spec: plain })), { spec: plain });
      }),
      { seed: 47, numRuns: 500 },
    );
  });
});
