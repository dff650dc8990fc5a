import type { CustomResourceDefinition } from '#gen/kube/types.ts';
import { META_FIELDS, type ResourceDefinition } from '#kube/apiserver/resource.ts';
import { plainColumns } from '../columns.ts';
import { kind, type Making } from '../kind.ts';
import { definitionRules, definitionUpdate } from './definition-rules.ts';

export const customResourceDefinitions: ResourceDefinition = kind<CustomResourceDefinition>(
  { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' },
  {
    shortNames: ['crd', 'crds'],
    categories: ['api-extensions'],
    generation: 'spec',
    unconditionalUpdate: false,
    defaults: defaultDefinition,
    validate: definitionRules,
    validateUpdate: definitionUpdate,
    statusKeeps: META_FIELDS,
    create: (definition) => {
      definition.status = {};
      defaultStoredVersions(definition);
    },
    columns: plainColumns,
  },
);

const HTTPS_PORT = 443;

function defaultDefinition(definition: Making<CustomResourceDefinition>): void {
  const spec = (definition.spec ??= {});
  const names = (spec.names ??= {});
  if (names.kind) {
    names.singular ||= names.kind.toLowerCase();
    names.listKind ||= `${names.kind}List`;
  }
  const conversion = (spec.conversion ??= { strategy: 'None' });
  const service = conversion.webhook?.clientConfig?.service;
  if (service) service.port ??= HTTPS_PORT;
}

/** What is stored at first is stored in the version marked for storage. */
function defaultStoredVersions(definition: Making<CustomResourceDefinition>): void {
  const stored = (definition.spec?.versions ?? []).find(({ storage }) => storage)?.name;
  if (definition.status && stored !== undefined) definition.status.storedVersions ??= [stored];
}
