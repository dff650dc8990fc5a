import type { ServiceAccount } from '#gen/kube/types.ts';
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import { ageColumn, nameColumn } from '../columns.ts';
import { kind, type Making } from '../kind.ts';

export const serviceAccounts: ResourceDefinition = kind<ServiceAccount>(
  { group: '', version: 'v1', kind: 'ServiceAccount' },
  {
    shortNames: ['sa'],
    deleteReturnsObject: true,
    create: onlyNames,
    update: onlyNames,
    columns: [nameColumn, ageColumn],
  },
);

/** Its secrets are in its namespace: of references to them the name is enough. */
function onlyNames(account: Making<ServiceAccount>): void {
  if (!account.secrets) return;
  account.secrets = account.secrets.map(({ name }) => (name === undefined ? {} : { name }));
}
