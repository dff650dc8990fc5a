import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { holds, matrixOf, withNeeded } from './role-matrix.ts';

const POINTS = [
  point('kairship/workload/delete', 'edit'),
  point('kairship/workload/list', 'view'),
  point('kairship/instance/create', 'manage'),
  point('ghippo/user/list', 'view'),
];

describe('the matrix of a role', () => {
  it('has products, what they have, and actions from looking to managing', () => {
    const matrix = matrixOf(POINTS);
    assert.deepEqual(
      matrix.map(({ product }) => product),
      ['ghippo', 'kairship'],
    );
    assert.deepEqual(
      matrix[1]?.types.map(({ resourceType, points }) => [resourceType, points.map(({ action }) => action)]),
      [
        ['instance', ['create']],
        ['workload', ['list', 'delete']],
      ],
    );
  });

  it('holds a point by name, by pattern and by tier', () => {
    const held = (permissions: string[], includes: { tier: string; product: string }[] = []) =>
      POINTS.filter((one) => holds({ permissions, includes }, one)).map(({ permission }) => permission);
    assert.deepEqual(held(['ghippo/user/list']), ['ghippo/user/list']);
    assert.deepEqual(held(['kairship/workload/*']), ['kairship/workload/delete', 'kairship/workload/list']);
    assert.deepEqual(held([], [{ tier: 'edit', product: 'kairship' }]), [
      'kairship/workload/delete',
      'kairship/workload/list',
    ]);
    assert.equal(held([], [{ tier: 'manage', product: '' }]).length, POINTS.length);
  });

  it('takes along what a point needs, also in a circle', () => {
    const [a, b] = [point('k/a/x', 'view', ['k/b/x']), point('k/b/x', 'view', ['k/a/x'])];
    assert.deepEqual(withNeeded('k/a/x', [a, b]), ['k/a/x', 'k/b/x']);
  });
});

function point(permission: string, tier: string, dependsOn: readonly string[] = []) {
  const [product = '', resourceType = '', action = ''] = permission.split('/');
  return { permission, product, resourceType, action, tier, dependsOn };
}
