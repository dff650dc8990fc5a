import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { streamServer } from './testing.ts';

describe('pod streams', () => {
  it('are found where Kubernetes has them', async (t) => {
    const { call } = await streamServer(t);
    const { resources } = (await call('GET', '/api/v1')).body as {
      resources: { name: string; kind: string; verbs: string[] }[];
    };
    const found = resources
      .filter(({ name }) => /\/(log|exec|attach|portforward|proxy)$/.test(name))
      .map(({ name, kind, verbs }) => `${name} ${kind} ${verbs.join(',')}`);
    assert.deepEqual(found, [
      'nodes/proxy NodeProxyOptions create,delete,get,patch,update',
      'pods/attach PodAttachOptions create,get',
      'pods/exec PodExecOptions create,get',
      'pods/log Pod get',
      'pods/portforward PodPortForwardOptions create,get',
      'pods/proxy PodProxyOptions create,delete,get,patch,update',
      'services/proxy ServiceProxyOptions create,delete,get,patch,update',
    ]);
  });
});
