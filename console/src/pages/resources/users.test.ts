import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Thing } from '../../api/objects.ts';
import { usersOf } from './users.ts';

const thing = (kind: string, name: string, spec: object): Thing => ({
  apiVersion: 'v1',
  kind,
  metadata: { name },
  spec: spec as NonNullable<Thing['spec']>,
});
const pod = (spec: object) => ({ template: { spec } });
const names = (kind: string, name: string, among: readonly Thing[]) =>
  usersOf(kind, name, among).map(({ metadata }) => metadata.name);

describe('Who uses something', () => {
  const among = [
    thing('Deployment', 'mounts', pod({ volumes: [{ name: 'v', configMap: { name: 'c' } }] })),
    thing('Deployment', 'all', pod({ containers: [{ envFrom: [{ configMapRef: { name: 'c' } }] }] })),
    thing('Deployment', 'one', pod({ containers: [{ env: [{ valueFrom: { secretKeyRef: { name: 's' } } }] }] })),
    thing('CronJob', 'later', { jobTemplate: { spec: pod({ volumes: [{ secret: { secretName: 's' } }] }) } }),
    thing('Deployment', 'pulls', pod({ imagePullSecrets: [{ name: 's' }] })),
    thing('StatefulSet', 'projects', pod({ volumes: [{ projected: { sources: [{ secret: { name: 's' } }] } }] })),
    thing('Ingress', 'door', { tls: [{ hosts: ['a'], secretName: 's' }] }),
    thing('Deployment', 'keeps', pod({ volumes: [{ persistentVolumeClaim: { claimName: 'p' } }] })),
    thing('Deployment', 'none', pod({ containers: [{ name: 'c', image: 's' }] })),
  ];

  it('is told by volumes, by the environment, by what pulls images and by certificates', () => {
    assert.deepEqual(names('ConfigMap', 'c', among), ['mounts', 'all']);
    assert.deepEqual(names('Secret', 's', among), ['one', 'later', 'pulls', 'projects', 'door']);
    assert.deepEqual(names('PersistentVolumeClaim', 'p', among), ['keeps']);
  });

  it('is nobody who only has something of the same name', () => {
    assert.deepEqual(names('ConfigMap', 's', among), []);
    assert.deepEqual(names('Service', 'c', among), []);
  });
});
