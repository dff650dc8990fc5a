import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRegistry, type JsonValue, toJson } from '@bufbuild/protobuf';
import { file_rpc_testing_v1_testing, TestingService } from '#gen/proto/rpc/testing/v1/testing_pb.ts';
import { DEFAULT_LIMITS } from '../limits.ts';
import { type Route, routesOf } from './routes.ts';
import { requestMessage } from './transcode.ts';

const rules = { registry: createRegistry(file_rpc_testing_v1_testing), limits: DEFAULT_LIMITS };
const routes = routesOf(TestingService);

function route(method: string, path: string): Route {
  const found = routes.find((one) => one.method === method && one.path === path);
  assert.ok(found, `${method} ${path}`);
  return found;
}

function read(from: Route, request: { segments?: string[]; query?: string; body?: string }): JsonValue {
  const { segments = [], query = '', body } = request;
  const bytes = body === undefined ? undefined : Buffer.from(body);
  return toJson(from.rpc.input, requestMessage(from, { segments, query, body: bytes }, rules), rules);
}

describe('a query', () => {
  const echo = route('GET', '/testing/v1/echo');
  const understood: [query: string, everything: JsonValue][] = [
    ['everything.text=a%20b', { text: 'a b' }],
    ['everything.flag=true', { flag: true }],
    ['everything.flag=1', { flag: true }],
    ['everything.small=-3', { small: -3 }],
    ['everything.large=9007199254740993', { large: '9007199254740993' }],
    ['everything.largeUnsigned=18446744073709551615', { largeUnsigned: '18446744073709551615' }],
    ['everything.large_unsigned=1', { largeUnsigned: '1' }],
    ['everything.real=1.5e3', { real: 1500 }],
    ['everything.real=NaN', { real: 'NaN' }],
    ['everything.data=aGk%3D', { data: 'aGk=' }],
    ['everything.colour=COLOUR_RED', { colour: 'COLOUR_RED' }],
    ['everything.colour=2', { colour: 'COLOUR_GREEN' }],
    ['everything.nested.inner.name=x&everything.nested.count=2', { nested: { count: 2, inner: { name: 'x' } } }],
    ['everything.texts=a&everything.texts=b', { texts: ['a', 'b'] }],
    ['everything.numbers=1&everything.numbers=2', { numbers: ['1', '2'] }],
    ['everything.colours=COLOUR_RED&everything.colours=2', { colours: ['COLOUR_RED', 'COLOUR_GREEN'] }],
    [
      'everything.labels[app]=web&everything.labels[__proto__]=x',
      JSON.parse('{"labels":{"app":"web","__proto__":"x"}}'),
    ],
    ['everything.flags[7]=true', { flags: { 7: true } }],
    ['everything.moment=2026-01-02T03:04:05.678Z', { moment: '2026-01-02T03:04:05.678Z' }],
    ['everything.length=1.5s', { length: '1.500s' }],
    ['everything.mask=text,nested.name', { mask: 'text,nested.name' }],
    ['everything.wrapped=5', { wrapped: '5' }],
    ['everything.maybeText=', { maybeText: '' }],
    ['everything.choiceText=c', { choiceText: 'c' }],
    ['everything.ODD-name=odd', { 'ODD-name': 'odd' }],
    ['everything.odd_name=odd', { 'ODD-name': 'odd' }],
  ];
  for (const [query, everything] of understood) {
    it(`understands ${query}`, () => assert.deepEqual(read(echo, { query }), { everything }));
  }

  const refused: [query: string, why: RegExp][] = [
    ['everyting.text=x', /unknown query parameter "everyting.text": the request has everything$/],
    ['everything.text.more=x', /unknown query parameter "everything.text.more": everything has text, flag,/],
    ['everything.nested.nmae=x', /everything.nested has name, count, inner$/],
    ['everything=x', /"everything" is a rpc.testing.v1.Everything: name one of its fields/],
    ['everything.nested=x', /is a rpc.testing.v1.Nested/],
    ['everything.children=x', /is a rpc.testing.v1.Nested/],
    ['everything.named[x]=y', /is a rpc.testing.v1.Nested/],
    ['everything.text=a&everything.text=b', /given more than once/],
    ['everything.labels=x', /is a map: write/],
    ['everything.labels[a]=1&everything.labels[a]=2', /given more than once/],
    ['everything.text[a]=1', /has a key, but "everything.text" is no map/],
    ['everything.flag=yes', /is true or false, not "yes"/],
    ['everything.small=x', /int32/],
    ['everything.small=2147483648', /int32/],
    ['everything.small=', /int32/],
    ['everything.large=9223372036854775808', /int64/],
    ['everything.colour=BLUE', /BLUE/],
    ['everything.moment=yesterday', /Timestamp/],
    ['everything.choiceText=a&everything.choiceNested.name=b', /oneof/],
    ['everything.document.a=b', /unknown query parameter/],
    ['%5B%5D=1', /unknown query parameter/],
    ['constructor=1', /unknown query parameter/],
  ];
  for (const [query, why] of refused) {
    it(`is refused with ${query}`, () =>
      assert.throws(() => read(echo, { query }), { reason: 'BadRequest', message: why }));
  }

  it('may not be longer than its limit', () => {
    const query = `everything.text=${'x'.repeat(DEFAULT_LIMITS.queryLength)}`;
    assert.throws(() => read(echo, { query }), { code: 414 });
  });

  it('may not have more parameters than its limit', () => {
    const query = 'everything.texts=a&'.repeat(DEFAULT_LIMITS.queryParameters + 1);
    assert.throws(() => read(echo, { query }), /more than 256 query parameters/);
  });
});

