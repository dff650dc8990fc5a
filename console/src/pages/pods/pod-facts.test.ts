import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { podQuery, readyOf } from './pod-facts.ts';

describe('a pod in a list', () => {
  it('is as ready as its containers, and restarted as often as all of them', () => {
    const containers = [{ name: 'a' }, { name: 'b' }];
    const containerStatuses = [
      { ready: true, restartCount: 2 },
      { ready: false, restartCount: 1 },
    ];
    assert.deepEqual(readyOf({ spec: { containers }, status: { containerStatuses } }), { ready: '1/2', restarts: 3 });
    assert.deepEqual(readyOf(undefined), { ready: '0/0', restarts: 0 });
  });

  it('is found by the words of the search', () => {
    assert.equal(podQuery({ q: ' web ', cluster: 'eu', ns: 'shop' }), 'kind:pod cluster:eu namespace:shop web');
    assert.equal(podQuery({ q: '', cluster: '', ns: '' }), 'kind:pod');
  });
});
