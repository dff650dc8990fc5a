import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PatchCustomResourceRequest_PatchType as PatchType } from '#gen/proto/kairship/api/apiextensions/v1alpha1/apiextensions_service_pb.ts';
import type { AnyOverridePolicy } from '#karmada/apis/index.ts';
import type { ApiResource } from '#kube/client/kube-client.ts';
import { amongDefinitions, type Definition } from './apiextensions-service.ts';
import { kindAmong, refuseGuarded } from './custom-kind.ts';
import { patchOf, subresourceOf } from './custom-patch.ts';
import { customResource } from './custom-resource.ts';

const carts: ApiResource = {
  group: 'shop.example',
  version: 'v1',
  resource: 'carts',
  kind: 'Cart',
  singular: 'cart',
  shortNames: [],
  categories: [],
  namespaced: true,
  verbs: [],
  subresources: ['status'],
};

describe('The kind behind a group, version and resource', () => {
  it('is the one served, and a missing one says what there is', () => {
    assert.equal(kindAmong([carts], carts), carts);
    assert.throws(() => kindAmong([carts], { ...carts, resource: 'carte' }), /no resource "carte".*it has carts/);
    assert.throws(() => kindAmong([], carts), /serves nothing of that group and version/);
    assert.throws(() => kindAmong([carts], { ...carts, kind: 'Wagon' }), /are of kind "Cart"/);
  });

  it('is none that other operations guard more closely', () => {
    refuseGuarded(carts);
    assert.throws(() => refuseGuarded({ group: '', version: 'v1', resource: 'secrets' }), /operations of their own/);
  });
});

describe('A patch of a custom resource', () => {
  const sent = (patchType: PatchType, data: unknown) => patchOf({ patchType, data: JSON.stringify(data) });

  it('is of the type it says, and a merge when it says none', () => {
    assert.deepEqual(sent(PatchType.UNSPECIFIED, { a: 1 }), { type: 'merge', body: { a: 1 } });
    assert.deepEqual(sent(PatchType.STRATEGIC_MERGE, { a: 1 }), { type: 'strategic', body: { a: 1 } });
    assert.deepEqual(sent(PatchType.JSON, []), { type: 'json', body: [] });
    assert.throws(() => sent(PatchType.JSON, {}), /a list of operations/);
    assert.throws(() => patchOf({ patchType: PatchType.MERGE, data: '{' }), /no JSON/);
  });

  it('is of the whole or of one part that the kind has', () => {
    assert.equal(subresourceOf(carts, []), undefined);
    assert.equal(subresourceOf(carts, ['status']), 'status');
    assert.throws(() => subresourceOf(carts, ['scale']), /have no part "scale": it has status/);
    assert.throws(() => subresourceOf(carts, ['status', 'scale']), /one part is patched at a time/);
  });
});

describe('Definitions', () => {
  const definition = (status: string) =>
    ({
      spec: { group: 'shop.example' },
      status: { conditions: [{ type: 'Established', status }] },
    }) as unknown as Definition;

  it('are found by group and by what is true of them', () => {
    assert.equal(amongDefinitions({ group: '', status: [] }), undefined);
    assert.equal(amongDefinitions({ group: 'other', status: [] })?.(definition('True')), false);
    assert.equal(amongDefinitions({ group: 'shop.example', status: ['established'] })?.(definition('True')), true);
    assert.equal(amongDefinitions({ group: '', status: ['Established'] })?.(definition('False')), false);
  });
});

describe('A custom resource', () => {
  it('names the override policies that mean it', () => {
    const override = (name: string, namespace: string, spec: object) =>
      ({ kind: 'OverridePolicy', metadata: { name, namespace }, spec }) as unknown as AnyOverridePolicy;
    const selected = { resourceSelectors: [{ apiVersion: 'shop.example/v1', kind: 'Cart' }] };
    const object = { apiVersion: 'shop.example/v1', kind: 'Cart', metadata: { name: 'c', namespace: 'shop' } };
    const told = customResource(object, () => [], [
      override('mine', 'shop', selected),
      override('all', '', {}),
      override('elsewhere', 'other', selected),
      override('else', 'shop', { resourceSelectors: [{ apiVersion: 'v1', kind: 'Service' }] }),
    ]);
    assert.deepEqual(told.overridePolicies, ['mine', 'all']);
    assert.deepEqual(told.propagationPolicies, []);
  });
});
