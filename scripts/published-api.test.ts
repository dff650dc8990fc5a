import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { routeTable } from '#rpc/rest/route-table.ts';
import { routesOf } from '#rpc/rest/routes.ts';
import { services } from './gen-api-doc.ts';
import { buf } from './gen-proto.ts';

const ROOT = resolve(import.meta.dirname, '..');

describe('the published Kairship API', () => {
  it('R7: has every route that existing clients call', async () => {
    const published = readFileSync(join(ROOT, 'proto/published-routes.txt'), 'utf8').trim().split('\n');
    const ours = new Set((await services()).flatMap(routesOf).map(({ method, path }) => `${method} ${path}`));
    assert.equal(published.length, 178);
    assert.deepEqual(
      published.filter((route) => !ours.has(route)),
      [],
    );
  });

  it('has no two routes that answer to the same paths, all services of the platform together', async () => {
    assert.ok(routeTable((await services()).flatMap(routesOf)));
  });

  it('is not changed in a way that would break a client', () => {
    assert.equal(buf('breaking', '--against', 'proto/published.binpb'), '');
  });
});
