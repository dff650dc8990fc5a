/** Requests and limits: names Kubernetes knows or that carry a domain, amounts that are not negative, requests ≤ limits. */
import type { ResourceRequirements } from '#gen/kube/types.ts';
import { duplicate, type FieldError, forbidden, invalid, invalidAll, required } from '#kube/meta/field-error.ts';
import { qualifiedNameProblems } from '#kube/meta/names.ts';
import { compareQuantities, quantityMilliValue, quantityValue, tryParseQuantity, ZERO } from '#kube/meta/quantity.ts';
import type { Errors, Given } from '../kind.ts';

export type Resources = Given<Record<string, string>>;

const CONTAINER_RESOURCES = ['cpu', 'memory', 'ephemeral-storage'];
const COUNTED_RESOURCES = [
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
];
const STANDARD_RESOURCES = [
  ...CONTAINER_RESOURCES,
  ...CONTAINER_RESOURCES.flatMap((name) => [`requests.${name}`, `limits.${name}`]),
  ...COUNTED_RESOURCES,
  'storage',
  'requests.storage',
];
const HUGE_PAGES = 'hugepages-';

export function isStandardResource(name: string): boolean {
  return STANDARD_RESOURCES.includes(name) || name.startsWith(HUGE_PAGES) || name.startsWith(`requests.${HUGE_PAGES}`);
}

/** Without a domain, or with Kubernetes' own. */
export function isNativeResource(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/');
}

function isExtendedResource(name: string): boolean {
  return (
    !isNativeResource(name) && !name.startsWith('requests.') && qualifiedNameProblems(`requests.${name}`).length === 0
  );
}

/** A limit above the request is only for what can be taken away again. */
export function mayBeOvercommitted(name: string): boolean {
  return isNativeResource(name) && !name.startsWith(HUGE_PAGES);
}

export function* resourceName(name: string, path: string): Errors {
  const problems = qualifiedNameProblems(name);
  if (problems.length > 0) yield* invalidAll(path, name, problems);
  else if (!name.includes('/') && !isStandardResource(name)) {
    yield invalid(path, name, 'must be a standard resource type or fully qualified');
  }
}

export function* containerResourceName(name: string, path: string): Errors {
  yield* resourceName(name, path);
  if (!name.includes('/')) {
    if (!CONTAINER_RESOURCES.includes(name) && !name.startsWith(HUGE_PAGES)) {
      yield invalid(path, name, 'must be a standard resource for containers');
    }
  } else if (!isNativeResource(name) && !isExtendedResource(name)) {
    yield invalid(path, name, "doesn't follow extended resource name standard");
  }
}

/** An amount of a resource: never negative, and whole where only whole things exist. */
export function* resourceAmount(name: string, value: string, path: string): Errors {
  const quantity = tryParseQuantity(value) ?? ZERO;
  if (quantity.nanos < 0n) yield invalid(path, value, 'must be greater than or equal to 0');
  const counted = COUNTED_RESOURCES.includes(name) || isExtendedResource(name);
  if (counted && quantityMilliValue(quantity) % 1_000 !== 0) yield invalid(path, value, 'must be an integer');
}

export function* resourceRequirements(
  { limits = {}, requests = {}, claims = [] }: Given<ResourceRequirements>,
  path: string,
  podClaims: readonly string[] = [],
): Errors {
  for (const [name, value = ''] of Object.entries(limits)) {
    yield* containerResourceName(name, `${path}.limits[${name}]`);
    yield* resourceAmount(name, value, `${path}.limits[${name}]`);
    yield* hugePages(name, value, `${path}.limits[${name}]`);
  }
  for (const [name, value = ''] of Object.entries(requests)) {
    yield* containerResourceName(name, `${path}.requests[${name}]`);
    yield* resourceAmount(name, value, `${path}.requests[${name}]`);
    yield* requestWithinLimit(name, value, limits[name], path);
    yield* hugePages(name, value, `${path}.requests[${name}]`);
  }
  const names = [...Object.keys(limits), ...Object.keys(requests)];
  if (names.some((name) => name.startsWith(HUGE_PAGES)) && !names.includes('cpu') && !names.includes('memory')) {
    yield forbidden(path, 'HugePages require cpu or memory');
  }
  yield* claimNames(claims, `${path}.claims`, podClaims);
}

function* requestWithinLimit(name: string, request: string, limit: string | undefined, path: string): Errors {
  if (limit === undefined) {
    if (!mayBeOvercommitted(name))
      yield required(`${path}.limits`, 'Limit must be set for non overcommitable resources');
    return;
  }
  const order = compareQuantities(tryParseQuantity(request) ?? ZERO, tryParseQuantity(limit) ?? ZERO);
  if (order !== 0 && !mayBeOvercommitted(name)) {
    yield invalid(`${path}.requests`, request, `must be equal to ${name} limit of ${limit}`);
  } else if (order > 0) {
    yield invalid(`${path}.requests`, request, `must be less than or equal to ${name} limit of ${limit}`);
  }
}

function* hugePages(name: string, value: string, path: string): Errors {
  if (!name.startsWith(HUGE_PAGES)) return;
  const page = quantityValue(tryParseQuantity(name.slice(HUGE_PAGES.length)) ?? ZERO);
  if (page <= 0 || quantityValue(tryParseQuantity(value) ?? ZERO) % page !== 0) {
    yield invalid(path, value, `${value} is not positive integer multiple of ${name}`);
  }
}

function* claimNames(
  claims: NonNullable<Given<ResourceRequirements>['claims']>,
  path: string,
  podClaims: readonly string[],
): Errors {
  const seen = new Set<string>();
  for (const [at, { name = '', request }] of claims.entries()) {
    const key = request ? `${name}/${request}` : name;
    if (name === '') yield required(`${path}[${at}]`);
    else if (seen.has(key) || seen.has(name)) yield duplicate(`${path}[${at}]`, key);
    else if (!podClaims.includes(name)) yield unknownClaim(`${path}[${at}]`, name, podClaims);
    seen.add(key);
  }
}

function unknownClaim(field: string, name: string, podClaims: readonly string[]): FieldError {
  const known = podClaims.length === 0 ? ' which is empty' : `: ${podClaims.toSorted().join(', ')}`;
  const message = `Not found: ${JSON.stringify(name)}: must be one of the names in pod.spec.resourceClaims${known}`;
  return { reason: 'FieldValueNotFound', field, message };
}
