import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nextOf } from './browser-request.ts';

describe('where to go on after signing in', () => {
  for (const own of ['/i/demo/workloads?kind=Deployment', '/signin/program?state=a&redirect=http%3A%2F%2Fx', '/a#b'])
    it(`is a page of our own: ${own}`, () => assert.equal(nextOf(own), own));

  for (const other of [
    undefined,
    null,
    '',
    '/',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/.//evil.example',
    '/a/..//evil.example',
    'https://evil.example/',
    'javascript:alert(1)',
    'http://[',
    `/${'a'.repeat(2000)}`,
  ])
    it(`is nowhere else: ${JSON.stringify(other)?.slice(0, 40)}`, () => assert.equal(nextOf(other), undefined));
});
