/** Resource quotas and limit ranges: what a namespace may use. */
import type { LimitRange, LimitRangeItem, ResourceQuota } from '#gen/kube/types.ts';
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import { duplicate, forbidden, IMMUTABLE, invalid, invalidAll, required } from '#kube/meta/field-error.ts';
import { qualifiedNameProblems } from '#kube/meta/names.ts';
import {
  compareQuantities,
  type Quantity,
  quantityMilliValue,
  quantityOf,
  tryParseQuantity,
  ZERO,
} from '#kube/meta/quantity.ts';
import { ageColumn, column, nameColumn, plainColumns } from '../columns.ts';
import { type Errors, type Given, kind, type Making } from '../kind.ts';
import {
  containerResourceName,
  isStandardResource,
  mayBeOvercommitted,
  resourceAmount,
  resourceName,
  type Resources,
} from '../pod/resource-rules.ts';
import { roundResources } from '../pod/container-defaults.ts';

export const resourceQuotas: ResourceDefinition = kind<ResourceQuota>(
  { group: '', version: 'v1', kind: 'ResourceQuota' },
  {
    shortNames: ['quota'],
    validate: quotaRules,
    validateUpdate: quotaUpdate,
    deleteReturnsObject: true,
    defaults: ({ spec, status }) => {
      roundResources(spec?.hard);
      roundResources(status?.hard);
      roundResources(status?.used);
    },
    columns: [
      nameColumn,
      column<ResourceQuota>('Request', 'Used and allowed requests.', (quota) => usageText(quota, false)),
      column<ResourceQuota>('Limit', 'Used and allowed limits.', (quota) => usageText(quota, true)),
      ageColumn,
    ],
  },
);

function usageText({ status }: Given<ResourceQuota>, limits: boolean): string {
  const names = Object.keys(status?.hard ?? {}).filter((name) => name.startsWith('limits.') === limits);
  return names
    .sort()
    .map((name) => `${name}: ${status?.used?.[name] ?? '0'}/${status?.hard?.[name] ?? '0'}`)
    .join(', ');
}

export const limitRanges: ResourceDefinition = kind<LimitRange>(
  { group: '', version: 'v1', kind: 'LimitRange' },
  {
    shortNames: ['limits'],
    validate: limitRules,
    createOnUpdate: true,
    defaults: ({ spec }) => spec?.limits?.forEach(defaultLimit),
    columns: plainColumns,
  },
);

/** A container's default limit is the greatest allowed, its default request the limit or the least allowed. */
function defaultLimit(item: Making<LimitRangeItem>): void {
  if (item.type === 'Container') {
    item.default = { ...item.max, ...item.default };
    item.defaultRequest = { ...item.min, ...item.default, ...item.defaultRequest };
  }
  for (const list of [item.max, item.min, item.default, item.defaultRequest, item.maxLimitRequestRatio]) {
    roundResources(list);
  }
}

const SCOPES = [
  'Terminating',
  'NotTerminating',
  'BestEffort',
  'NotBestEffort',
  'PriorityClass',
  'VolumeAttributesClass',
  'CrossNamespacePodAffinity',
];
const EXCLUSIVE = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
];

function* quotaRules({ spec }: Given<ResourceQuota>): Errors {
  for (const [name, value = ''] of Object.entries(spec?.hard ?? {})) {
    yield* resourceName(name, `spec.hard[${name}]`);
    if (name === 'storage' || (!name.includes('/') && !isStandardResource(name))) {
      yield invalid(`spec.hard[${name}]`, name, 'must be a standard resource for quota');
    }
    yield* resourceAmount(name, value, `spec.hard[${name}]`);
  }
  const scopes = spec?.scopes ?? [];
  for (const scope of scopes) if (!SCOPES.includes(scope)) yield invalid('spec.scopes', scopes, 'unsupported scope');
  for (const pair of EXCLUSIVE) {
    if (pair.every((scope) => scopes.includes(scope))) yield invalid('spec.scopes', scopes, 'conflicting scopes');
  }
  yield* scopeSelectorRules(spec);
}

type Requirement = NonNullable<
  NonNullable<NonNullable<Given<ResourceQuota>['spec']>['scopeSelector']>['matchExpressions']
>[number];

function* scopeSelectorRules(spec: Given<ResourceQuota>['spec']): Errors {
  const requirements = spec?.scopeSelector?.matchExpressions ?? [];
  const path = 'spec.scopeSelector.matchExpressions';
  for (const requirement of requirements) yield* requirementRules(requirement, path);
  const names = requirements.map(({ scopeName = '' }) => scopeName);
  for (const pair of EXCLUSIVE) {
    if (pair.every((scope) => names.includes(scope))) yield invalid(path, spec?.scopes ?? null, 'conflicting scopes');
  }
}

/** Scopes that a pod either has or has not. */
const PLAIN_SCOPES = [...EXCLUSIVE.flat(), 'CrossNamespacePodAffinity'];

