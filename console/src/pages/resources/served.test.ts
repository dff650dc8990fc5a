import assert from 'node:assert/strict';
import { it } from 'node:test';
import { servedBy } from './served.ts';

it('A name is told once, with every cluster that serves it', () => {
  const nginx = { name: 'nginx' };
  assert.deepEqual(
    [
      ...servedBy([
        ['b', [nginx]],
        ['a', [{ name: 'alb' }, nginx]],
        ['c', []],
      ]),
    ],
    [
      ['alb', ['a']],
      ['nginx', ['b', 'a']],
    ],
  );
});
