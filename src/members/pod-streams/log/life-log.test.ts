import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Pod } from '#gen/kube/types.ts';
import { lifeLog, nextEntryAt } from './life-log.ts';

const START = Date.UTC(2026, 0, 1);
const pace = { everyMs: 1_000, keptLines: 5 };
const web = { name: 'web', image: 'web:1', ports: [{ containerPort: 80 }] };
const pod: Pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', namespace: 'ns', uid: 'u1' },
  spec: { nodeName: 'n1', containers: [web] },
};
const texts = (now: number, life: Parameters<typeof lifeLog>[2], container: Parameters<typeof lifeLog>[1] = web) =>
  lifeLog(pod, container, life, now, pace).map(({ text }) => text);

describe('what a simulated container says', () => {
  it('is its start, its ports, and being ready', () => {
    assert.deepEqual(texts(START + 500, { startedAt: START, readyAt: START + 400 }), [
      'starting web from web:1 in ns/p on n1',
      'listening on port 80',
      'ready',
    ]);
  });

  it('then what it serves, the same to whoever asks', () => {
    const now = START + 3_500;
    const said = texts(now, { startedAt: START });
    assert.equal(said.length, 5);
    assert.match(said[2] ?? '', /^10\.244\.\d+\.\d+ "GET \/\S* HTTP\/1\.1" \d{3} \d+ms$/);
    assert.deepEqual(texts(now, { startedAt: START }), said);
    assert.deepEqual(texts(now + 1_000, { startedAt: START }).slice(0, 5), said);
  });

  it('or, serving nothing, that it is there', () => {
    assert.deepEqual(texts(START + 2_000, { startedAt: START }, { name: 'job' }).slice(1), [
      'working (1)',
      'working (2)',
    ]);
  });

  it('ends with how it ended', () => {
    const end = { at: START + 1_500, exitCode: 3, reason: 'Error' };
    const said = texts(START + 60_000, { startedAt: START, end }, { name: 'job' });
    assert.deepEqual(said.slice(1), ['working (1)', 'job ended with exit code 3 (Error)']);
  });

  it('is only the latest part of a long life', () => {
    const said = texts(START + 1_000_000, { startedAt: START }, { name: 'job' });
    assert.deepEqual(
      said,
      [996, 997, 998, 999, 1000].map((n) => `working (${n})`),
    );
  });

  it('comes at a steady pace', () => {
    assert.equal(nextEntryAt({ startedAt: START }, START + 1_200, pace), START + 2_000);
    assert.equal(nextEntryAt({ startedAt: START }, START + 2_000, pace), START + 3_000);
  });
});
