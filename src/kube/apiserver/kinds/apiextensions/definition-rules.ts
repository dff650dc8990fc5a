/** What a CustomResourceDefinition must be before resources are served from it. */
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
  JSONSchemaProps,
} from '#gen/kube/types.ts';
import { jsonEqual } from '#base/json.ts';
import { forbidden, invalid, required } from '#kube/meta/field-error.ts';
import { parseJsonPath } from '#kube/meta/json-path.ts';
import { dns1035LabelProblems, dnsSubdomainProblems } from '#kube/meta/names.ts';
import { schemaOfCrd } from '#kube/schema/index.ts';
import { immutable, requiredOneOf } from '../checks.ts';
import type { Errors, Given } from '../kind.ts';
import { reviewVersions, webhookClient } from '../webhook-client.ts';

export function* definitionRules(
  { metadata, spec = {} }: Given<CustomResourceDefinition>,
  old?: Given<CustomResourceDefinition>,
): Errors {
  const name = metadata?.name ?? '';
  const [wanted, rule] = [
    `${spec.names?.plural ?? ''}.${spec.group ?? ''}`,
    'must be spec.names.plural+"."+spec.group',
  ];
  const prefix = old ? '' : (metadata?.generateName ?? '');
  if (prefix !== '' && prefix !== wanted) yield invalid('metadata.generateName', prefix, rule);
  if (name !== wanted) yield invalid('metadata.name', name, rule);
  yield* groupRules(spec.group ?? '');
  yield* requiredOneOf(spec.scope, ['Cluster', 'Namespaced'], 'spec.scope');
  yield* versionRules(spec.versions ?? []);
  yield* nameRules(spec.names ?? {});
  yield* schemaRules(spec.versions ?? [], old?.spec?.versions ?? []);
  yield* conversionRules(spec.conversion ?? {});
}

function* groupRules(group: string): Errors {
  const problems = dnsSubdomainProblems(group);
  if (group === '') yield required('spec.group');
  else if (problems.length > 0) yield invalid('spec.group', group, problems.join(','));
  else if (!group.includes('.')) yield invalid('spec.group', group, 'should be a domain with at least one dot');
}

function* versionRules(versions: readonly Given<CustomResourceDefinitionVersion>[]): Errors {
  for (const [at, version] of versions.entries()) {
    if (!version.schema?.openAPIV3Schema) yield required(`spec.versions[${at}].schema.openAPIV3Schema`);
  }
  for (const [at, version] of versions.entries()) {
    const { name = '' } = version;
    const problems = dns1035LabelProblems(name);
    if (problems.length > 0) yield invalid(`spec.versions[${at}].name`, name, problems.join(','));
    yield* deprecationRules(version, `spec.versions[${at}].deprecationWarning`);
    yield* columnRules(version, `spec.versions[${at}].additionalPrinterColumns`);
    yield* pathRules(version, `spec.versions[${at}]`);
  }
  const names = versions.map(({ name }) => name);
  if (new Set(names).size < names.length) yield invalid('spec.versions', versions, 'must contain unique version names');
  if (versions.filter(({ storage }) => storage).length !== 1) {
    yield invalid('spec.versions', versions, 'must have exactly one version marked as storage version');
  }
}

function* deprecationRules(
  { deprecated, deprecationWarning: text }: Given<CustomResourceDefinitionVersion>,
  path: string,
): Errors {
  if (text === undefined) return;
  if (!deprecated) yield invalid(path, text, 'can only be set for deprecated versions');
  else if (text === '') yield invalid(path, text, 'must not be an empty string');
  else if (text.length > 256) yield invalid(path, text, 'must be <= 256 characters long');
}

const COLUMN_TYPES = ['boolean', 'date', 'integer', 'number', 'string'];
const COLUMN_FORMATS = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

function* columnRules(
  { additionalPrinterColumns: columns = [] }: Given<CustomResourceDefinitionVersion>,
  path: string,
): Errors {
  for (const [at, { name, type, format = '', jsonPath = '' }] of columns.entries()) {
    const own = `${path}[${at}]`;
    if (!name) yield required(`${own}.name`);
    if (!type) yield required(`${own}.type`, `must be one of ${COLUMN_TYPES.join(',')}`);
    else if (!COLUMN_TYPES.includes(type))
      yield invalid(`${own}.type`, type, `must be one of ${COLUMN_TYPES.join(',')}`);
    if (format !== '' && !COLUMN_FORMATS.includes(format)) {
      yield invalid(`${own}.format`, format, `must be one of ${COLUMN_FORMATS.join(',')}`);
    }
    if (jsonPath === '') yield required(`${own}.JSONPath`);
    else if (!isJsonPath(jsonPath)) yield invalid(`${own}.JSONPath`, jsonPath, 'is an invalid JSON path');
  }
}

/** Paths of the scale subresource and of fields to select by: simple, and not into metadata. */
function* pathRules(
  { subresources, selectableFields = [] }: Given<CustomResourceDefinitionVersion>,
  path: string,
): Errors {
  const scale = subresources?.scale;
  if (scale) {
    yield* scalePath(scale.specReplicasPath, '.spec', `${path}.subresources.scale.specReplicasPath`);
    yield* scalePath(scale.statusReplicasPath, '.status', `${path}.subresources.scale.statusReplicasPath`);
  }
  for (const [at, { jsonPath = '' }] of selectableFields.entries()) {
    const own = `${path}.selectableFields[${at}].jsonPath`;
    if (jsonPath === '') yield required(own);
    else if (jsonPath.startsWith('.metadata')) yield invalid(own, jsonPath, 'must not point to fields in metadata');
  }
}

