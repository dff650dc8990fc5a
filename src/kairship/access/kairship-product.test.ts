import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { it } from 'node:test';
import type { DescService } from '@bufbuild/protobuf';
import { rpcName } from '#rpc/index.ts';
import { kairshipProduct } from './kairship-product.ts';
import { kpandaProduct } from './kpanda-product.ts';

for (const [name, product, least] of [
  ['kairship', kairshipProduct, 178],
  ['kpanda', kpandaProduct, 13],
] as const) {
  it(`every operation of the API of ${name} asks for exactly one permission point`, async () => {
    const operations = await operationsOf(name);
    const registered = product.permissions.flatMap((point) => point.operations ?? []);
    assert.ok(operations.length >= least);
    assert.deepEqual(registered.toSorted(), operations.toSorted());
  });

  it(`no permission point of ${name} is there twice`, () => {
    const names = product.permissions.map(({ resourceType, action }) => `${resourceType}/${action}`);
    assert.equal(new Set(names).size, names.length);
  });
}

it('a permission point needs what it takes to find what it is about', () => {
  const byName = new Map(kairshipProduct.permissions.map((one) => [`${one.resourceType}/${one.action}`, one]));
  assert.deepEqual(byName.get('workload/delete')?.dependsOn, ['workload/get']);
  assert.deepEqual(byName.get('workload/get')?.dependsOn, ['workload/list']);
  assert.equal(byName.get('workload/list')?.dependsOn, undefined);
  for (const { dependsOn = [] } of byName.values())
    for (const needed of dependsOn) assert.ok(byName.has(needed), needed);
});

async function operationsOf(name: string): Promise<readonly string[]> {
  const files = globSync(resolve(import.meta.dirname, `../../../gen/proto/${name}/api/*/v1alpha1/*_service_pb.ts`));
  const modules = await Promise.all(
    files.map(async (file) => Object.values((await import(file)) as object) as unknown[]),
  );
  const isService = (value: unknown): value is DescService =>
    typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'service';
  return modules
    .flat()
    .filter(isService)
    .flatMap(({ methods }) => methods.map(rpcName));
}
