import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryDirectory } from '../platform.ts';
import { proveRandomRequests } from './random-proof.ts';

test('whatever is sent, the answer is clear, and what was watched is what is there', async (t) => {
  const { path, remove } = temporaryDirectory();
  t.after(remove);
  const { codes } = await proveRandomRequests({ directory: path, seed: 1, requests: 300 });
  // A run in which nothing succeeds, or nothing is refused, proves little.
  for (const code of ['200', '201', '400', '404', '422'])
    assert.ok((codes[code] ?? 0) > 0, `none was answered ${code}`);
});
