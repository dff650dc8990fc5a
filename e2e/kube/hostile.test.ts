/**
 * What nobody should send, sent to the program as it is started: every request gets a clear Status, nobody else waits for
 * it, and the process lives on with bounded memory. Bodies of all kinds, selectors and paths are tables; connections that
 * misbehave are in hostile-connections.test.ts.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { temporaryDirectory } from '../platform.ts';
import { type Answer, type Ask, ask, type KubeServer, startKube } from './kube-server.ts';

const PATH = '/api/v1/namespaces/default/configmaps';
const deep = (levels: number, open: string, close: string) => open.repeat(levels) + close.repeat(levels);
const MAGIC = [0x6b, 0x38, 0x73, 0x00];

describe('A hostile client', () => {
  const { path: directory, remove } = temporaryDirectory();
  let server: KubeServer;
  before(async () => {
    server = await startKube(directory);
    await ask(server, { method: 'POST', path: PATH, body: { metadata: { name: 'there' }, data: { a: 'x' } } });
  });
  after(async () => {
    // Whatever was sent: the process has neither ended nor complained of a failure of its own.
    assert.equal(server.process.exitCode, null);
    assert.doesNotMatch(server.errors(), /a request failed|Warning:|at file:/);
    assert.equal(await server.stop(), 0);
    remove();
  });

  const send = (asked: Ask) => ask(server, asked);
  const megabytes = () =>
    Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${server.process.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

  function isFailure({ code, body, text }: Answer, reason: string, message: RegExp): void {
    assert.equal(body?.kind, 'Status', text.slice(0, 200));
    assert.equal(body.status, 'Failure');
    assert.equal(body.code, code);
    assert.equal(body.reason, reason);
    assert.match(body.message, message);
  }

  const BODIES: [because: string, type: string, body: string | Buffer, reason: string, message: RegExp][] = [
    ['JSON that ends too soon', 'json', '{"metadata":', 'BadRequest', /unexpected end of JSON input/],
    ['nothing', 'json', '', 'BadRequest', /unexpected end of JSON input \(<empty>\)/],
    ['two values', 'json', '{} {}', 'BadRequest', /after top-level value/],
    ['a list', 'json', '[]', 'BadRequest', /cannot unmarshal/],
    ['a byte order mark', 'json', '\ufeff{}', 'BadRequest', /invalid character/],
    ['keys of JavaScript', 'json', '{"metadata":{"name":"a","__proto__":{}}}', 'BadRequest', /__proto__/],
    [
      'text where a map belongs',
      'json',
      '{"metadata":{"name":"a"},"data":"x"}',
      'BadRequest',
      /cannot unmarshal string/,
    ],
    ['a number where text belongs', 'json', '{"metadata":{"name":5}}', 'BadRequest', /cannot unmarshal number/],
    ['lists nested deep', 'json', `{"x":${deep(100_000, '[', ']')}}`, 'BadRequest', /exceeded max depth/],
    ['maps nested deep', 'json', `{"x":${deep(100_000, '{"a":', '}')}}`, 'BadRequest', /max depth|invalid character/],
    ['YAML that is none', 'yaml', 'a: [b', 'BadRequest', /error converting YAML to JSON/],
    ['YAML nested deep', 'yaml', `a: ${deep(3_000, '[', ']')}`, 'BadRequest', /exceeded max depth/],
    ['YAML that repeats itself', 'yaml', laughs(), 'BadRequest', /Excessive alias count/],
    ['protobuf without its mark', 'protobuf', 'hello', 'BadRequest', /expected prefix \[107 56 115 0\]/],
    ['protobuf that ends too soon', 'protobuf', bytes(0x0a, 0xff), 'BadRequest', /unexpected EOF/],
    [
      'protobuf with a length beyond all',
      'protobuf',
      bytes(0x12, 0xff, 0xff, 0xff, 0xff, 0x0f),
      'BadRequest',
      /unexpected EOF/,
    ],
    ['protobuf with an endless number', 'protobuf', bytes(...Array<number>(20).fill(0xff)), 'BadRequest', /overflow/],
    ['a form', 'x-www-form-urlencoded', 'a=b', 'UnsupportedMediaType', /accepted media types include/],
    ['more than may be', 'json', 'x'.repeat(3_145_729), 'RequestEntityTooLarge', /limit is 3145728/],
    ['an annotation beyond measure', 'json', huge('annotations'), 'Invalid', /annotations: Too long/],
  ];

  for (const [because, type, body, reason, message] of BODIES) {
    it(`is told what is wrong with ${because}`, async () => {
      const media = type === 'protobuf' ? 'vnd.kubernetes.protobuf' : type;
      const answer = await send({
        method: 'POST',
        path: PATH,
        body,
        headers: { 'content-type': `application/${media}` },
      });
      isFailure(answer, reason, message);
    });
  }

  const PATCHES: [because: string, type: string, body: unknown, code: number][] = [
    ['no patch', 'json-patch+json', '{', 400],
    ['operations that are none', 'json-patch+json', [null, 5], 400],
    ['an operation nobody knows', 'json-patch+json', [{ op: 'zap', path: '/data' }], 422],
    ['copies of copies', 'json-patch+json', copies(), 422],
    ['a path without end', 'json-patch+json', [{ op: 'add', path: '/a'.repeat(50_000), value: 1 }], 422],
    ['a way into JavaScript', 'json-patch+json', [{ op: 'add', path: '/__proto__/polluted', value: 1 }], 422],
    ['nothing at all', 'merge-patch+json', 'null', 400],
    ['another kind', 'merge-patch+json', { kind: 'Secret' }, 422],
    ['another name', 'merge-patch+json', { metadata: { name: 'other' } }, 400],
    ['no metadata', 'merge-patch+json', { metadata: null }, 400],
    ['a directive nobody knows', 'strategic-merge-patch+json', { $patch: 'zap' }, 500],
    ['an apply by nobody', 'apply-patch+yaml', { apiVersion: 'v1', kind: 'ConfigMap' }, 422],
    ['a type of patch nobody knows', 'json', {}, 415],
  ];

  for (const [because, type, body, code] of PATCHES) {
    it(`is told what is wrong with a patch that is ${because}`, async () => {
      const headers = { 'content-type': `application/${type}` };
      const answer = await send({ method: 'PATCH', path: `${PATH}/there`, body, headers });
      assert.equal(answer.code, code);
      assert.equal(answer.body.kind, 'Status');
      assert.notEqual(answer.body.message, '');
      assert.deepEqual((await send({ path: `${PATH}/there` })).body.data, { a: 'x' });
    });
  }

  const QUERIES: [query: string, message: RegExp][] = [
    ['labelSelector=a in (', /unable to parse requirement/],
    ['labelSelector=((', /found '\('/],
    ['labelSelector=a>b', /must be an integer/],
    [`labelSelector=${'x'.repeat(5_000)}`, /must be no more than 63/],
    ['fieldSelector=spec.secret=x', /is not a known field selector/],
    ['fieldSelector=metadata.name', /can't understand/],
    ['limit=many', /strconv\.ParseInt/],
    ['limit=99999999999999999999', /strconv\.ParseInt/],
    ['continue=e30', /server does not recognize this encoded version/],
    ['continue=%00', /invalid continue token/],
    ['resourceVersion=-1', /invalid resource version/],
    ['resourceVersionMatch=Exact', /resourceVersionMatch is forbidden unless resourceVersion is provided/],
    ['watch=1&sendInitialEvents=true', /sendInitialEvents requires/],
    ['watch=1&resourceVersion=x', /Invalid value: "x"/],
  ];

  for (const [query, message] of QUERIES) {
    it(`is told what is wrong with ?${query.slice(0, 40)}`, async () => {
      const { body } = await send({ path: `${PATH}?${query.replaceAll(' ', '%20')}` });
      assert.equal(body.status, 'Failure');
      assert.match(body.message, message);
    });
  }

  it('finds nothing by tricks of paths', async () => {
    await send({
      method: 'POST',
      path: '/api/v1/namespaces/default/serviceaccounts',
      body: { metadata: { name: 'spy' } },
    });
    const token = '/api/v1/namespaces/default/serviceaccounts/spy/token';
    const { body } = await send({ method: 'POST', path: token, body: { spec: {} } });
    const headers = { authorization: `Bearer ${body.status.token}` };
    const tricks = [
      '/api/v1/namespaces/default/configmaps/../secrets',
      '/api/v1/namespaces/default/pods/../../kube-system/secrets',
      '/api/v1/namespaces/default/configmaps/%2e%2e/secrets',
      '/api/v1/namespaces/default%2f..%2fkube-system/secrets',
      '/api//v1/secrets',
      '//api/v1/secrets',
      '/api/v1//secrets',
      '/api/v1/secrets/',
      '/api/v1/secrets%00',
      '/api/v1/%73ecrets',
      '/API/v1/secrets',
      '/api/v1/watch/secrets?timeoutSeconds=1',
      '/api/v1/namespaces//secrets',
      '/healthz/../api/v1/secrets',
      '/openapi/v3/../../api/v1/secrets',
      '/api/v1/secrets;/healthz',
      '/api/v1/secrets?watch=false#/healthz',
      `/${'a/'.repeat(5_000)}`,
    ];
    for (const path of tricks) {
      const answer = await send({ path, headers });
      assert.ok([400, 403, 404].includes(answer.code), `${path} was answered with ${answer.code}: ${answer.text}`);
    }
  });

  it('gets back only what it sent: names that look like something else stay names', async () => {
    for (const name of ['..', '.', 'a/b', 'A', 'a\0', ' ', 'x'.repeat(254), 'é']) {
      const { code } = await send({ method: 'POST', path: PATH, body: { metadata: { name } } });
      assert.equal(code, 422);
    }
    const { body } = await send({ path: PATH });
    assert.deepEqual(
      body.items
        .map((item: { metadata: { name: string } }) => item.metadata.name)
        .filter((name: string) => name !== 'kube-root-ca.crt'),
      ['there'],
    );
  });

  it('sends large bodies for a while, and the memory stays bounded', async () => {
    const data = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`key-${i}`, 'x'.repeat(100)]));
    const body = JSON.stringify({ metadata: { name: 'large' }, data });
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all(Array.from({ length: 4 }, () => send({ method: 'POST', path: PATH, body })));
      for (const answer of answers) isFailure(answer, 'Invalid', /may not be more than 1048576 bytes/);
    }
    assert.ok(megabytes() < 900, `${megabytes()} MB`);
  });
});

function bytes(...values: readonly number[]): Buffer {
  return Buffer.from([...MAGIC, ...values]);
}

/** Each level repeats the one before nine times: a few hundred bytes that mean millions. */
function laughs(): string {
  const levels = 'bcdefgh'.split('').map((name, i) => `${name}: &${name} [${`*${'abcdefgh'[i]},`.repeat(9)}]`);
  return ['a: &a [x]', ...levels].join('\n');
}

function huge(field: string): string {
  return JSON.stringify({ metadata: { name: 'a', [field]: { a: 'x'.repeat(300_000) } } });
}

function copies(): unknown {
  return Array.from({ length: 40 }, (_, i) => ({ op: 'copy', from: '/data', path: `/data/b${i}` }));
}
