/** What there is anywhere in a schema, found out once: validation then passes by what has nothing for it to do. */
import type { Schema } from './schema.ts';

export interface SchemaFacts {
  /** CEL rules. */
  readonly rules: boolean;
  /** Lists that are sets or maps. */
  readonly identities: boolean;
  /** Embedded resources. */
  readonly embedded: boolean;
}

const NOTHING: SchemaFacts = { rules: false, identities: false, embedded: false };
const known = new WeakMap<Schema, SchemaFacts>();

/** Schemas of custom resources are trees, but for the metadata, which is validated apart. */
export function factsOf(schema: Schema): SchemaFacts {
  if (schema.component !== undefined) return NOTHING;
  let facts = known.get(schema);
  if (!facts) known.set(schema, (facts = gather(schema)));
  return facts;
}

function gather(schema: Schema): SchemaFacts {
  const { validations, properties, items, additionalProperties, listType } = schema;
  const below = [
    ...Object.values(properties ?? {}),
    ...(items ? [items] : []),
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
  ].map(factsOf);
  return {
    rules: (validations?.length ?? 0) > 0 || below.some(({ rules }) => rules),
    identities: listType === 'set' || listType === 'map' || below.some(({ identities }) => identities),
    embedded: schema.embeddedResource === true || below.some(({ embedded }) => embedded),
  };
}
