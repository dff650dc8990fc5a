import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, it } from 'node:test';
import type { DescService } from '@bufbuild/protobuf';
import { isObject } from '#base/json.ts';
import { routeTable } from '#rpc/rest/route-table.ts';
import { routesOf } from '#rpc/rest/routes.ts';
import { buf } from './gen-proto.ts';

const ROOT = resolve(import.meta.dirname, '..');

/** Every service of the platform. */
async function services(): Promise<DescService[]> {
  const files = globSync('gen/proto/{kairship,kpanda,ghippo}/**/*_service_pb.ts', { cwd: ROOT });
  const modules = await Promise.all(files.map((file): Promise<object> => import(join(ROOT, file))));
  return modules.flatMap((module) => Object.values(module)).filter(isService);
}

const isService = (value: unknown): value is DescService => isObject(value) && value['kind'] === 'service';

describe('the published Kairship API', () => {
  it('has every route that existing clients call', async () => {
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
