import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { kindsDocument } from './gen-kinds-doc.ts';

it('docs/kinds.md is what the kinds do (npm run gen:kinds-doc)', () => {
  const committed = readFileSync(new URL('../docs/kinds.md', import.meta.url), 'utf8');
  assert.equal(committed, kindsDocument());
});
