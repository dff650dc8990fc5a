import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { podOf } from '../testing.ts';
import { referencesOf } from './pod-references.ts';

describe('what a pod cannot start without', () => {
  it('is what its environment and its volumes name, unless that is optional', () => {
    const spec = {
      initContainers: [{ name: 'init', envFrom: [{ secretRef: { name: 'a' } }] }],
      containers: [
        {
          name: 'c',
          env: [
            { name: 'B', valueFrom: { configMapKeyRef: { name: 'b', key: 'k' } } },
            { name: 'X', valueFrom: { secretKeyRef: { name: 'x', key: 'k', optional: true } } },
          ],
        },
      ],
      volumes: [
        { name: 'v', configMap: { name: 'd' } },
        { name: 'w', secret: { secretName: 'e' } },
        {
          name: 'p',
          projected: {
            sources: [
              { configMap: { name: 'f' } },
              { configMap: { name: 'kube-root-ca.crt' } },
              { secret: { name: 'y', optional: true } },
            ],
          },
        },
        { name: 'e', emptyDir: {} },
      ],
    };
    const found = referencesOf(podOf('p', { spec })).map(
      ({ kind, name, by }) => `${kind} ${name} ${Object.values(by).join()}`,
    );
    assert.deepEqual(found, ['secret a init', 'configmap b c', 'configmap d v', 'secret e w', 'configmap f p']);
  });
});
