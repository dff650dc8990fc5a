import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ghippoClients, installGhippo } from '#ghippo/apis/index.ts';
import { PLATFORM } from '#ghippo/apis/scope.ts';
import { informers } from '#kube/runtime/informer.ts';
import { globalCluster } from '../testing.ts';
import { liveSnapshot } from './live-snapshot.ts';

const MAY_LIST = { user: 'alice', permission: 'ghippo/user/list', scope: PLATFORM };

it('R12: denies while it does not know everything, and follows every change afterwards', async (t) => {
  const { client, signal } = await globalCluster(t);
  await installGhippo(client, { signal });
  const { users, bindings } = ghippoClients(client);
  const live = liveSnapshot(informers(client, { signal }));
  const early = live.decide(MAY_LIST);
  assert.equal(!early.allowed && early.missing.reason, 'NotReady');
  assert.throws(() => live.current(), { reason: 'ServiceUnavailable' });
  await live.ready;

  const untilAllowed = (wanted: boolean) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (live.decide(MAY_LIST).allowed !== wanted) return;
        end();
        resolve();
      };
      const end = live.subscribe(look);
      look();
    });
  await users.create({ metadata: { name: 'alice' }, spec: {} });
  const subjects = [{ kind: 'User' as const, name: 'alice' }];
  await bindings.create({ metadata: { name: 'b' }, spec: { role: 'admin', scope: PLATFORM, subjects } });
  await untilAllowed(true);
  await bindings.remove('b');
  await untilAllowed(false);
});

it('R12: is not ready when the global cluster cannot be read', async (t) => {
  const { client, signal } = await globalCluster(t);
  // The kinds are not installed: nothing can be listed.
  const live = liveSnapshot(informers(client, { signal }));
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(live.isReady(), false);
  assert.equal(live.decide(MAY_LIST).allowed, false);
});

it('installs the same things twice without a write', async (t) => {
  const { client, signal } = await globalCluster(t);
  await installGhippo(client, { signal });
  const { roles, products } = ghippoClients(client);
  const before = [...(await roles.list()), ...(await products.list())].map(({ metadata }) => metadata.resourceVersion);
  await installGhippo(client, { signal });
  const after = [...(await roles.list()), ...(await products.list())].map(({ metadata }) => metadata.resourceVersion);
  assert.deepEqual(after, before);
});
