import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import { StatusError } from '#base/status-error.ts';
import type { HttpClient } from '#kube/client/http-client.ts';
import { askAll, type Target } from './fan-out.ts';

const target = (cluster: string): Target => ({ cluster, client: {} as HttpClient });
const ALL = ['a', 'b', 'c'].map(target);

describe('one question to many clusters', () => {
  it('takes the answers there are, and warns of who is left out', async (t) => {
    const told: string[] = [];
    t.after(() => mock.restoreAll());
    mock.method(process.stderr, 'write', (text: string) => told.push(text));
    const answers = await askAll(
      ALL,
      async ({ cluster }, signal) => {
        if (cluster === 'b') throw new StatusError('ServiceUnavailable', 'it is gone');
        if (cluster === 'c')
          await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
        return cluster;
      },
      50,
    );
    mock.restoreAll();
    assert.deepEqual(
      answers.map(({ value }) => value),
      ['a'],
    );
    assert.match(told.join(''), /b is left out: it is gone\n[^]*c is left out: no answer within 0.05 s/);
  });

  it('fails when nobody answers, with what is worse than not being there', async () => {
    const fail = async ({ cluster }: Target) => {
      throw new StatusError(cluster === 'b' ? 'Forbidden' : 'NotFound', cluster ?? '');
    };
    await assert.rejects(askAll(ALL, fail, 1_000), { reason: 'Forbidden' });
    await assert.rejects(askAll(ALL.slice(0, 1), fail, 1_000), { reason: 'NotFound' });
  });
});
