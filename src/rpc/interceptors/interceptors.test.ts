import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { Interceptor } from '@connectrpc/connect';
import { fakeClock, systemClock } from '#base/clock.ts';
import { jsonLog } from '#base/log.ts';
import { StatusError } from '#base/status-error.ts';
import { TestingService } from '#gen/proto/rpc/testing/v1/testing_pb.ts';
import { type Caller, callerOf } from '../caller.ts';
import { type RpcOptions, service } from '../rpc-handler.ts';
import { serveTesting, testingService } from '../testing/testing-service.ts';
import { type Audited, auditing } from './auditing.ts';
import { authorizing } from './authorizing.ts';
import { rpcName } from './call.ts';

const ANN: Caller = { user: 'ann', groups: ['people'] };
const authenticate = ({ header }: { header: Headers }) =>
  header.get('authorization') === 'Bearer a' ? ANN : undefined;

async function serve(context: TestContext, options: Partial<RpcOptions>) {
  const server = await serveTesting(options);
  context.after(() => server.close());
  const rest = (path: string, token = 'a') =>
    fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
  return { ...server, rest };
}

describe('a caller', () => {
  it('is known to the implementation by every way', async (context) => {
    const greet = service(TestingService, {
      name: (_request, call) => ({ name: callerOf(call).user }),
    });
    const { rest, client } = await serve(context, { services: [greet], authenticate });
    assert.deepEqual(await (await rest('/testing/v1/books/x')).json(), { name: 'ann', comment: '' });
    assert.equal((await rest('/testing/v1/books/x', 'b')).status, 401);
    const headers = { authorization: 'Bearer a' };
    assert.equal((await client('grpc').name({}, { headers })).name, 'ann');
    await assert.rejects(client('grpc').name({}), { reason: 'Unauthorized' });
  });

  it('is shown with its connection', async (context) => {
    const seen: string[] = [];
    const { rest, client } = await serve(context, {
      authenticate({ peer, rpc, verb }) {
        seen.push(`${peer.address} ${peer.encrypted} ${rpc.name} ${verb}`);
        return ANN;
      },
    });
    await rest('/testing/v1/books/x');
    await client('grpc').name({});
    assert.deepEqual(seen, ['127.0.0.1 false Name GET', '127.0.0.1 false Name POST']);
  });

  it('finds nothing of what is not implemented', async (context) => {
    const { rest, client, handler } = await serve(context, { services: [service(TestingService, {})] });
    assert.equal((await rest('/testing/v1/books/x')).status, 404);
    await assert.rejects(client('connect').name({}), { name: 'StatusError' });
    assert.deepEqual([handler.routes, handler.rpcs], [[], []]);
  });
});

describe('authorizing', () => {
  it('refuses a call before its implementation is reached, streams included', async (context) => {
    let reached = 0;
    const counting: Interceptor = (next) => (request) => {
      reached += 1;
      return next(request);
    };
    const decide = authorizing(({ caller, rpc, message }) => {
      if (rpc.name === 'Count' && message && 'to' in message && message.to === 1) return;
      throw new StatusError('Forbidden', `${caller?.user} may not call ${rpcName(rpc)}`);
    });
    const { rest } = await serve(context, { authenticate, interceptors: [decide, counting] });
    const refused = await rest('/testing/v1/books/x');
    assert.equal(refused.status, 403);
    assert.partialDeepStrictEqual(await refused.json(), {
      message: 'ann may not call rpc.testing.v1.TestingService/Name',
    });
    assert.equal((await rest('/testing/v1/count/2')).status, 403);
    assert.equal(reached, 0);
    assert.equal(await (await rest('/testing/v1/count/1')).text(), '{"result":{"number":1}}\n');
  });

  it('ends a stream on which nothing happens once the right to it is gone, and what answers it', async (context) => {
    const clock = fakeClock();
    const ended = Promise.withResolvers<void>();
    const silent = service(TestingService, {
      async *count(_request, { signal }) {
        yield { number: 1 };
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
        ended.resolve();
      },
    });
    let found: () => void = () => undefined;
    const decide = authorizing(() => undefined, { clock, again: () => found() });
    const { rest } = await serve(context, { services: [silent], authenticate, interceptors: [decide] });
    const answer = await rest('/testing/v1/count/9');
    const lines = answer.body?.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
    assert.equal((await lines?.next())?.value, '{"result":{"number":1}}\n');
    found = () => {
      throw new StatusError('ServiceUnavailable', 'nobody can tell');
    };
    await clock.advance(10_000);
    found = () => {
      throw new StatusError('Forbidden', 'no longer');
    };
    await clock.advance(2_000);
    assert.match((await lines?.next())?.value ?? '', /"error":.*no longer/);
    assert.equal((await lines?.next())?.done, true);
    await ended.promise;
  });
});

