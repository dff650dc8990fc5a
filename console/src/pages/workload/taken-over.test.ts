import assert from 'node:assert/strict';
import { it } from 'node:test';
import { neededBy } from './taken-over.ts';

it('a workload brings along what its manifest names, each once', () => {
  const manifest = {
    spec: {
      template: {
        spec: {
          imagePullSecrets: [{ name: 'registry' }],
          volumes: [{ configMap: { name: 'settings' } }, { secret: { secretName: 'keys' } }],
          containers: [
            {
              envFrom: [{ configMapRef: { name: 'settings' } }, { secretRef: { name: 'db' } }],
              env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 'db', key: 'a' } } }],
            },
          ],
        },
      },
    },
  };
  assert.deepEqual(
    neededBy(manifest)
      .map(({ kind, name }) => `${kind}/${name}`)
      .sort(),
    ['ConfigMap/settings', 'Secret/db', 'Secret/keys', 'Secret/registry'],
  );
});
