import type { ServiceAccount } from '#gen/kube/types.ts';
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import { ageColumn, nameColumn } from '../columns.ts';
import { kind } from '../kind.ts';

export const serviceAccounts: ResourceDefinition = kind<ServiceAccount>(
  { group: '', version: 'v1', kind: 'ServiceAccount' },
  { shortNames: ['sa'], deleteReturnsObject: true, columns: [nameColumn, ageColumn] },
);
