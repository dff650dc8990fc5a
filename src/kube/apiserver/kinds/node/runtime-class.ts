import type { RuntimeClass } from '#gen/kube/types.ts';
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import { ageColumn, column, nameColumn } from '../columns.ts';
import { kind } from '../kind.ts';
import { roundResources } from '../pod/container-defaults.ts';

export const runtimeClasses: ResourceDefinition = kind<RuntimeClass>(
  { group: 'node.k8s.io', version: 'v1', kind: 'RuntimeClass' },
  {
    createOnUpdate: true,
    unconditionalUpdate: false,
    defaults: ({ overhead }) => roundResources(overhead?.podFixed),
    columns: [
      nameColumn,
      column<RuntimeClass>('Handler', 'The configuration of the container runtime.', ({ handler }) => handler ?? ''),
      ageColumn,
    ],
  },
);
