import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { before, describe, it } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { silentLog } from '#base/log.ts';
import { registerProduct } from '#ghippo/apis/index.ts';
import { instanceScope } from '#ghippo/apis/scope.ts';
import { ofSuite } from '#base/testing.ts';
import { type TestGhippo, testGhippo } from '#ghippo/testing.ts';
import type { ClusterRegistry, MemberClients } from '#kpanda/registry/index.ts';
import type { Audited } from '#rpc/index.ts';
import { KPANDA_PRODUCT, kpandaPermission, kpandaProduct } from '../access/kpanda-product.ts';
import { inventoryApi } from './inventory-api.ts';

const ROOT = '/apis/kpanda.io/v1alpha1';

describe('R11: the inventory behind the entrance', () => {
  const suite = ofSuite();
  const heard: string[] = [];
  const audited: Audited[] = [];
  let people: TestGhippo;
  let base: string;

  before(async () => {
    people = await testGhippo(suite);
    const { client, ghippo, until } = people;
    await registerProduct(client, KPANDA_PRODUCT, kpandaProduct);
    await until(() => ghippo.snapshot.current().points.includes(kpandaPermission('index', 'read')));
    /** Stands where the inventory is, and tells what it was asked. */
    const registry = new Proxy({} as ClusterRegistry, {
      get: (_, name: string) => async () => {
        heard.push(name);
        return name === 'list' ? [] : { metadata: { name: 'c' }, spec: { secretRef: {} } };
      },
    });
    const api = inventoryApi({
      registry,
      members: {} as MemberClients,
      // Whoever is named in the header: how people are known is the entrance's.
      identify: async ({ headers }) =>
        headers.authorization === undefined ? undefined : { user: headers.authorization, groups: [] },
      access: ghippo.snapshot,
      audit: (entry) => void audited.push(entry),
      clock: systemClock,
      log: silentLog,
    });
    const server = createServer((request, response) => api.handle(request, response) || response.writeHead(404).end());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    suite.after(() => void server.close());
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  const call = async (user: string | undefined, verb: string, path: string) => {
    const body = verb === 'GET' || verb === 'DELETE' ? {} : { body: '{}' };
    const headers = user === undefined ? {} : { authorization: user };
    return (await fetch(`${base}${path}`, { method: verb, headers, ...body })).status;
  };
  const EVERYTHING = [
    ['GET', `${ROOT}/clusters/c`],
    ['PUT', `${ROOT}/clusters/c`],
    ['DELETE', `${ROOT}/clusters/c`],
    ['POST', `${ROOT}/clusters`],
    ['POST', `${ROOT}/clusters/validate`],
    ['PUT', `${ROOT}/clusters/c/labels`],
    ['POST', `${ROOT}/clusters/c/credential:rotate`],
    ['GET', `${ROOT}/clusters/c/kubeconfig`],
    ['GET', `${ROOT}/clusters/c/usage`],
  ] as const;

  it('is nothing to those without rights: empty lists, refusals on record, and it hears nothing', async () => {
    await people.caller('nobody');
    await people.caller('vera', 'instance-viewer', instanceScope('demo'));
    for (const user of ['nobody', 'vera']) {
      for (const [verb, path] of EVERYTHING) assert.equal(await call(user, verb, path), 403, `${user} ${verb} ${path}`);
      const listed = await fetch(`${base}${ROOT}/clusters`, { headers: { authorization: user } });
      assert.deepEqual(((await listed.json()) as { readonly items: unknown }).items, []);
    }
    assert.equal(await call(undefined, 'GET', `${ROOT}/clusters`), 401);
    assert.deepEqual(heard, []);
    assert.ok(audited.some(({ error, caller }) => error?.reason === 'Forbidden' && caller?.user === 'vera'));
  });

  it('is open to its owner', async () => {
    await people.caller('otto', 'kpanda-owner');
    assert.equal(await call('otto', 'GET', `${ROOT}/clusters`), 200);
    assert.equal(await call('otto', 'GET', `${ROOT}/clusters/c`), 200);
    assert.equal(await call('otto', 'DELETE', `${ROOT}/clusters/c`), 200);
    assert.deepEqual(heard, ['list', 'get', 'remove']);
  });
});
