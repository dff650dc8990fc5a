import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { merged, type StreamedLine } from './log-stream.ts';

describe('lines of several clusters', () => {
  it('stand in the order of time, whoever is heard first', () => {
    const lines = merged([line(1), line(5)], [line(3)]);
    assert.deepEqual(
      lines.map(({ at }) => at),
      [1, 3, 5],
    );
  });

  it('keep their order where the time is the same', () => {
    const lines = merged([line(1, 'a')], [line(1, 'b')]);
    assert.deepEqual(
      lines.map(({ text }) => text),
      ['a', 'b'],
    );
  });

  it('are forgotten when there are too many', () => {
    const many = Array.from({ length: 6_000 }, (_, at) => line(at));
    const kept = merged([], many);
    assert.equal(kept.length, 5_000);
    assert.equal(kept.at(-1)?.at, 5_999);
  });
});

function line(at: number, text = ''): StreamedLine {
  return { cluster: 'c', pod: 'p', container: 'main', at, text, problem: false };
}
