import type { RuntimeClass } from '#gen/kube/types.ts';
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import { ageColumn, column, nameColumn } from '../columns.ts';
import { dnsLabel, immutable, labels } from '../checks.ts';
import { type Errors, type Given, kind } from '../kind.ts';
import { resourceRequirements } from '../pod/resource-rules.ts';
import { tolerations } from '../pod/scheduling-rules.ts';
import { roundResources } from '../pod/container-defaults.ts';

export const runtimeClasses: ResourceDefinition = kind<RuntimeClass>(
  { group: 'node.k8s.io', version: 'v1', kind: 'RuntimeClass' },
  {
    createOnUpdate: true,
    unconditionalUpdate: false,
    validate: runtimeClassRules,
    validateUpdate: runtimeClassUpdate,
    defaults: ({ overhead }) => roundResources(overhead?.podFixed),
    columns: [
      nameColumn,
      column<RuntimeClass>('Handler', 'The configuration of the container runtime.', ({ handler }) => handler ?? ''),
      ageColumn,
    ],
  },
);

function* runtimeClassUpdate(runtimeClass: Given<RuntimeClass>, old: Given<RuntimeClass>): Errors {
  yield* runtimeClassRules(runtimeClass);
  yield* immutable(runtimeClass.handler, old.handler, 'handler');
}

function* runtimeClassRules({ handler = '', overhead, scheduling }: Given<RuntimeClass>): Errors {
  yield* dnsLabel(handler, 'handler');
  if (overhead?.podFixed) yield* resourceRequirements({ limits: overhead.podFixed }, 'overhead');
  yield* labels(scheduling?.nodeSelector, 'scheduling.nodeSelector');
  yield* tolerations(scheduling?.tolerations ?? [], 'scheduling.tolerations');
}
