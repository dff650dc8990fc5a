import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fakeClock } from '#base/clock.ts';
import type { Explanation } from '#karmada/scheduler/explanation.ts';
import { decisionStore } from './decision-store.ts';

function explanation(binding: string, generation: number): Explanation {
  return {
    binding,
    generation,
    resource: { apiVersion: 'v1', kind: 'ConfigMap', name: 'a' },
    decidedAt: '2026-01-01T00:00:00Z',
    replicas: 0,
    strategy: 'Propagated',
    mode: 'Steady',
    attempts: [],
  };
}

const generations = (found: readonly Explanation[]) => found.map(({ generation }) => generation);

describe('the decision store', () => {
  it('gives the newest first, before and after they are written', async () => {
    const clock = fakeClock();
    const store = decisionStore({ clock });
    store.record(explanation('a', 1));
    store.record(explanation('b', 1));
    assert.deepEqual(generations(store.of('a')), [1]);
    await clock.advance(1_000);
    store.record(explanation('a', 2));
    assert.deepEqual(generations(store.of('a')), [2, 1]);
    assert.deepEqual(store.of('nobody'), []);
    store.close();
  });

  it('keeps the last five of each binding', async () => {
    const clock = fakeClock();
    const store = decisionStore({ clock });
    for (let number = 1; number <= 4; number++) store.record(explanation('a', number));
    await clock.advance(1_000);
    for (let number = 5; number <= 8; number++) store.record(explanation('a', number));
    assert.deepEqual(generations(store.of('a')), [8, 7, 6, 5, 4]);
    await clock.advance(1_000);
    assert.deepEqual(generations(store.of('a')), [8, 7, 6, 5, 4]);
    store.close();
  });

  it('keeps what was decided before, however often the same is decided again after a restart', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'decisions-'));
    try {
      const clock = fakeClock();
      const options = { clock, file: join(directory, 'decisions.db') };
      const again = (hour: number) => ({ ...explanation('a', 3), decidedAt: `2026-01-01T0${hour}:00:00Z` });
      const first = decisionStore(options);
      for (const number of [1, 2, 3]) first.record(explanation('a', number));
      first.close();
      for (let restart = 1; restart <= 6; restart++) {
        const store = decisionStore(options);
        store.record(again(restart));
        store.record(again(restart + 1));
        assert.deepEqual(generations(store.of('a')), [3, 2, 1]);
        await clock.advance(1_000);
        assert.deepEqual(generations(store.of('a')), [3, 2, 1]);
        store.close();
      }
      const last = decisionStore(options);
      assert.equal(last.of('a')[0]?.decidedAt, explanation('a', 3).decidedAt);
      last.close();
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });

  it('remembers over a restart, and forgets when told', () => {
    const directory = mkdtempSync(join(tmpdir(), 'decisions-'));
    try {
      const options = { clock: fakeClock(), file: join(directory, 'decisions.db') };
      const first = decisionStore(options);
      first.record(explanation('ns/a', 1));
      first.record(explanation('ns/b', 1));
      first.forget('ns/b');
      first.close();
      const second = decisionStore(options);
      assert.deepEqual(generations(second.of('ns/a')), [1]);
      assert.deepEqual(second.of('ns/b'), []);
      second.close();
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});
