/** What a CustomResourceDefinition must be, beyond what its own type says. */
import type { CustomResourceDefinition, CustomResourceDefinitionVersion } from '#gen/kube/types.ts';
import { jsonEqual } from '#base/json.ts';
import { IMMUTABLE, invalid, invalidAll, notSupported, required } from '#kube/meta/field-error.ts';
import { dns1035LabelProblems, dnsSubdomainProblems } from '#kube/meta/names.ts';
import { schemaOfCrd } from '#kube/schema/index.ts';
import type { FieldError } from '../resource.ts';
import { isEstablished } from './crd-status.ts';

export function crdProblems(crd: CustomResourceDefinition): readonly FieldError[] {
  const { spec, metadata } = crd;
  const { group, names, versions, scope } = spec;
  return [
    ...(metadata.name === `${names.plural}.${group}`
      ? []
      : [invalid('metadata.name', metadata.name, 'must be spec.names.plural+"."+spec.group')]),
    ...groupProblems(group),
    ...(scope === 'Cluster' || scope === 'Namespaced' ? [] : [scopeProblem(scope)]),
    ...versionProblems(versions),
    ...namesProblems(names),
    ...schemaProblems(versions),
  ];
}

export function crdUpdateProblems(crd: CustomResourceDefinition, old: CustomResourceDefinition): readonly FieldError[] {
  const frozen: FieldError[] = [];
  if (isEstablished(old)) {
    if (crd.spec.scope !== old.spec.scope) frozen.push(invalid('spec.scope', crd.spec.scope, IMMUTABLE));
    if (crd.spec.names.kind !== old.spec.names.kind) {
      frozen.push(invalid('spec.names.kind', crd.spec.names.kind, IMMUTABLE));
    }
  }
  if (crd.spec.group !== old.spec.group) frozen.push(invalid('spec.group', crd.spec.group, IMMUTABLE));
  if (crd.spec.names.plural !== old.spec.names.plural) {
    frozen.push(invalid('spec.names.plural', crd.spec.names.plural, IMMUTABLE));
  }
  return [...crdProblems(crd), ...frozen];
}

function groupProblems(group: string): readonly FieldError[] {
  if (group === '') return [required('spec.group')];
  const problems = invalidAll('spec.group', group, dnsSubdomainProblems(group));
  if (problems.length > 0 || group.includes('.')) return problems;
  return [invalid('spec.group', group, 'should be a domain with at least one dot')];
}

function scopeProblem(scope: string | undefined): FieldError {
  return scope ? notSupported('spec.scope', scope, ['Cluster', 'Namespaced']) : required('spec.scope');
}

function versionProblems(versions: readonly CustomResourceDefinitionVersion[]): readonly FieldError[] {
  const problems: FieldError[] = [];
  for (const [index, { name }] of versions.entries()) {
    problems.push(...invalidAll(`spec.versions[${index}].name`, name, dns1035LabelProblems(name)));
    if (versions.findIndex((other) => other.name === name) < index) {
      problems.push(invalid('spec.versions', versions, 'must contain unique version names'));
    }
  }
  if (versions.filter(({ storage }) => storage).length !== 1) {
    problems.push(invalid('spec.versions', versions, 'must have exactly one version marked as storage version'));
  }
  return problems;
}

function namesProblems({
  plural,
  singular,
  kind,
  listKind,
  shortNames = [],
}: CustomResourceDefinition['spec']['names']) {
  return [
    ...(plural === ''
      ? [required('spec.names.plural')]
      : invalidAll('spec.names.plural', plural, dns1035LabelProblems(plural))),
    ...(singular ? invalidAll('spec.names.singular', singular, dns1035LabelProblems(singular)) : []),
    ...(kind === '' ? [required('spec.names.kind')] : lowerCase('spec.names.kind', kind)),
    ...(listKind ? lowerCase('spec.names.listKind', listKind) : []),
    ...(listKind && listKind === kind
      ? [invalid('spec.names.listKind', listKind, 'kind and listKind may not be the same')]
      : []),
    ...shortNames.flatMap((name, index) =>
      invalidAll(`spec.names.shortNames[${index}]`, name, dns1035LabelProblems(name)),
    ),
  ];
}

function lowerCase(field: string, value: string): readonly FieldError[] {
  return dns1035LabelProblems(value.toLowerCase()).map((problem) =>
    invalid(field, value, `may have mixed case, but should otherwise match: ${problem}`),
  );
}

/** While all versions share one schema, its problems are told as of the CRD itself. */
function schemaProblems(versions: readonly CustomResourceDefinitionVersion[]): readonly FieldError[] {
  const [first, ...others] = versions;
  const shared = others.every(({ schema }) => jsonEqual(schema, first?.schema));
  return (shared ? versions.slice(0, 1) : versions).flatMap((version, index) => {
    const at = shared ? 'spec.validation.openAPIV3Schema' : `spec.versions[${index}].schema.openAPIV3Schema`;
    const schema = version.schema?.openAPIV3Schema;
    if (!schema) return [required(`spec.versions[${index}].schema.openAPIV3Schema`, 'schemas are required')];
    return schemaOfCrd(schema, { at, hasStatus: version.subresources?.status !== undefined }).problems;
  });
}
