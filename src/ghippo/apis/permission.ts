/**
 * A permission point: one action on one type of resource of one product, written `product/resource/action`.
 *
 * Products register their points ({@link PermissionPoint}); roles and tokens name them, or several at once with `*` in
 * place of a part. Matching is exact otherwise: no prefixes, no case folding.
 */
export type Permission = string;

export interface PermissionParts {
  readonly product: string;
  readonly resourceType: string;
  readonly action: string;
}

export function permission(product: string, resourceType: string, action: string): Permission {
  return `${product}/${resourceType}/${action}`;
}

/** Undefined for a text that is none. */
export function parsePermission(text: string): PermissionParts | undefined {
  const [product = '', resourceType = '', action = '', ...more] = text.split('/');
  if (more.length > 0 || product === '' || resourceType === '' || action === '') return undefined;
  return { product, resourceType, action };
}

/** Whether what a role or token names, possibly with `*`, includes a point. */
export function covers(named: string, point: Permission): boolean {
  if (named === point) return true;
  if (!named.includes('*')) return false;
  const [a, b] = [parsePermission(named), parsePermission(point)];
  if (!a || !b) return false;
  return fits(a.product, b.product) && fits(a.resourceType, b.resourceType) && fits(a.action, b.action);
}

function fits(named: string, part: string): boolean {
  return named === '*' || named === part;
}
