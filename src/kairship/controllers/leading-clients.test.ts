import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { hasReason, StatusError } from '#base/status-error.ts';
import { apiServer } from '#kube/apiserver/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { chosenControllers } from '#kube/runtime/chosen-controllers.ts';
import { memoryStore } from '#kube/store/index.ts';
import { CONTROLLERS } from './controller-names.ts';
import { leadingClient } from './leading-clients.ts';

const CONFIG_MAPS = { group: '', version: 'v1', resource: 'configmaps' };
const MANAGER = { fieldManager: 'test', force: true };
const KEY = { namespace: 'default', name: 'shared' };
const map = (owner: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: KEY, data: { owner } });

async function cluster(t: TestContext): Promise<KubeClient> {
  const server = await apiServer({ store: memoryStore() });
  t.after(() => server.close());
  return server.client();
}

/** A lease that can be lost, and a client whose next read is followed by `meanwhile`: what happens in a pause. */
function leader(client: KubeClient) {
  const lost = new AbortController();
  let meanwhile: (() => Promise<unknown>) | undefined;
  const guard = () => {
    if (lost.signal.aborted) throw new StatusError('ServiceUnavailable', 'the lease is lost');
  };
  const paused: KubeClient = {
    ...client,
    async get(gvr, key, options) {
      const found = await client.get(gvr, key, options).catch((error: unknown) => error as Error);
      await meanwhile?.();
      if (found instanceof Error) throw found;
      return found as never;
    },
  };
  return {
    own: leadingClient(paused, { guard, lost: lost.signal }),
    lose: () => lost.abort(),
    pause: (action: () => Promise<unknown>) => void (meanwhile = action),
  };
}

const ownerOf = async (client: KubeClient) =>
  ((await client.get(CONFIG_MAPS, KEY)) as unknown as { readonly data: { readonly owner: string } }).data.owner;

describe('R15: a leader’s client', () => {
  it('applies and patches as any other while it leads', async (t) => {
    const client = await cluster(t);
    const { own } = leader(client);
    await own.apply(CONFIG_MAPS, map('first'), MANAGER);
    await own.apply(CONFIG_MAPS, map('second'), MANAGER);
    assert.equal(await ownerOf(client), 'second');
    await own.patch(CONFIG_MAPS, KEY, { type: 'merge', body: { data: { owner: 'third' } } });
    assert.equal(await ownerOf(client), 'third');
  });

  it('writes nothing any more once the lease is lost', async (t) => {
    const client = await cluster(t);
    const { own, lose } = leader(client);
    await own.apply(CONFIG_MAPS, map('first'), MANAGER);
    lose();
    await assert.rejects(own.apply(CONFIG_MAPS, map('late'), MANAGER), /the lease is lost/);
    await assert.rejects(own.patch(CONFIG_MAPS, KEY, { type: 'merge', body: { data: {} } }), /the lease is lost/);
    await assert.rejects(own.delete(CONFIG_MAPS, KEY), /the lease is lost/);
    assert.equal(await ownerOf(client), 'first');
  });

  it('does not undo what the next leader wrote while it was held up', async (t) => {
    const client = await cluster(t);
    const { own, pause } = leader(client);
    await own.apply(CONFIG_MAPS, map('first'), MANAGER);
    pause(() => client.apply(CONFIG_MAPS, map('next leader'), MANAGER));
    const isConflict = (error: unknown) => hasReason(error, 'Conflict');
    await assert.rejects(own.apply(CONFIG_MAPS, map('late'), MANAGER), isConflict);
    const late = { type: 'merge', body: { data: { owner: 'late' } } } as const;
    pause(() => client.apply(CONFIG_MAPS, map('the one after'), MANAGER));
    await assert.rejects(own.patch(CONFIG_MAPS, KEY, late), isConflict);
    assert.equal(await ownerOf(client), 'the one after');
  });
});

describe('R16: each controller', () => {
  it('can be chosen or left out by its name', () => {
    const left = (list: string) => {
      const choice = chosenControllers(list, CONTROLLERS);
      return 'runs' in choice ? CONTROLLERS.filter(choice.runs) : choice.unknown;
    };
    assert.deepEqual(left('*'), CONTROLLERS);
    assert.deepEqual(
      left('*,-cluster-sync'),
      CONTROLLERS.filter((name) => name !== 'cluster-sync'),
    );
    assert.deepEqual(left('status-sync'), ['status-sync']);
    assert.deepEqual(left(''), []);
    assert.deepEqual(left('*,-none'), ['none']);
  });
});