function* requirementRules({ scopeName = '', operator = '', values = [] }: Requirement, path: string): Errors {
  if (!SCOPES.includes(scopeName)) yield invalid(`${path}.scopeName`, scopeName, 'unsupported scope');
  if (PLAIN_SCOPES.includes(scopeName) && operator !== 'Exists') {
    const rule =
      "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";
    yield invalid(`${path}.operator`, operator, rule);
  }
  if (operator === 'In' || operator === 'NotIn') {
    const rule = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
    if (values.length === 0) yield required(`${path}.values`, rule);
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    const rule = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
    if (values.length > 0) yield invalid(`${path}.values`, values, rule);
  } else yield invalid(`${path}.operator`, operator, 'not a valid selector operator');
}

function* quotaUpdate(quota: Given<ResourceQuota>, old: Given<ResourceQuota>): Errors {
  yield* quotaRules(quota);
  const scopes = (one: Given<ResourceQuota>) => [...new Set(one.spec?.scopes)].sort().join();
  if (scopes(quota) !== scopes(old)) yield invalid('spec.scopes', quota.spec?.scopes ?? null, IMMUTABLE);
}

type Limits = Given<LimitRangeItem>;

const LISTS = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const;

function* limitRules({ spec }: Given<LimitRange>): Errors {
  const seen = new Set<string>();
  for (const [index, item] of (spec?.limits ?? []).entries()) {
    const at = `spec.limits[${index}]`;
    const { type = '' } = item;
    yield* limitType(type, `${at}.type`);
    if (seen.has(type)) yield duplicate(`${at}.type`, type);
    seen.add(type);
    const nameRules = type === 'Pod' || type === 'Container' ? containerResourceName : resourceName;
    for (const list of LISTS) {
      if (type === 'Pod' && (list === 'default' || list === 'defaultRequest') && item[list]) {
        yield forbidden(`${at}.${list}`, "may not be specified when `type` is 'Pod'");
      } else for (const name of Object.keys(item[list] ?? {})) yield* nameRules(name, `${at}.${list}[${name}]`);
    }
    if (
      type === 'PersistentVolumeClaim' &&
      item.min?.['storage'] === undefined &&
      item.max?.['storage'] === undefined
    ) {
      yield required(`${at}.limits`, 'either minimum or maximum storage value is required, but neither was provided');
    }
    yield* limitOrder(item, at);
    yield* limitRatios(item, at);
  }
}

const ONE = quantityOf(1);

/** A limit is never below its request, and some resources are only given out once. */
function* limitRatios({ maxLimitRequestRatio, min, max, default: limit, defaultRequest }: Limits, at: string): Errors {
  for (const [name, ratio = '0'] of Object.entries(maxLimitRequestRatio ?? {})) {
    const path = `${at}.maxLimitRequestRatio[${name}]`;
    if (compareQuantities(amountOf(ratio), ONE) < 0) yield invalid(path, ratio, `ratio ${ratio} is less than 1`);
    const [least, most] = [min?.[name], max?.[name]];
    if (least === undefined || most === undefined) continue;
    const greatest = quantityMilliValue(amountOf(most)) / quantityMilliValue(amountOf(least));
    if (quantityMilliValue(amountOf(ratio)) / 1_000 > greatest) {
      yield invalid(path, ratio, `ratio ${ratio} is greater than max/min = ${greatest.toFixed(6)}`);
    }
  }
  for (const [name, request = '0'] of Object.entries(defaultRequest ?? {})) {
    const most = limit?.[name];
    if (most === undefined || mayBeOvercommitted(name)) continue;
    if (compareQuantities(amountOf(request), amountOf(most)) === 0) continue;
    const rule = `default value ${most} must equal to defaultRequest value ${request} in ${name}`;
    yield invalid(`${at}.defaultRequest[${name}]`, request, rule);
  }
}

function* limitType(type: string, path: string): Errors {
  const problems = qualifiedNameProblems(type);
  yield* invalidAll(path, type, problems);
  if (problems.length === 0 && !type.includes('/') && !['Pod', 'Container', 'PersistentVolumeClaim'].includes(type)) {
    yield invalid(path, type, 'must be a standard limit type or fully qualified');
  }
}

/** min ≤ default request ≤ default limit ≤ max, as far as each is given. */
function* limitOrder(item: Limits, at: string): Errors {
  const { min, max, default: limit, defaultRequest: request } = item;
  yield* ordered(min, max, `${at}.min`, ['min value', 'max value']);
  yield* ordered(min, request, `${at}.defaultRequest`, ['min value', 'default request value'], 'right');
  yield* ordered(request, max, `${at}.defaultRequest`, ['default request value', 'max value']);
  yield* ordered(request, limit, `${at}.defaultRequest`, ['default request value', 'default limit value']);
  yield* ordered(min, limit, `${at}.default`, ['min value', 'default value']);
  yield* ordered(limit, max, `${at}.default`, ['default value', 'max value'], 'right');
}

function* ordered(
  small: Resources | undefined,
  great: Resources | undefined,
  path: string,
  [smallName, greatName]: readonly [string, string],
  told: 'left' | 'right' = 'left',
): Errors {
  for (const [name, value = '0'] of Object.entries(small ?? {})) {
    const other = great?.[name];
    if (other === undefined || compareQuantities(amountOf(value), amountOf(other)) <= 0) {
      continue;
    }
    const rule = `${smallName} ${value} is greater than ${greatName} ${other}`;
    yield invalid(`${path}[${name}]`, told === 'left' ? value : other, rule);
  }
}

function amountOf(text: string): Quantity {
  return tryParseQuantity(text) ?? ZERO;
}
