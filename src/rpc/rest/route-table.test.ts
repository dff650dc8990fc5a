import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { parseTemplate } from './path-template.ts';
import { routeTable } from './route-table.ts';

const table = (...routes: string[]) =>
  routeTable(
    routes.map((route) => {
      const [method = '', path = ''] = route.split(' ');
      return { method, path, template: parseTemplate(path) };
    }),
  );

function found(routes: ReturnType<typeof table>, method: string, path: string): string {
  const answer = routes.find(method, path);
  if (answer.kind === 'found') return answer.route.path;
  return answer.kind === 'otherMethod' ? `only ${answer.allowed.join(' ')}` : answer.kind;
}

describe('routeTable', () => {
  const routes = table(
    'GET /books',
    'POST /books',
    'GET /books/{name}',
    'DELETE /books/{name}',
    'GET /books/latest',
    'POST /books/{name}:publish',
    'GET /files/{path=**}',
    'GET /files/{path=**}:stat',
    'GET /{a}/b/{c}',
  );
  const cases: [method: string, path: string, found: string][] = [
    ['GET', '/books', '/books'],
    ['GET', '/books/x', '/books/{name}'],
    ['GET', '/books/latest', '/books/latest'],
    ['DELETE', '/books/latest', '/books/{name}'],
    ['POST', '/books/x:publish', '/books/{name}:publish'],
    ['GET', '/books/x:publish', '/books/{name}'],
    ['GET', '/books/x:', '/books/{name}'],
    ['POST', '/books/x:burn', 'only GET DELETE'],
    ['PUT', '/books', 'only GET POST'],
    ['GET', '/books/', 'none'],
    ['GET', '/files/a/b/c', '/files/{path=**}'],
    ['GET', '/files/a/b:stat', '/files/{path=**}:stat'],
    ['GET', '/files', 'none'],
    ['GET', '/files/', 'none'],
    ['GET', '/books/b/x', '/{a}/b/{c}'],
    ['GET', '//b/x', 'none'],
    ['GET', '/books/%zz', 'malformed'],
    ['GET', '/', 'none'],
    ['GET', '', 'none'],
  ];
  for (const [method, path, expected] of cases) {
    it(`${method} ${path} is ${expected}`, () => assert.equal(found(routes, method, path), expected));
  }

  it('decodes each segment by itself, so that a name may have a slash', () => {
    const answer = routes.find('GET', '/books/a%2Fb%20c');
    assert.deepEqual(answer.kind === 'found' && answer.segments, ['books', 'a/b c']);
  });

  it('refuses two routes of one shape', () => {
    assert.throws(() => table('GET /books/{name}', 'GET /books/{id}'), /two RPCs have the route GET \/books\/\*/);
  });

  it('answers any path', () => {
    fc.assert(
      fc.property(fc.webPath(), (path) => {
        assert.match(routes.find('GET', path).kind, /^(found|otherMethod|none|malformed)$/);
      }),
      { seed: 1, numRuns: 300 },
    );
  });
});