describe('auditing', () => {
  it('tells of every call once, when it is over', async (context) => {
    const entries: Audited[] = [];
    const { rest } = await serve(context, {
      authenticate,
      interceptors: [auditing(systemClock, (entry) => entries.push(entry))],
    });
    await (await rest('/testing/v1/books/x')).text();
    await (await rest('/testing/v1/count/3?failAt=2')).text();
    await (await rest('/testing/v1/count/2')).text();
    assert.deepEqual(
      entries.map(({ rpc, caller, error }) => `${rpc.name} ${caller?.user} ${error?.reason}`),
      ['Name ann undefined', 'Count ann Expired', 'Count ann undefined'],
    );
  });
});

describe('logging', () => {
  it('has a line for a failure of ours with its cause, and none for one of the caller', async (context) => {
    const lines: string[] = [];
    const { client } = await serve(context, { log: jsonLog((line) => lines.push(line)) });
    await client('connect')
      .fail({ reason: 'NotFound', message: 'x' })
      .catch(() => undefined);
    await client('connect')
      .fail({ reason: 'Crash', message: 'the disk is full' })
      .catch(() => undefined);
    assert.equal(lines.length, 1);
    assert.match(lines[0] ?? '', /"rpc":"rpc.testing.v1.TestingService\/Fail".*the disk is full/);
  });
});

describe('a caller who leaves', () => {
  it('is no failure of ours', async (context) => {
    const ended = Promise.withResolvers<string>();
    const reached = Promise.withResolvers<void>();
    const { url } = await serve(context, {
      services: [service(TestingService, { wait: () => (reached.resolve(), new Promise<never>(() => undefined)) })],
      log: jsonLog((line) => ended.resolve(line), 'debug'),
    });
    const leaving = new AbortController();
    const answer = fetch(`${url}/testing/v1/wait`, { signal: leaving.signal });
    await reached.promise;
    leaving.abort();
    await assert.rejects(answer);
    assert.match(await ended.promise, /"level":"debug","message":"call refused"/);
  });
});

describe('deadlines', () => {
  it('end a call that takes longer than the default, even if it does not listen', async (context) => {
    const clock = fakeClock();
    const reached = Promise.withResolvers<void>();
    const deaf = service(TestingService, {
      ...testingService,
      wait() {
        reached.resolve();
        return new Promise<never>(() => undefined);
      },
    });
    const { rest } = await serve(context, { services: [deaf], clock, limits: { defaultDeadlineMs: 5000 } });
    const answer = rest('/testing/v1/wait');
    await reached.promise;
    await clock.advance(5000);
    const response = await answer;
    assert.equal(response.status, 504);
    assert.partialDeepStrictEqual(await response.json(), { message: 'the call took longer than 5000 ms' });
  });

  it('end a stream when its caller leaves, even if it does not listen', async (context) => {
    const ended = Promise.withResolvers<string | undefined>();
    const deaf = service(TestingService, {
      ...testingService,
      async *count() {
        yield { number: 1 };
        await new Promise(() => undefined);
      },
    });
    const { url } = await serve(context, {
      services: [deaf],
      interceptors: [],
      log: jsonLog((line) => ended.resolve(line), 'debug'),
    });
    const leaving = new AbortController();
    const response = await fetch(`${url}/testing/v1/count/2`, { signal: leaving.signal });
    leaving.abort();
    assert.match((await ended.promise) ?? '', /TestingService\/Count/);
    assert.equal(response.status, 200);
  });
});
