import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { create, createRegistry, equals, fromJsonString, type MessageInitShape, toJson } from '@bufbuild/protobuf';
import { anyPack, timestampFromMs } from '@bufbuild/protobuf/wkt';
import * as fc from 'fast-check';
import { WIRE } from '#base/status-error.ts';
import {
  EchoRequestSchema,
  EchoResponseSchema,
  EverythingSchema,
  file_rpc_testing_v1_testing,
  NestedSchema,
} from '#gen/proto/rpc/testing/v1/testing_pb.ts';
import { toStatusError } from './status-codes.ts';
import { PROTOCOLS, serveTesting, type TestingServer } from './testing/testing-service.ts';

const registry = createRegistry(file_rpc_testing_v1_testing);

const text = fc.string({ unit: 'grapheme' });
const int32 = fc.integer();
const uint32 = fc.nat({ max: 0xffff_ffff });
const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const uint64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const colour = fc.constantFrom(0, 1, 2);
const single = fc.float();
const nested = fc.record({ name: text, count: int32 }).map((value) => create(NestedSchema, value));
const json = fc.dictionary(text, fc.oneof(text, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean()));

/** Any message with every kind of field, some of them left out. */
const everything: fc.Arbitrary<MessageInitShape<typeof EverythingSchema>> = fc.record(
  {
    text,
    flag: fc.boolean(),
    small: int32,
    large: int64,
    smallUnsigned: uint32,
    largeUnsigned: uint64,
    smallZigzag: int32,
    largeZigzag: int64,
    smallFixed: uint32,
    largeFixed: uint64,
    smallSignedFixed: int32,
    largeSignedFixed: int64,
    single,
    real: fc.double(),
    data: fc.uint8Array({ maxLength: 20 }),
    colour,
    nested,
    maybeText: text,
    maybeLarge: int64,
    texts: fc.array(text),
    numbers: fc.array(int64),
    colours: fc.array(colour),
    children: fc.array(nested),
    labels: fc.dictionary(text, text),
    flags: fc.dictionary(int64.map(String), fc.boolean()),
    named: fc.dictionary(text, nested),
    choice: fc.oneof(
      text.map((value) => ({ case: 'choiceText' as const, value })),
      nested.map((value) => ({ case: 'choiceNested' as const, value })),
    ),
    moment: fc
      .date({ min: new Date('1900-01-01'), max: new Date('2200-01-01'), noInvalidDate: true })
      .map((date) => timestampFromMs(date.getTime())),
    length: fc.record({ seconds: fc.bigInt({ min: 0n, max: 10_000n }), nanos: fc.nat({ max: 999_999_999 }) }),
    mask: fc.constantFrom({ paths: [] }, { paths: ['text', 'nested.name'] }),
    wrapped: int64,
    document: json,
    any: nested.map((value) => anyPack(NestedSchema, value)),
    oddName: text,
  },
  { requiredKeys: [] },
);

describe('all protocols', () => {
  let server: TestingServer;
  before(async () => {
    server = await serveTesting();
  });
  after(() => server.close());

  it('answer the same to the same', async () => {
    const clients = PROTOCOLS.map((protocol) => server.client(protocol));
    await fc.assert(
      fc.asyncProperty(everything, async (value) => {
        const request = create(EchoRequestSchema, { everything: create(EverythingSchema, value) });
        const rest = await fetch(`${server.url}/testing/v1/echo`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(toJson(EchoRequestSchema, request, { registry })),
        });
        const byRest = fromJsonString(EchoResponseSchema, await rest.text(), { registry });
        for (const client of clients) {
          const byRpc = await client.echo(request);
          assert.ok(equals(EchoResponseSchema, byRpc, byRest, { registry, unpackAny: true }));
        }
      }),
      { seed: 1, numRuns: 60 },
    );
  });

  it('fail the same', async () => {
    for (const reason of Object.keys(WIRE)) {
      const byRpc = await server.client('grpc').fail({ reason, message: 'm' }).catch(toStatusError);
      const rest = await fetch(`${server.url}/testing/v1/fail/${reason}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"message":"m"}',
      });
      assert.ok(byRpc instanceof Error);
      assert.equal(rest.status, byRpc.code);
      assert.partialDeepStrictEqual(await rest.json(), { message: byRpc.message });
    }
  });

  it('take a stream of requests', async () => {
    async function* words() {
      yield { text: 'a' };
      yield { text: 'b' };
    }
    assert.equal((await server.client('grpc').join(words())).text, 'ab');
  });
});
