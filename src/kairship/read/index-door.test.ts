import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { it } from 'node:test';
import { registerProduct } from '#ghippo/apis/index.ts';
import { instanceScope, namespaceScope } from '#ghippo/apis/scope.ts';
import { testGhippo } from '#ghippo/testing.ts';
import type { IndexHandlerDeps } from '#kpanda/index/index.ts';
import { KAIRSHIP_PRODUCT, kairshipPermission, kairshipProduct } from '../access/kairship-product.ts';
import { KPANDA_PRODUCT, kpandaPermission, kpandaProduct } from '../access/kpanda-product.ts';
import { indexDoor } from './index-door.ts';

it('everybody reads of the index what is in their instances, and its owner everything', async (t) => {
  const { client, ghippo, caller, until } = await testGhippo(t);
  await registerProduct(client, KPANDA_PRODUCT, kpandaProduct);
  await registerProduct(client, KAIRSHIP_PRODUCT, kairshipProduct);
  const points = [kpandaPermission('index', 'read'), kairshipPermission('object', 'search')];
  await until(() => points.every((point) => ghippo.snapshot.current().points.includes(point)));
  await caller('nobody');
  await caller('otto', 'kpanda-owner');
  await caller('vera', 'instance-viewer', instanceScope('demo'));
  await caller('nina', 'namespace-viewer', namespaceScope('demo', 'shop'));

  let readable: ((request: IncomingMessage) => ReturnType<IndexHandlerDeps['accessOf']>) | undefined;
  indexDoor({
    kpanda: {
      handler: (accessOf) => {
        readable = accessOf;
        return { serves: () => true, handle: async () => undefined };
      },
    },
    identify: async ({ headers }) =>
      headers.authorization === undefined ? undefined : { user: headers.authorization, groups: [] },
    access: ghippo.snapshot,
  });
  const accessOf = (user?: string) =>
    readable?.({
      headers: user === undefined ? {} : { authorization: user },
      socket: {},
    } as unknown as IncomingMessage);
  assert.equal(await accessOf('otto'), 'everything');
  assert.deepEqual(await accessOf('vera'), [{ cluster: 'k-demo' }]);
  assert.deepEqual(await accessOf('nina'), [{ cluster: 'k-demo', namespace: 'shop' }]);
  assert.deepEqual(await accessOf('nobody'), []);
  await assert.rejects(async () => accessOf(), { reason: 'Unauthorized' });
});
