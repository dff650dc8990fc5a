import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { capture, parseTemplate } from './path-template.ts';
import { textOf } from './route-table.ts';

describe('path templates', () => {
  const understood: [template: string, shape: string, fields: string][] = [
    ['/v1/books', '/v1/books', ''],
    ['/v1/books/{name}', '/v1/books/*', 'name'],
    ['/v1/{name=shelves/*/books/*}', '/v1/shelves/*/books/*', 'name'],
    ['/v1/{parent=shelves/*}/books/{book.name}', '/v1/shelves/*/books/*', 'parent book.name'],
    ['/v1/files/{path=**}', '/v1/files/**', 'path'],
    ['/v1/books/{name}:publish', '/v1/books/*:publish', 'name'],
    ['/v1/*/any', '/v1/*/any', ''],
  ];
  for (const [template, shape, fields] of understood) {
    it(`understands ${template}`, () => {
      const parsed = parseTemplate(template);
      assert.equal(textOf(parsed), shape);
      assert.equal(parsed.variables.map(({ field }) => field).join(' '), fields);
    });
  }

  for (const template of [
    'v1',
    '/',
    '/v1//x',
    '/v1/{',
    '/v1/{a=}',
    '/v1/{a b}',
    '/{a=**}/x',
    '/{a}/{a}',
    '/x*y',
    '/{a}b',
  ]) {
    it(`refuses ${template}`, () => assert.throws(() => parseTemplate(template), /path template/));
  }

  it('give each variable the segments it stands for', () => {
    const template = parseTemplate('/v1/{parent=shelves/*}/files/{path=**}');
    assert.deepEqual(capture(template, ['v1', 'shelves', '2', 'files', 'a', 'b']), [
      { field: 'parent', text: 'shelves/2' },
      { field: 'path', text: 'a/b' },
    ]);
  });
});
