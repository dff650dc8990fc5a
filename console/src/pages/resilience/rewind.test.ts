import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Decided, movesOf, standsOn, stoodAt } from './rewind.ts';

const decided = (binding: string, at: number, ...clusters: Decided['clusters']): Decided => ({
  binding,
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  namespace: 'default',
  name: binding,
  at,
  because: '',
  clusters,
});
const on = (name: string, before: number, replicas: number, placed = replicas > 0) => ({
  name,
  before,
  replicas,
  placed,
});

describe('rewinding', () => {
  const all = [decided('web', 1, on('eu', 0, 3)), decided('api', 2, on('us', 0, 1)), decided('web', 3, on('eu', 3, 5))];

  it('shows the last decision on each thing up to then', () => {
    assert.deepEqual(
      stoodAt(all, 2).map(({ binding, at }) => [binding, at]),
      [
        ['api', 2],
        ['web', 1],
      ],
    );
    assert.equal(stoodAt(all, 3).find(({ binding }) => binding === 'web')?.at, 3);
  });

  it('tells where things stand, those without replicas too', () => {
    assert.equal(standsOn(decided('web', 1, on('eu', 3, 5), on('cn', 1, 0))), 'eu 5');
    assert.equal(standsOn(decided('settings', 1, on('eu', 0, 0, true), on('us', 0, 0, true))), 'eu · us');
    assert.equal(standsOn(decided('nothing', 1)), '');
  });

  it('tells what moved, and nothing of what stayed', () => {
    assert.equal(movesOf(decided('web', 1, on('eu', 3, 5), on('us', 2, 2), on('cn', 1, 0))), 'eu 3→5, cn 1→0');
  });
});
