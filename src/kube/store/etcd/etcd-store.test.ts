import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { storeContract } from '../store-contract.ts';
import { checkAgainstModel } from '../store-model.ts';
import { asText, bytes, collect, text } from '../store-probe.ts';
import { etcdProgram, startEtcd } from './etcd-server.ts';
import { etcdStore } from './etcd-store.ts';

async function open() {
  const server = await startEtcd();
  let store = await etcdStore(server);
  return {
    server,
    store,
    async reopen() {
      await store.close();
      return (store = await etcdStore(server));
    },
    async cleanup() {
      await store.close();
      await server.stop();
    },
  };
}

if (etcdProgram() === undefined && process.env['CI'] !== 'true') {
  describe('etcdStore', () => {
    it('keeps the store contract', { skip: 'etcd is not installed; npm run test:tools gets it' });
  });
} else {
  storeContract('etcdStore', open, { groups: false });

  it('etcdStore does what a plain array of changes does', () => checkAgainstModel(open, 3, { groups: false }));

  describe('several stores on one etcd', () => {
    it('see what the others write, in the same order', async () => {
      const opened = await open();
      const { server, store } = opened;
      const other = await etcdStore(server);
      const watched = [store, other].map((each) => collect(each, '/', 1));
      for (let i = 0; i < 20; i++) await (i % 2 ? store : other).put(`/${i}`, bytes(String(i)), 0);
      const last = await store.put('/last', bytes('end'), 0);
      await Promise.all(watched.map((each) => each.reaches(last)));
      const [one, two] = watched.map(({ changes }) => changes.map(asText));
      assert.deepEqual(one, two);
      assert.equal(one?.length, 21);
      await Promise.all(watched.map((each) => each.stop()));
      await assert.rejects(other.put('/0', bytes('again'), 0), { reason: 'Conflict' });
      assert.equal(text((await other.get('/1'))?.value), '1');
      await other.close();
      await opened.cleanup();
    });
  });
}
