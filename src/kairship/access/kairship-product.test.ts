import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { it } from 'node:test';
import type { DescService } from '@bufbuild/protobuf';
import { rpcName } from '#rpc/index.ts';
import { kairshipProduct } from './kairship-product.ts';

const FILES = globSync(resolve(import.meta.dirname, '../../../gen/proto/kairship/api/*/v1alpha1/*_service_pb.ts'));

it('every operation of the API asks for exactly one permission point', async () => {
  const modules = await Promise.all(
    FILES.map(async (file) => Object.values((await import(file)) as object) as unknown[]),
  );
  const isService = (value: unknown): value is DescService =>
    typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'service';
  const operations = modules
    .flat()
    .filter(isService)
    .flatMap(({ methods }) => methods.map(rpcName));
  const registered = kairshipProduct.permissions.flatMap((point) => point.operations ?? []);
  assert.ok(operations.length >= 178);
  assert.deepEqual(registered.toSorted(), operations.toSorted());
});

it('no permission point is there twice', () => {
  const names = kairshipProduct.permissions.map(({ resourceType, action }) => `${resourceType}/${action}`);
  assert.equal(new Set(names).size, names.length);
});
