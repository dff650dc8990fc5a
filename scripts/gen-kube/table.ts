/** Writes the model as the compact JSON table the API server loads; `src/kube/schema/table.ts` reads it. */
import type { Model, ModelField, TypeExpression } from './model.ts';
import type { PublishedApi, Resource } from './openapi.ts';

/** One line per type and per kind, so that a new version of Kubernetes is a readable change. */
export function writeTable(version: string, model: Model, api: PublishedApi): string {
  const packages = Object.entries(model.packages).sort(([a], [b]) => (a < b ? -1 : 1));
  const types = [...model.types].map(([key, type]) => {
    const fields = type.fields.map(fieldEntry);
    return [key, type.mapType ? [fields, type.mapType] : [fields]] as const;
  });
  const kinds = [...model.kinds].map(([gvk, type]) => [gvk, kindEntry(type, api.resources.get(gvk))] as const);
  return `{
"version": ${JSON.stringify(version)},
"packages": ${lines(packages)},
"kinds": ${lines(kinds)},
"types": ${lines(types)}
}
`;
}

function lines(entries: readonly (readonly [string, unknown])[]): string {
  return `{\n${entries.map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`).join(',\n')}\n}`;
}

function kindEntry(type: string, resource: Resource | undefined): unknown[] {
  if (!resource) return [type];
  const { namespaced, verbs, subresources } = resource;
  return [type, resource.resource, namespaced ? 1 : 0, verbs.join(), subresources.join()];
}

/** `[json name, protobuf number, flags, type, extras]`; flags: r required, e omitempty, z omitzero, p pointer. */
function fieldEntry(field: ModelField): unknown[] {
  const flags = [
    field.required ? 'r' : '',
    field.omitEmpty ? 'e' : '',
    field.omitZero ? 'z' : '',
    field.pointer ? 'p' : '',
  ].join('');
  const entry = [field.json, field.number, flags, typeText(field.type)];
  return Object.keys(field.extras).length === 0 ? entry : [...entry, field.extras];
}

/** `[]T`, `{}T` with the Go name between the brackets when the type has one; `!` marks a list wrapped in a message. */
function typeText(type: TypeExpression): string {
  if (type.form === 'struct') return type.key;
  const go = type.go ?? '';
  if (type.form === 'leaf') return go === '' ? type.name : `${type.name}=${go}`;
  const brackets = type.form === 'list' ? `[${go}]` : `{${go}}`;
  return `${type.wrapped ? '!' : ''}${brackets}${typeText(type.of)}`;
}
