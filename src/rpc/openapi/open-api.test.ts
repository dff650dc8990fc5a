import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '@bufbuild/protobuf';
import { COMMENTS } from '#gen/proto/comments.ts';
import { TestingService } from '#gen/proto/rpc/testing/v1/testing_pb.ts';
import { isObject } from '#base/json.ts';
import { routesOf } from '../rest/routes.ts';
import { serveTesting } from '../testing/testing-service.ts';
import { openApi } from './open-api.ts';
import { openApiHandler } from './open-api-handler.ts';

const routes = routesOf(TestingService);
const document = openApi(routes, { title: 'Testing', version: '1' }, COMMENTS);

function at(value: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), value);
}

function references(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(references);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => (key === '$ref' ? [String(inner)] : references(inner)));
}

describe('the OpenAPI document', () => {
  it('has every route but those with verbs that OpenAPI does not know', () => {
    const operations = Object.entries(document['paths'] as JsonObject).flatMap(([path, item]) =>
      Object.keys(item as JsonObject).map((verb) => `${verb.toUpperCase()} ${path}`),
    );
    const served = routes.filter(({ method }) => method !== 'SEARCH');
    assert.equal(operations.length, served.length);
    assert.ok(operations.includes('POST /testing/v1/books/{name}:publish'));
    assert.ok(operations.includes('GET /testing/v1/{name}'));
  });

  it('gives every operation a name of its own, and says what it does', () => {
    const operations = Object.values(document['paths'] as JsonObject).flatMap((item) =>
      Object.values(item as JsonObject),
    );
    const names = operations.map((operation) => String(at(operation, 'operationId')));
    assert.equal(new Set(names).size, names.length);
    assert.equal(at(document, 'paths', '/testing/v1/wait', 'get', 'operationId'), 'Testing_Wait');
    assert.match(String(at(document, 'paths', '/testing/v1/wait', 'get', 'summary')), /^Answers when/);
  });

  it('refers to nothing that is not there', () => {
    for (const reference of references(document)) {
      assert.ok(at(document, ...reference.split('/').slice(1)), reference);
    }
  });

  it('lists what may be in a query, and only that', () => {
    const echo = at(document, 'paths', '/testing/v1/echo', 'get', 'parameters') as JsonObject[];
    const names = echo.map(({ name }) => name);
    for (const name of ['everything.text', 'everything.nested.inner.name', 'everything.labels', 'everything.moment']) {
      assert.ok(names.includes(name), name);
    }
    assert.ok(!names.includes('everything.children'));
    assert.deepEqual(at(document, 'paths', '/testing/v1/echo', 'post', 'parameters'), []);
  });

  it('writes large numbers as text, times as times, choices as names', () => {
    const properties = at(document, 'components', 'schemas', 'rpc.testing.v1.Everything', 'properties');
    assert.deepEqual(at(properties, 'large'), { type: 'string', format: 'int64' });
    assert.deepEqual(at(properties, 'moment'), { type: 'string', format: 'date-time' });
    assert.partialDeepStrictEqual(at(properties, 'colours'), {
      items: { enum: ['COLOUR_UNSPECIFIED', 'COLOUR_RED', 'COLOUR_GREEN'] },
    });
    assert.deepEqual(at(properties, 'labels'), { type: 'object', additionalProperties: { type: 'string' } });
  });

  it('is served, with a page that needs nothing from elsewhere', async (context) => {
    const docs = openApiHandler({ routes, title: 'Testing', version: '1' });
    const server = await serveTesting(
      {},
      {
        onRequest(request, response) {
          if (docs(request, response)) return;
          response.writeHead(404);
          response.end();
        },
      },
    );
    context.after(() => server.close());
    const answer = await fetch(`${server.url}/openapi.json`);
    assert.deepEqual(await answer.json(), JSON.parse(JSON.stringify(document)));
    const page = await (await fetch(`${server.url}/openapi`)).text();
    assert.doesNotMatch(page, /https?:/);
    for (const [, file = ''] of page.matchAll(/(?:src|href)="(?!data:)([^"]+)"/g)) {
      assert.equal((await fetch(`${server.url}/${file}`)).status, 200, file);
    }
    assert.equal((await fetch(`${server.url}/openapi.json`, { method: 'POST' })).status, 404);
  });
});
