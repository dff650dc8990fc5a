import type { ConfigMap } from '#gen/kube/types.ts';
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import { ageColumn, column, nameColumn } from '../columns.ts';
import { kind } from '../kind.ts';

export const configMaps: ResourceDefinition = kind<ConfigMap>(
  { group: '', version: 'v1', kind: 'ConfigMap' },
  {
    shortNames: ['cm'],
    columns: [
      nameColumn,
      column<ConfigMap>(
        'Data',
        'How many keys it holds.',
        ({ data, binaryData }) => Object.keys(data ?? {}).length + Object.keys(binaryData ?? {}).length,
      ),
      ageColumn,
    ],
  },
);
