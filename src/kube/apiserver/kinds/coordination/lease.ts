import type { Lease } from '#gen/kube/types.ts';
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import { ageColumn, column, nameColumn } from '../columns.ts';
import { kind } from '../kind.ts';

export const leases: ResourceDefinition = kind<Lease>(
  { group: 'coordination.k8s.io', version: 'v1', kind: 'Lease' },
  {
    createOnUpdate: true,
    unconditionalUpdate: false,
    columns: [
      nameColumn,
      column<Lease>('Holder', 'Who holds it.', ({ spec }) => spec?.holderIdentity ?? ''),
      ageColumn,
    ],
  },
);
