import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buf, generate, generated } from './gen-proto.ts';

describe('proto', () => {
  it('passes the linter, apart from the exceptions that buf.yaml explains', () => {
    assert.equal(buf('lint'), '');
  });

  it('is formatted as buf formats it', () => {
    assert.equal(buf('format', '--diff'), '', 'run: buf format --write');
  });

  it('R9: has its generated code committed', () => {
    const [wanted, committed] = [generate(), generated()];
    const stale = [...wanted].filter(([name, text]) => committed.get(name) !== text).map(([name]) => name);
    const leftOver = [...committed.keys()].filter((name) => !wanted.has(name));
    assert.deepEqual({ stale, leftOver }, { stale: [], leftOver: [] }, 'run: npm run gen:proto');
  });
});
