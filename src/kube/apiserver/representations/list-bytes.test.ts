import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testServer } from '../testing.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

describe('A long list', () => {
  it('comes in pieces that are the same list', async (t) => {
    const { server, call } = await testServer(t);
    const client = server.client();
    const big = 'é'.repeat(50_000);
    const gvr = { group: '', version: 'v1', resource: 'configmaps' };
    for (let i = 0; i < 9; i++) {
      const metadata = { name: `c${i}`, namespace: 'default' };
      await client.create(gvr, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { big, i: `${i}` } });
    }
    const { text, headers, body } = await call('GET', CONFIG_MAPS);
    assert.equal(Number(headers['content-length']), Buffer.byteLength(text));
    assert.deepEqual(
      body.items.map((item: { data: { i: string } }) => item.data.i),
      ['0', '1', '2', '3', '4', '5', '6', '7', '8'],
    );
    assert.equal(body.items[0].kind, undefined);
    assert.equal(text, `${JSON.stringify(body)}\n`);
    const pretty = await call('GET', `${CONFIG_MAPS}?pretty=true`);
    assert.deepEqual(pretty.body, body);
    const head = await call('HEAD', CONFIG_MAPS);
    assert.deepEqual([head.code, head.text], [200, '']);
  });

  it('may be empty', async (t) => {
    const { call } = await testServer(t);
    const { text, body } = await call('GET', CONFIG_MAPS);
    assert.equal(text, `${JSON.stringify(body)}\n`);
    assert.deepEqual(body.items, []);
  });
});
