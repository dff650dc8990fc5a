import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { APARTS, apartIn, keptApart } from './affinity.ts';

describe('pods that stay apart', () => {
  it('are read as the word that they were written with', () => {
    for (const word of APARTS) if (word !== 'other') assert.equal(apartIn(keptApart(word, 'web')), word);
  });

  it('are something else where somebody wrote more than a word says', () => {
    const rule = { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'rack' }] };
    assert.equal(apartIn(rule), 'other');
    assert.equal(apartIn({ ...keptApart('node', 'web'), ...keptApart('zoneIfPossible', 'web') }), 'other');
  });
});
