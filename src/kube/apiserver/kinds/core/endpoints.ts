import type { Endpoints } from '#gen/kube/types.ts';
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import { ageColumn, column, firstThree, nameColumn } from '../columns.ts';
import { type Given, kind } from '../kind.ts';

export const endpoints: ResourceDefinition = kind<Endpoints>(
  { group: '', version: 'v1', kind: 'Endpoints' },
  {
    shortNames: ['ep'],
    createOnUpdate: true,
    defaults: ({ subsets }) => {
      for (const { ports } of subsets ?? []) for (const port of ports ?? []) port.protocol ||= 'TCP';
    },
    columns: [nameColumn, column<Endpoints>('Endpoints', 'Addresses and ports.', endpointsText), ageColumn],
  },
);

function endpointsText({ subsets = [] }: Given<Endpoints>): string {
  const all = subsets.flatMap(({ addresses = [], ports = [] }) =>
    ports.length === 0
      ? addresses.map(({ ip = '' }) => ip)
      : ports.flatMap(({ port }) => addresses.map(({ ip = '' }) => `${ip.includes(':') ? `[${ip}]` : ip}:${port}`)),
  );
  return firstThree(all, subsets.length === 0 ? '<none>' : '');
}
