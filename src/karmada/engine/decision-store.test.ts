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
