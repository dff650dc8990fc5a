/** Resource quotas and limit ranges: what a namespace may use. */
import type { LimitRange, LimitRangeItem, ResourceQuota } from '#gen/kube/types.ts';
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import { ageColumn, column, nameColumn, plainColumns } from '../columns.ts';
import { type Given, kind, type Making } from '../kind.ts';
import { roundResources } from '../pod/container-defaults.ts';

export const resourceQuotas: ResourceDefinition = kind<ResourceQuota>(
  { group: '', version: 'v1', kind: 'ResourceQuota' },
  {
    shortNames: ['quota'],
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
