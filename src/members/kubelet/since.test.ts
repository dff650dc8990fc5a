import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { since } from './since.ts';

describe('Since when something is as it is', () => {
  it('is never later than whoever asks', () => {
    let time = 0;
    const times = since(() => (time += 1));
    assert.equal(times.of('pod', 'run', '0', 0), 0);
    assert.equal(times.of('pod', 'run', '0', 7), 0);
    assert.equal(times.of('pod', 'run', '1'), 1);
    assert.equal(times.isNew('pod', 'run', '1'), false);
  });
});
