/** The defaults a custom resource's schema gives, on write and on read. */
import { draftOf, isObject } from '#base/json.ts';
import type { Schema } from './schema.ts';

/**
 * Fills in what is absent. A null where the schema allows none counts as absent: it takes the default, or goes when
 * there is none (in a list it stays, to be told by validation).
 */
export function applySchemaDefaults(schema: Schema, draft: unknown): void {
  if (!hasWork(schema)) return;
  if (Array.isArray(draft)) {
    const { items } = schema;
    if (!items) return;
    for (let index = 0; index < draft.length; index++) {
      if (draft[index] === null && !items.nullable && items.default !== undefined)
        draft[index] = draftOf(items.default);
      applySchemaDefaults(items, draft[index]);
    }
  } else if (isObject(draft)) {
    fillObject(schema, draft);
  }
}

function fillObject(schema: Schema, draft: Record<string, unknown>): void {
  const { properties, additionalProperties } = schema;
  for (const [name, property] of defaultedOf(schema)) {
    if (isMissing(property, draft, name)) draft[name] = draftOf(property.default);
  }
  for (const key in draft) {
    const known = properties && Object.hasOwn(properties, key) ? properties[key] : additionalProperties;
    if (typeof known !== 'object') continue;
    if (draft[key] === null && !known.nullable) {
      if (known.default === undefined) delete draft[key];
      else draft[key] = draftOf(known.default);
    }
    applySchemaDefaults(known, draft[key]);
  }
}

/** The few properties with a default, found once for each schema. */
const defaulted = new WeakMap<Schema, readonly (readonly [name: string, property: Schema])[]>();

function defaultedOf(schema: Schema): readonly (readonly [name: string, property: Schema])[] {
  let found = defaulted.get(schema);
  if (!found) {
    found = Object.entries(schema.properties ?? {}).filter(([, property]) => property.default !== undefined);
    defaulted.set(schema, found);
  }
  return found;
}

function isMissing(property: Schema, draft: Record<string, unknown>, name: string): boolean {
  return !Object.hasOwn(draft, name) || draft[name] === undefined || (draft[name] === null && !property.nullable);
}

/** Scalars have nothing below them. Built-in types do not carry defaults that apply to custom resources. */
function hasWork({ type, component }: Schema): boolean {
  return component === undefined && (type === undefined || type === 'object' || type === 'array');
}
