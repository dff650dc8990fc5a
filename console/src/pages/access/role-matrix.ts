/** What a role is made of, as a matrix: products, what they have, and what may be done with it. Pure. */
export interface Point {
  readonly permission: string;
  readonly product: string;
  readonly resourceType: string;
  readonly action: string;
  readonly tier: string;
  readonly dependsOn: readonly string[];
}

export interface RoleLike {
  readonly permissions: readonly string[];
  readonly includes: readonly { readonly tier: string; readonly product: string }[];
}

export interface Rows<P extends Point> {
  readonly product: string;
  readonly types: readonly { readonly resourceType: string; readonly points: readonly P[] }[];
}

const TIERS = ['view', 'edit', 'manage'];

export function matrixOf<P extends Point>(points: readonly P[]): readonly Rows<P>[] {
  const products = [...new Set(points.map(({ product }) => product))].sort();
  return products.map((product) => {
    const own = points.filter((point) => point.product === product);
    const types = [...new Set(own.map(({ resourceType }) => resourceType))].sort();
    return {
      product,
      types: types.map((resourceType) => ({
        resourceType,
        points: own
          .filter((point) => point.resourceType === resourceType)
          .toSorted((a, b) => rank(a) - rank(b) || a.action.localeCompare(b.action)),
      })),
    };
  });
}

/** Whether a role holds a point: by name, by a pattern, or by a tier. */
export function holds({ permissions, includes }: RoleLike, point: Point): boolean {
  return (
    permissions.some((pattern) => matches(pattern, point.permission)) ||
    includes.some(
      ({ tier, product }) => (product === '' || product === point.product) && rank(point) <= TIERS.indexOf(tier),
    )
  );
}

/** With what it depends on, and what that depends on: without those it would be of no use. */
export function withNeeded(permission: string, points: readonly Point[]): readonly string[] {
  const byName = new Map(points.map((point) => [point.permission, point]));
  const found = new Set<string>();
  const take = (name: string) => {
    if (found.has(name)) return;
    found.add(name);
    for (const needed of byName.get(name)?.dependsOn ?? []) take(needed);
  };
  take(permission);
  return [...found];
}

function matches(pattern: string, permission: string): boolean {
  const parts = permission.split('/');
  return pattern.split('/').every((part, index) => part === '*' || part === parts[index]);
}

function rank({ tier }: Pick<Point, 'tier'>): number {
  const at = TIERS.indexOf(tier);
  return at < 0 ? TIERS.length : at;
}
