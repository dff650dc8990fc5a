import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { toJson } from '@bufbuild/protobuf';
import { StatusError, WIRE } from '#base/status-error.ts';
import { EchoResponseSchema } from '#gen/proto/rpc/testing/v1/testing_pb.ts';
import { toStatusError } from './status-codes.ts';
import { FAILURE, PROTOCOLS, serveTesting, type TestingServer } from './testing/testing-service.ts';

const post = (url: string, body: object) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

describe('rpcHandler', () => {
  let server: TestingServer;
  before(async () => {
    server = await serveTesting();
  });
  after(() => server.close());

  for (const protocol of PROTOCOLS) {
    it(`answers ${protocol}`, async () => {
      const answer = await server
        .client(protocol)
        .echo({ everything: { text: 'hello', large: 9_007_199_254_740_993n } });
      assert.deepEqual(toJson(EchoResponseSchema, answer), {
        everything: { text: 'hello', large: '9007199254740993' },
      });
    });

    it(`sends errors by ${protocol} with all they know`, async () => {
      for (const reason of Object.keys(WIRE)) {
        const error = await server.client(protocol).fail({ reason, message: 'no' }).catch(toStatusError);
        assert.ok(error instanceof StatusError);
        assert.deepEqual([error.reason, error.message, error.details], [reason, 'no', FAILURE]);
      }
    });

    it(`streams by ${protocol}`, async () => {
      const numbers: number[] = [];
      const failing = async () => {
        for await (const { number } of server.client(protocol).count({ to: 5, failAt: 4 })) numbers.push(number);
      };
      await assert.rejects(failing, { name: 'StatusError', reason: 'Expired', message: 'cannot count to 4' });
      assert.deepEqual(numbers, [1, 2, 3]);
    });
  }

  it('answers REST from the same implementation', async () => {
    const response = await fetch(`${server.url}/testing/v1/shelves/2/books/ulysses?comment=long`);
    assert.equal(response.status, 200);
    assert.deepEqual(await response.json(), { name: 'shelves/2/books/ulysses', comment: 'long' });
  });

  it('sends errors by REST as google.rpc.Status with the code of Kubernetes', async () => {
    for (const [reason, { http }] of Object.entries(WIRE)) {
      const response = await post(`${server.url}/testing/v1/fail/${reason}`, { message: 'no' });
      assert.equal(response.status, http, reason);
      assert.partialDeepStrictEqual(await response.json(), {
        message: 'no',
        details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'kairship.io' }],
      });
      assert.equal(response.headers.get('retry-after'), '3');
    }
  });

  it('refuses a message over the limit by every protocol, compressed or not', async (context) => {
    const limited = await serveTesting({ limits: { bodyBytes: 1000 } });
    context.after(() => limited.close());
    for (const protocol of PROTOCOLS) {
      await assert.rejects(limited.client(protocol).name({ name: 'x'.repeat(2000) }), { reason: 'TooManyRequests' });
    }
    const bomb = await fetch(`${limited.url}/rpc.testing.v1.TestingService/Name`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: gzipSync(`{"name":"${'x'.repeat(100_000)}"}`),
    });
    assert.equal(bomb.status, 429);
  });

  it('keeps what went wrong inside from its callers', async () => {
    const response = await post(`${server.url}/testing/v1/fail/Crash`, { message: 'secret' });
    assert.deepEqual([response.status, await response.json()], [500, { code: 13, message: 'internal error' }]);
    await assert.rejects(server.client('grpc').fail({ reason: 'Crash', message: 'secret' }), {
      message: 'internal error',
    });
  });
});
