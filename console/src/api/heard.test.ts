import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { State } from '../parts/status.tsx';
import { copyState, heard } from './heard.ts';

const row = (state: State, ...names: readonly string[]) => ({ state, clusters: names.map((name) => ({ name })) });
const LOST = new Set(['frankfurt']);

describe('a row of a list', () => {
  it('stays as it is while its clusters answer', () => {
    assert.deepEqual(heard(row('healthy', 'virginia'), LOST), { ...row('healthy', 'virginia'), silent: false });
  });

  it('is no longer well when one of them is lost, and unknown when all are', () => {
    assert.equal(heard(row('healthy', 'frankfurt', 'virginia'), LOST).state, 'degraded');
    assert.equal(heard(row('healthy', 'frankfurt'), LOST).state, 'unknown');
    assert.equal(heard(row('healthy', 'frankfurt'), LOST).silent, true);
  });

  it('does not get better by it', () => {
    assert.equal(heard(row('blocked', 'frankfurt', 'virginia'), LOST).state, 'blocked');
  });
});

describe('a copy in a cluster', () => {
  it('is unknown where nobody answers, whatever was applied', () => {
    assert.equal(copyState({ name: 'frankfurt', applied: true }, LOST), 'unknown');
    assert.equal(copyState({ name: 'virginia', applied: true }, LOST), 'healthy');
    assert.equal(copyState({ name: 'virginia', applied: false }, LOST), 'progressing');
  });
});
