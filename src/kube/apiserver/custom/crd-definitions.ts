/** The resources a CustomResourceDefinition defines: one definition for each served version. */
import { draftOf, jsonEqual } from '#base/json.ts';
import type { CustomResourceDefinition, CustomResourceDefinitionVersion } from '#gen/kube/types.ts';
import { apiVersionOf } from '#kube/meta/gvk.ts';
import { parseJsonPath, printJsonValue } from '#kube/meta/json-path.ts';
import { dnsSubdomainProblems } from '#kube/meta/names.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { applySchemaDefaults, dropUnknownFields, orderFields, type Schema, schemaOfCrd } from '#kube/schema/index.ts';
import { compareVersions } from '../discovery/catalog.ts';
import { ageColumn, jsonPathColumn, nameColumn } from '../kinds/index.ts';
import type { Column, ResourceDefinition, Scale, Strategy } from '../resource.ts';
import { scaleProblems } from './scale-rules.ts';

/** In the order in which Kubernetes lists them for custom resources. */
const VERBS = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];

/** The object in another version of its kind, as a conversion webhook would answer. */
export type Conversion = (object: KubeObject, apiVersion: string) => KubeObject;

export function definitionsOf(crd: CustomResourceDefinition, convert?: Conversion): readonly ResourceDefinition[] {
  const stored = crd.spec.versions.find(({ storage }) => storage)?.name;
  const schemas = new Map(crd.spec.versions.map((version) => [`${crd.spec.group}/${version.name}`, schemaIn(version)]));
  return crd.spec.versions
    .filter(({ served }) => served)
    .map((version) => definitionOf(crd, version, stored ?? version.name, schemas, convert));
}

function schemaIn({ schema, subresources }: CustomResourceDefinitionVersion): Schema {
  return schemaOfCrd(schema?.openAPIV3Schema ?? ANYTHING, { hasStatus: subresources?.status !== undefined }).schema;
}

function definitionOf(
  { spec }: CustomResourceDefinition,
  version: CustomResourceDefinitionVersion,
  stored: string,
  schemas: ReadonlyMap<string, Schema>,
  convert: Conversion | undefined,
): ResourceDefinition {
  const { group, names } = spec;
  const hasStatus = version.subresources?.status !== undefined;
  const scale = scaleOf(version);
  const gvr = { group, version: version.name, resource: names.plural };
  const schema = schemas.get(apiVersionOf(gvr)) ?? {};
  return {
    ...gvr,
    kind: names.kind,
    listKind: names.listKind ?? `${names.kind}List`,
    singular: names.singular ?? names.kind.toLowerCase(),
    shortNames: names.shortNames ?? [],
    categories: names.categories ?? [],
    namespaced: spec.scope === 'Namespaced',
    custom: true,
    schema,
    strategy: strategyOf(hasStatus, version),
    columns: columnsOf(version),
    selectableFields: selectableOf(version),
    subresources: [...(hasStatus ? ['status'] : []), ...(scale ? ['scale'] : [])],
    verbs: VERBS,
    storedAs: { ...gvr, version: stored },
    schemaOf: (apiVersion) => schemas.get(apiVersion),
    convert: converter(schema, apiVersionOf(gvr), convert),
    ...(scale ? { scale } : {}),
    ...(version.deprecated ? { deprecation: version.deprecationWarning ?? deprecationOf(spec, version.name) } : {}),
  };
}

/** Told where the definition says nothing itself, with what to use instead if there is anything. */
function deprecationOf({ group, names, versions }: CustomResourceDefinition['spec'], name: string): string {
  const [better] = versions
    .filter(({ served, deprecated }) => served && !deprecated)
    .map((version) => version.name)
    .filter((other) => compareVersions(other, name) < 0)
    .sort(compareVersions);
  const use = better === undefined ? '' : `; use ${group}/${better} ${names.kind}`;
  return `${group}/${name} ${names.kind} is deprecated${use}`;
}

const ANYTHING = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

function strategyOf(hasStatus: boolean, version: CustomResourceDefinitionVersion): Strategy {
  return {
    nameProblems: dnsSubdomainProblems,
    generation: 'spec',
    hasStatus,
    unconditionalUpdate: false,
    validate: (object) => scaleProblems(version.subresources?.scale, object),
  };
}

function columnsOf({ additionalPrinterColumns = [] }: CustomResourceDefinitionVersion): readonly Column[] {
  if (additionalPrinterColumns.length === 0) return [nameColumn, { ...ageColumn, type: 'date' }];
  return [nameColumn, ...additionalPrinterColumns.map(jsonPathColumn)];
}

function selectableOf({ selectableFields = [] }: CustomResourceDefinitionVersion) {
  const fields: Record<string, (object: KubeObject) => string> = {};
  for (const { jsonPath } of selectableFields) {
    const path = parseJsonPath(jsonPath);
    fields[jsonPath.replace(/^\./, '')] = (object) => {
      const [value] = path.find(object);
      return value === undefined || value === null ? '' : printJsonValue(value);
    };
  }
  return fields;
}

function scaleOf({ subresources }: CustomResourceDefinitionVersion): Scale | undefined {
  const paths = subresources?.scale;
  if (!paths) return undefined;
  const selector = paths.labelSelectorPath ? parseJsonPath(paths.labelSelectorPath) : undefined;
  return {
    specReplicas: fieldsOf(paths.specReplicasPath),
    statusReplicas: fieldsOf(paths.statusReplicasPath),
    ...(selector
      ? {
          selector(object: KubeObject) {
            const [value] = selector.find(object);
            return typeof value === 'string' ? value : undefined;
          },
        }
      : {}),
  };
}

function fieldsOf(jsonPath: string): readonly string[] {
  return jsonPath.split('.').filter((part) => part !== '');
}

/** Versions differ in what they name and in the fields they know; what one does not know it does not show. */
function converter(schema: Schema, own: string, convert: Conversion = renamed): Conversion {
  return (object, to) => {
    const converted = object.apiVersion === to ? object : convert(object, to);
    if (to !== own) return converted;
    const draft = draftOf(converted);
    dropUnknownFields(schema, draft);
    applySchemaDefaults(schema, draft);
    return jsonEqual(draft, object) ? object : orderFields<KubeObject>(schema, draft);
  };
}

const renamed: Conversion = (object, apiVersion) => ({ ...object, apiVersion });
