import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { BUILTIN_ROLES } from '#ghippo/apis/builtin-roles.ts';
import { TIERS } from '#ghippo/apis/kinds.ts';
import { SCOPE_TYPES } from '#ghippo/apis/scope.ts';
import { decide } from '#ghippo/decision/index.ts';
import { permissionsDocument, PLACES, PRODUCTS, roleMay, worldOfRoles } from './gen-permissions-doc.ts';

it('docs/permissions.md is what the decision says (npm run gen:permissions-doc)', () => {
  const committed = readFileSync(new URL('../docs/permissions.md', import.meta.url), 'utf8');
  assert.equal(committed, permissionsDocument());
});

describe('of every operation', () => {
  const world = worldOfRoles();
  const points = PRODUCTS.flatMap(([product, spec]) => spec.permissions.map((point) => ({ product, point })));
  const width = (type: (typeof SCOPE_TYPES)[number]) => SCOPE_TYPES.indexOf(type);

  it('the admin may call it', () => {
    for (const { product, point } of points) assert.ok(roleMay(world, 'admin', product, point));
  });

  for (const place of ['folder', 'workspace', 'instance', 'namespace'] as const) {
    it(`roles of a ${place} open exactly their tier, as far as the place reaches`, () => {
      for (const { product, point } of points) {
        for (const [level, tier] of [
          ['viewer', 'view'],
          ['editor', 'edit'],
          ['admin', 'manage'],
        ] as const) {
          const role = BUILTIN_ROLES.find(({ name }) => name === `${place}-${level}`);
          assert.ok(role);
          const expected = TIERS.indexOf(point.tier) <= TIERS.indexOf(tier) && width(point.scope) >= width(role.scope);
          assert.equal(
            roleMay(world, role.name, product, point),
            expected,
            `${role.name} ${point.resourceType}/${point.action}`,
          );
        }
      }
    });
  }

  it('the multicloud roles open Kairship and nothing of identities', () => {
    for (const { product, point } of points) {
      assert.equal(roleMay(world, 'multicloud-admin', product, point), product === 'kairship');
      assert.equal(
        roleMay(world, 'multicloud-viewer', product, point),
        product === 'kairship' && point.tier === 'view',
      );
    }
  });

  it('nobody without a role may call it, and no operation has two points', () => {
    const operations = points.flatMap(({ point }) => point.operations ?? []);
    assert.equal(new Set(operations).size, operations.length);
    for (const operation of operations) {
      const scope = PLACES.Namespace;
      assert.equal(decide(world, { user: 'stranger', operation, scope }).allowed, false);
    }
  });
});