function* scalePath(jsonPath: string | undefined, below: string, path: string): Errors {
  if (!jsonPath) yield required(path);
  else if (!jsonPath.startsWith(`${below}.`)) yield invalid(path, jsonPath, `should be a json path under ${below}`);
}

function isJsonPath(text: string): boolean {
  try {
    return text.startsWith('.') && parseJsonPath(text) !== undefined;
  } catch {
    return false;
  }
}

function* nameRules(names: NonNullable<Given<CustomResourceDefinitionSpec>['names']>): Errors {
  const { plural = '', singular = '', kind = '', listKind = '', shortNames = [], categories = [] } = names;
  for (const [field, value] of Object.entries({ plural, singular, kind, listKind })) {
    if (value === '') yield required(`spec.names.${field}`);
  }
  yield* label(plural, 'spec.names.plural');
  yield* label(singular, 'spec.names.singular');
  yield* mixedCase(kind, 'spec.names.kind');
  yield* mixedCase(listKind, 'spec.names.listKind');
  for (const [at, name] of shortNames.entries()) yield* label(name, `spec.names.shortNames[${at}]`);
  if (kind !== '' && kind === listKind) {
    yield invalid('spec.names.listKind', listKind, 'kind and listKind may not be the same');
  }
  for (const [at, name] of categories.entries()) yield* label(name, `spec.names.categories[${at}]`);
}

function* label(value: string, path: string): Errors {
  const problems = dns1035LabelProblems(value);
  if (value !== '' && problems.length > 0) yield invalid(path, value, problems.join(','));
}

function* mixedCase(value: string, path: string): Errors {
  const problems = dns1035LabelProblems(value.toLowerCase());
  if (value === '' || problems.length === 0) return;
  yield invalid(path, value, `may have mixed case, but should otherwise match: ${problems.join(',')}`);
}

type Versions = readonly Given<CustomResourceDefinitionVersion>[];

/** One schema for all versions is told of as the definition's own. */
function* schemaRules(versions: Versions, before: Versions): Errors {
  const shared = versions.every(({ schema }) => jsonEqual(schema, versions[0]?.schema));
  for (const [index, { name, schema, subresources }] of (shared ? versions.slice(0, 1) : versions).entries()) {
    if (!schema?.openAPIV3Schema) continue;
    const at = shared ? 'spec.validation.openAPIV3Schema' : `spec.versions[${index}].schema.openAPIV3Schema`;
    const hasStatus = subresources?.status !== undefined;
    const old = before.find((version) => version.name === name)?.schema?.openAPIV3Schema;
    const unchanged = old !== undefined && jsonEqual(old, schema.openAPIV3Schema);
    yield* schemaOfCrd(schema.openAPIV3Schema as JSONSchemaProps, { at, hasStatus, unchanged }).problems;
  }
}

function* conversionRules({
  strategy,
  webhook,
}: NonNullable<Given<CustomResourceDefinitionSpec>['conversion']>): Errors {
  const path = 'spec.conversion';
  yield* requiredOneOf(strategy, ['None', 'Webhook'], `${path}.strategy`);
  if (strategy === 'Webhook') {
    if (!webhook?.clientConfig)
      yield required(`${path}.webhookClientConfig`, 'required when strategy is set to Webhook');
    else yield* webhookClient(webhook.clientConfig, `${path}.webhookClientConfig`);
    yield* reviewVersions(
      webhook?.conversionReviewVersions ?? [],
      ['v1', 'v1beta1'],
      `${path}.conversionReviewVersions`,
    );
  } else if (webhook) {
    yield forbidden(`${path}.webhookClientConfig`, 'should not be set when strategy is not set to Webhook');
  }
}

export function* definitionUpdate(
  definition: Given<CustomResourceDefinition>,
  old: Given<CustomResourceDefinition>,
): Errors {
  yield* definitionRules(definition, old);
  const [spec, before] = [definition.spec ?? {}, old.spec ?? {}];
  // Once it is served, objects exist under these names.
  if ((old.status?.conditions ?? []).some(({ type, status }) => type === 'Established' && status === 'True')) {
    yield* immutable(spec.scope, before.scope, 'spec.scope');
    yield* immutable(spec.names?.kind, before.names?.kind, 'spec.names.kind');
  }
  yield* immutable(spec.group, before.group, 'spec.group');
  yield* immutable(spec.names?.plural, before.names?.plural, 'spec.names.plural');
  yield* storedVersions(definition);
}

/** A version that objects are stored in has to stay readable. */
function* storedVersions({ spec, status }: Given<CustomResourceDefinition>): Errors {
  const known = (spec?.versions ?? []).map(({ name }) => name);
  for (const [at, version] of (status?.storedVersions ?? []).entries()) {
    if (known.includes(version)) continue;
    const rule = `missing from spec.versions; ${version} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${version} and removes ${version} from status.storedVersions`;
    yield invalid(`status.storedVersions[${at}]`, version, rule);
  }
}
