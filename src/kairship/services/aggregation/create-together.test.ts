import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { apiServer } from '#kube/apiserver/api-server.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { memoryStore } from '#kube/store/index.ts';
import { CONFIG_MAP } from '../kinds.ts';
import { createTogether } from './create-together.ts';

const map = (name: string) => ({
  kind: CONFIG_MAP,
  object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' }, data: {} },
});

async function cluster(t: TestContext): Promise<{ client: KubeClient; names: () => Promise<readonly string[]> }> {
  const server = await apiServer({ store: memoryStore() });
  t.after(() => server.close());
  const client = server.client(undefined, 'test');
  const names = async () => (await client.list(CONFIG_MAP)).items.map(({ metadata }) => metadata.name);
  return { client, names };
}

describe('Objects that are created together', () => {
  it('are all there, and answered in their order', async (t) => {
    const { client, names } = await cluster(t);
    const made = await createTogether(client, [map('b'), map('a')]);
    assert.deepEqual(
      made.map(({ metadata }) => metadata.name),
      ['b', 'a'],
    );
    assert.deepEqual(await names(), ['a', 'b']);
  });

  it('are not even tried when one of them would be refused', async (t) => {
    const { client, names } = await cluster(t);
    const written: string[] = [];
    const watched: Pick<KubeClient, 'create' | 'delete'> = {
      delete: (...asked) => client.delete(...asked),
      create: (gvr, object, options) => {
        if (!options?.dryRun) written.push(object.metadata.name ?? '');
        return client.create(gvr, object, options);
      },
    };
    await assert.rejects(createTogether(watched, [map('a'), map('Not_A_Name')]), { reason: 'Invalid' });
    assert.deepEqual([written, await names()], [[], []]);
  });

  it('are taken back when one fails that was fine when it was tried', async (t) => {
    const { client, names } = await cluster(t);
    await createTogether(client, [map('before')]);
    await assert.rejects(createTogether(client, [map('a'), map('b'), map('a')]), { reason: 'AlreadyExists' });
    assert.deepEqual(await names(), ['before']);
  });

  it('that cannot be taken back are named', async (t) => {
    const { client, names } = await cluster(t);
    const stubborn: Pick<KubeClient, 'create' | 'delete'> = {
      create: (...asked) => client.create(...asked),
      delete: () => Promise.reject(new Error('no')),
    };
    await assert.rejects(createTogether(stubborn, [map('a'), map('a')]), {
      reason: 'InternalError',
      message: /already exists; could not be taken back: configmaps "a"$/,
    });
    assert.deepEqual(await names(), ['a']);
  });
});
