import type { IPAddress, ServiceCIDR } from '#gen/kube/types.ts';
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import { groupResource } from '#kube/meta/gvk.ts';
import { ageColumn, column, nameColumn } from '../columns.ts';
import { type Given, kind } from '../kind.ts';

export const ipAddresses: ResourceDefinition = kind<IPAddress>(
  { group: 'networking.k8s.io', version: 'v1', kind: 'IPAddress' },
  {
    shortNames: ['ip'],
    columns: [nameColumn, column<IPAddress>('ParentRef', 'Who uses the address.', parentText)],
  },
);

function parentText({ spec }: Given<IPAddress>): string {
  const parent = spec?.parentRef;
  if (!parent) return '<none>';
  const { group = '', resource = '', namespace, name = '' } = parent;
  return [groupResource({ group, resource }).toLowerCase(), ...(namespace ? [namespace] : []), name].join('/');
}

export const serviceCidrs: ResourceDefinition = kind<ServiceCIDR>(
  { group: 'networking.k8s.io', version: 'v1', kind: 'ServiceCIDR' },
  {
    columns: [
      nameColumn,
      column<ServiceCIDR>('CIDRs', 'The ranges Services take their addresses from.', ({ spec }) =>
        (spec?.cidrs ?? []).join(','),
      ),
      ageColumn,
    ],
  },
);
