import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { apiDocument, services } from './gen-api-doc.ts';

it('docs/api.md is what the proto files say (npm run gen:api-doc)', async () => {
  const committed = readFileSync(new URL('../docs/api.md', import.meta.url), 'utf8');
  assert.equal(committed, apiDocument(await services()));
});
