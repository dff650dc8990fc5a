import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { systemClock } from '#base/clock.ts';
import type { Container } from '#gen/kube/types.ts';
import { streamServer } from '../testing.ts';
import { machineOf } from './machine.ts';

const container: Container = {
  name: 'main',
  image: 'app:1',
  workingDir: '/srv',
  resources: { limits: { cpu: '1500m', memory: '64Mi' } },
  envFrom: [{ prefix: 'CM_', configMapRef: { name: 'settings' } }, { secretRef: { name: 'missing', optional: true } }],
  env: [
    { name: 'GREETING', value: 'hello $(CM_who), $(nobody), $$(CM_who)' },
    { name: 'PASSWORD', valueFrom: { secretKeyRef: { name: 'keys', key: 'password' } } },
    { name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
    { name: 'APP', valueFrom: { fieldRef: { fieldPath: "metadata.labels['app']" } } },
    { name: 'CPUS', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } },
    { name: 'MEMORY', valueFrom: { resourceFieldRef: { resource: 'limits.memory', divisor: '1Mi' } } },
    { name: 'ABSENT', valueFrom: { configMapKeyRef: { name: 'settings', key: 'nope', optional: true } } },
  ],
  volumeMounts: [
    { name: 'settings', mountPath: '/etc/settings' },
    { name: 'keys', mountPath: '/keys/password.txt', subPath: 'password' },
    { name: 'all', mountPath: '/var/run/all' },
    { name: 'scratch', mountPath: '/scratch' },
  ],
};

const volumes = [
  { name: 'settings', configMap: { name: 'settings', items: [{ key: 'who', path: 'deep/who.txt' }] } },
  { name: 'keys', secret: { secretName: 'keys' } },
  {
    name: 'all',
    projected: {
      sources: [
        { secret: { name: 'keys' } },
        { configMap: { name: 'settings' } },
        { downwardAPI: { items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }] } },
      ],
    },
  },
  { name: 'scratch', emptyDir: {} },
];

describe('what a simulated container finds around it', () => {
  it('is what its spec says', async (t) => {
    const { server, run } = await streamServer(t);
    const client = server.client();
    const metadata = (name: string) => ({ name, namespace: 'default' });
    await client.create(
      { group: '', version: 'v1', resource: 'configmaps' },
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: metadata('settings'), data: { who: 'world' } },
    );
    await client.create(
      { group: '', version: 'v1', resource: 'secrets' },
      { apiVersion: 'v1', kind: 'Secret', metadata: metadata('keys'), data: { password: btoa('s3cret') } },
    );
    const pod = await run('web', { containers: [container], volumes });
    const { env, files, workingDir, user, hostname } = await machineOf(client, systemClock, pod, 'main');
    assert.deepEqual({ workingDir, user, hostname }, { workingDir: '/srv', user: 'root', hostname: 'web' });
    const { PATH: _path, ...rest } = env;
    assert.deepEqual(rest, {
      HOSTNAME: 'web',
      HOME: '/root',
      CM_who: 'world',
      GREETING: 'hello world, $(nobody), $(CM_who)',
      PASSWORD: 's3cret',
      NODE: 'n1',
      APP: 'web',
      CPUS: '2',
      MEMORY: '64',
    });
    assert.equal(files.read('/etc/settings/deep/who.txt'), 'world');
    assert.equal(files.read('/keys/password.txt'), 's3cret');
    assert.equal(files.read('/etc/hostname'), 'web\n');
    assert.equal(files.read('/var/run/all/labels'), 'app="web"');
    assert.equal(files.read('/etc/../etc/hostname'), 'web\n');
    assert.equal(files.read('/nope'), undefined);
    assert.deepEqual(files.list('/var/run/all'), ['labels', 'password', 'who']);
    assert.deepEqual(files.list('/etc/settings/'), ['deep']);
    assert.deepEqual(files.list('/scratch'), []);
    assert.ok(files.list('/')?.includes('keys'));
    assert.equal(files.list('/nope'), undefined);
  });
});