describe('a body', () => {
  it('is the whole request', () => {
    const body = '{"everything":{"text":"x","large":"9007199254740993","odd_name":"o"}}';
    assert.deepEqual(read(route('POST', '/testing/v1/echo'), { body }), {
      everything: { text: 'x', large: '9007199254740993', 'ODD-name': 'o' },
    });
  });

  it('leaves no room for a query', () => {
    assert.throws(
      () => read(route('POST', '/testing/v1/echo'), { query: 'everything.text=x', body: '{}' }),
      /comes from the body/,
    );
  });

  it('may be one field, with the others in path and query', () => {
    const put = route('PUT', '/testing/v1/echo/{everything.text}');
    assert.deepEqual(
      read(put, { segments: ['testing', 'v1', 'echo', 'hi'], query: 'everything.small=1', body: '{"name":"n"}' }),
      { everything: { text: 'hi', small: 1, nested: { name: 'n' } } },
    );
    const segments = ['testing', 'v1', 'echo', 'hi'];
    assert.throws(() => read(put, { segments, query: 'everything.nested.name=x', body: '{}' }), /comes from the body/);
    assert.throws(() => read(put, { segments, query: 'everything.text=x', body: '{}' }), /comes from the path/);
    assert.throws(() => read(put, { segments, body: '{}}, "text": "other", "nested": {' }), { reason: 'BadRequest' });
  });

  it('may be a list', () => {
    assert.deepEqual(read(route('POST', '/testing/v1/unwrap'), { query: 'source=s', body: '[{"name":"a"}]' }), {
      items: [{ name: 'a' }],
      source: 's',
    });
  });

  it('gives way to the path', () => {
    const publish = route('POST', '/testing/v1/books/{name}:publish');
    const segments = ['testing', 'v1', 'books', 'mine'];
    assert.deepEqual(read(publish, { segments, body: '{"name":"yours","comment":"c"}' }), {
      name: 'mine',
      comment: 'c',
    });
    assert.deepEqual(read(publish, { segments, body: '' }), { name: 'mine' });
  });

  const deep = `${'{"inner":'.repeat(DEFAULT_LIMITS.depth)}{}${'}'.repeat(DEFAULT_LIMITS.depth)}`;
  const refused: [what: string, body: string, why: RegExp][] = [
    ['no JSON', '{', /JSON/],
    ['no object', '[]', /JSON/],
    ['unknown fields', '{"everything":{"txet":"x"}}', /txet/],
    ['a field twice', '{"everything":{"oddName":"a","odd_name":"b"}}', /odd/],
    ['too large a number', '{"everything":{"small":4294967296}}', /small/],
    ['two of one choice', '{"everything":{"choiceText":"a","choiceNested":{}}}', /choice/],
    ['an unknown type of Any', '{"everything":{"any":{"@type":"type.googleapis.com/no.Such"}}}', /no.Such/],
    ['too deep a message', `{"everything":{"nested":${deep}}}`, /depth of 100/],
    ['too deep a document', `{"everything":{"value":${'['.repeat(5000)}${']'.repeat(5000)}}}`, /depth of 100/],
  ];
  for (const [what, body, why] of refused) {
    it(`is refused with ${what}`, () => {
      assert.throws(() => read(route('POST', '/testing/v1/echo'), { body }), { reason: 'BadRequest', message: why });
    });
  }

  it('is refused if it is not UTF-8', () => {
    const from = route('POST', '/testing/v1/echo');
    const body = Buffer.from([0x7b, 0xff, 0x7d]);
    assert.throws(() => requestMessage(from, { segments: [], query: '', body }, rules), { reason: 'BadRequest' });
  });
});
