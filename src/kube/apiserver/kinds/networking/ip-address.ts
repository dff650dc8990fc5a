import type { IPAddress, ServiceCIDR } from '#gen/kube/types.ts';
import { META_FIELDS, type ResourceDefinition } from '#kube/apiserver/resource.ts';
import { isIP } from 'node:net';
import { invalid, required } from '#kube/meta/field-error.ts';
import { groupResource } from '#kube/meta/gvk.ts';
import { ageColumn, column, nameColumn } from '../columns.ts';
import { cidr, immutable, requiredField } from '../checks.ts';
import { type Errors, type Given, kind } from '../kind.ts';

export const ipAddresses: ResourceDefinition = kind<IPAddress>(
  { group: 'networking.k8s.io', version: 'v1', kind: 'IPAddress' },
  {
    shortNames: ['ip'],
    validate: ipAddressRules,
    validateUpdate: (address, old) => immutable(address.spec?.parentRef, old.spec?.parentRef, 'spec.parentRef'),
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
    validate: serviceCidrRules,
    statusKeeps: META_FIELDS,
    validateUpdate: (range, old) => immutable(range.spec?.cidrs, old.spec?.cidrs, 'spec.cidrs'),
    columns: [
      nameColumn,
      column<ServiceCIDR>('CIDRs', 'The ranges Services take their addresses from.', ({ spec }) =>
        (spec?.cidrs ?? []).join(','),
      ),
      ageColumn,
    ],
  },
);

function* ipAddressRules({ metadata, spec }: Given<IPAddress>): Errors {
  const name = metadata?.name ?? '';
  if (isIP(name) === 0)
    yield invalid('metadata.name', name, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)');
  if (!spec?.parentRef) return yield required('spec.parentRef');
  yield* requiredField(spec.parentRef.resource, 'spec.parentRef.resource');
  yield* requiredField(spec.parentRef.name, 'spec.parentRef.name');
}

function* serviceCidrRules({ spec }: Given<ServiceCIDR>): Errors {
  const ranges = spec?.cidrs ?? [];
  if (ranges.length === 0) yield required('spec.cidrs', 'at least one CIDR required');
  if (ranges.length > 2) yield invalid('spec', spec, 'may only hold up to 2 values');
  for (const [at, range] of ranges.entries()) yield* cidr(range, `spec.cidrs[${at}]`);
}
