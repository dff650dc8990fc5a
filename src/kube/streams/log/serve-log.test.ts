import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { describe, it } from 'node:test';
import { fakeClock } from '#base/clock.ts';
import { badRequest } from '#base/status-error.ts';
import { streamServer } from '../testing.ts';

const TWO = { containers: ['a', 'b'].map((name) => ({ name, image: 'app:1' })) };
const LOG = '/api/v1/namespaces/default/pods/web/log';

describe('pods/log', { timeout: 120_000 }, () => {
  it('is the log of the only container, as plain text', async (t) => {
    const { call, pod } = await streamServer(t);
    await pod('web');
    const { code, headers, text } = await call('GET', LOG);
    assert.equal(code, 200);
    assert.equal(headers['content-type'], 'text/plain');
    assert.equal(headers['transfer-encoding'], 'chunked');
    assert.equal(text, 'first line\nsecond line\n');
  });

  it('asks the backend for what the query says', async (t) => {
    const clock = fakeClock();
    const { call, pod, asked } = await streamServer(t, { clock });
    await pod('web', TWO);
    await call('GET', `${LOG}?container=b&previous=true&timestamps=1&tailLines=5&sinceSeconds=60`);
    const { signal: _signal, ...options } = asked.logs[0] ?? {};
    const since = clock.now() - 60_000;
    assert.deepEqual(options, { container: 'b', follow: false, previous: true, timestamps: true, tailLines: 5, since });
    await call('GET', `${LOG}?container=a&follow=false&sinceTime=2026-01-01T00:00:00%2B01:00`);
    assert.equal(asked.logs[1]?.since, Date.UTC(2025, 11, 31, 23));
    assert.equal(asked.logs[1]?.follow, false);
  });

  it('is cut after limitBytes', async (t) => {
    const { call, pod } = await streamServer(t);
    await pod('web');
    assert.equal((await call('GET', `${LOG}?limitBytes=16`)).text, 'first line\nsecon');
  });

  it('is empty for a pod that has no node', async (t) => {
    const { call, pod } = await streamServer(t);
    await pod('web', { nodeName: '' });
    assert.equal((await call('GET', LOG)).code, 204);
  });

  const refused: [because: string, query: string, code: number, message: string][] = [
    ['a container that is not there', 'container=x', 400, 'container x is not valid for pod web'],
    [
      'no container where there are several',
      '',
      400,
      'a container name must be specified for pod web, choose one of: [a b]',
    ],
    [
      'a negative tail',
      'tailLines=-1',
      422,
      'PodLogOptions "web" is invalid: tailLines: Invalid value: -1: must be greater than or equal to 0',
    ],
    [
      'no bytes at all',
      'limitBytes=0',
      422,
      'PodLogOptions "web" is invalid: limitBytes: Invalid value: 0: must be greater than 0',
    ],
    [
      'two beginnings',
      'sinceSeconds=1&sinceTime=2026-01-01T00:00:00Z',
      422,
      'PodLogOptions "web" is invalid: : Forbidden: at most one of `sinceTime` or `sinceSeconds` may be specified',
    ],
    ['a number that is none', 'tailLines=x', 400, 'strconv.ParseInt: parsing "x": invalid syntax'],
  ];
  for (const [because, query, code, message] of refused) {
    it(`refuses ${because}`, async (t) => {
      const { call, pod } = await streamServer(t);
      await pod('web', TWO);
      const answer = await call('GET', `${LOG}?${query}`);
      assert.deepEqual([answer.code, answer.body.message], [code, message]);
    });
  }

  it('is refused as the backend refuses it, before any byte', async (t) => {
    const message = 'container "main" in pod "web" is waiting to start: ContainerCreating';
    const { call, pod } = await streamServer(t, { streams: { logs: () => Promise.reject(badRequest(message)) } });
    await pod('web');
    const { code, body } = await call('GET', LOG);
    assert.deepEqual([code, body.reason, body.message], [400, 'BadRequest', message]);
    assert.equal((await call('GET', LOG.replace('web', 'gone'))).body.message, 'pods "gone" not found');
  });

  it('goes on when followed, until the client has had enough', async (t) => {
    const { url, pod, asked } = await streamServer(t);
    await pod('web');
    const request = get(`${url}${LOG}?follow=true`, { headers: { authorization: 'Bearer admin' } });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    let text = '';
    while (text.length < 23) text += String((await once(response, 'data'))[0]);
    assert.equal(text, 'first line\nsecond line\n');
    const signal = asked.logs[0]?.signal;
    assert.equal(signal?.aborted, false);
    const stopped = once(signal ?? new EventTarget(), 'abort');
    request.destroy();
    await stopped;
  });

  it('ends with the server', async (t) => {
    const { url, pod, server } = await streamServer(t);
    await pod('web');
    const request = get(`${url}${LOG}?follow=true`, { headers: { authorization: 'Bearer admin' } });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.resume().on('error', () => undefined);
    const ended = new Promise((resolve) => response.on('close', resolve));
    await server.close();
    await ended;
  });
});
