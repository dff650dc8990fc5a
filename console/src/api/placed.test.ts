import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Binding } from './objects.ts';
import { countIn, placedOf, verdictOf } from './placed.ts';

const NONE: ReadonlySet<string> = new Set();
const LOST: ReadonlySet<string> = new Set(['frankfurt']);

const bound = (...clusters: readonly string[]): Binding => ({
  metadata: { name: 'web-deployment' },
  spec: { replicas: 3 * clusters.length, clusters: clusters.map((name) => ({ name, replicas: 3 })) },
  status: {
    conditions: [{ type: 'Scheduled', status: 'True' }],
    aggregatedStatus: clusters.map((clusterName) => ({
      clusterName,
      applied: true,
      health: 'Healthy',
      status: { readyReplicas: 3 },
    })),
  },
});

describe('where something is placed', () => {
  it('counts what is ready in each cluster that answers', () => {
    const [one] = placedOf(bound('frankfurt'), NONE);
    assert.deepEqual([one?.state, one?.ready, one?.unheard], ['healthy', 3, 0]);
    assert.equal(one && countIn(one), '3/3');
  });

  it('counts what was last heard of a lost cluster as unknown', () => {
    const [lost, well] = placedOf(bound('frankfurt', 'virginia'), LOST);
    assert.deepEqual([lost?.state, lost?.ready, lost?.unheard], ['unknown', 0, 3]);
    assert.equal(lost && countIn(lost), '?/3');
    assert.deepEqual([well?.state, well?.ready, well?.unheard], ['healthy', 3, 0]);
  });

  it('calls what does not become ready a trouble, not a start, once it has had its time', () => {
    const sent = { type: 'FullyApplied', status: 'True', lastTransitionTime: '2026-11-16T12:00:00Z' };
    const aggregatedStatus = [{ clusterName: 'virginia', applied: true, health: 'Unhealthy', status: {} }];
    const binding = { ...bound('virginia'), status: { conditions: [sent], aggregatedStatus } };
    const after = (seconds: number) =>
      placedOf(binding, NONE, Date.parse(sent.lastTransitionTime) + seconds * 1000)[0]?.state;
    assert.deepEqual([after(5), after(300)], ['progressing', 'degraded']);
    assert.deepEqual(verdictOf({ binding, missing: undefined, deleting: false, lost: NONE }).sentence, 'stuck');
  });

  it('counts nothing where there are no replicas', () => {
    const binding = bound('frankfurt');
    const [one] = placedOf({ ...binding, spec: { clusters: [{ name: 'frankfurt' }] } }, LOST);
    assert.equal(one?.state, 'unknown');
    assert.equal(one && countIn(one), '');
  });
});

describe('what is said of the whole', () => {
  const said = (binding: Binding, lost: ReadonlySet<string>) => {
    const { state, sentence } = verdictOf({ binding, missing: undefined, deleting: false, lost });
    return [state, sentence];
  };

  it('is well when every cluster says so', () => {
    assert.deepEqual(said(bound('frankfurt', 'virginia'), NONE), ['healthy', 'running']);
  });

  it('is under way, not unwell, while all are ready and are being replaced', () => {
    const well = bound('frankfurt', 'virginia');
    const told = (well.status?.aggregatedStatus ?? []).map((one) => ({ ...one, health: 'Unhealthy' }));
    const replaced = { ...well, status: { ...well.status, aggregatedStatus: told } };
    const { state, sentence } = verdictOf({ binding: replaced, missing: undefined, deleting: false, lost: NONE });
    assert.deepEqual([state, sentence], ['progressing', 'running']);
  });

  it('is never well while a cluster does not answer', () => {
    assert.deepEqual(said(bound('frankfurt', 'virginia'), LOST), ['degraded', 'unheard']);
  });

  it('is unknown when none of its clusters answers', () => {
    assert.deepEqual(said(bound('frankfurt'), LOST), ['unknown', 'unheard']);
  });

  it('tells of a refusal before it tells of silence', () => {
    const binding = bound('frankfurt', 'virginia');
    const refused = [{ clusterName: 'virginia', applied: false, appliedMessage: 'no' }];
    assert.deepEqual(said({ ...binding, status: { aggregatedStatus: refused } }, LOST), ['degraded', 'notApplied']);
  });

  it('does not mind clusters that have nothing of it', () => {
    assert.deepEqual(said(bound('virginia'), LOST), ['healthy', 'running']);
  });
});
