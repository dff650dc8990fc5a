/** Resources inside of resources (`x-kubernetes-embedded-resource`): they must say what they are. */
import { isObject } from '#base/json.ts';
import { type FieldError, invalid, required } from '#kube/meta/field-error.ts';
import { dns1035LabelProblems } from '#kube/meta/names.ts';
import { objectMetaSchema } from './builtin.ts';
import { decodeError } from './decode-error.ts';
import type { Schema } from './schema.ts';
import { factsOf } from './schema-facts.ts';

export function embeddedErrors(schema: Schema, value: unknown, at = ''): FieldError[] {
  if (typeof value !== 'object' || value === null || !factsOf(schema).embedded) return [];
  if (Array.isArray(value)) {
    const { items } = schema;
    return items ? value.flatMap((item, index) => embeddedErrors(items, item, `${at}[${index}]`)) : [];
  }
  if (!isObject(value)) return [];
  const { properties, additionalProperties } = schema;
  const below = Object.entries(value).flatMap(([key, member]) => {
    const known = properties && Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (known) return embeddedErrors(known, member, at === '' ? key : `${at}.${key}`);
    return typeof additionalProperties === 'object'
      ? embeddedErrors(additionalProperties, member, `${at}[${key}]`)
      : [];
  });
  return schema.embeddedResource ? [...resourceErrors(value, at), ...below] : below;
}

function resourceErrors(value: Record<string, unknown>, at: string): FieldError[] {
  const { apiVersion, kind, metadata } = value;
  const wrong = metadata === undefined ? undefined : decodeError(objectMetaSchema(), metadata);
  return [
    ...nameErrors(apiVersion, `${at}.apiVersion`, apiVersionProblem),
    ...nameErrors(kind, `${at}.kind`, kindProblem),
    ...(wrong === undefined ? [] : [invalid(`${at}.metadata`, metadata, wrong)]),
  ];
}

function nameErrors(value: unknown, at: string, problemOf: (text: string) => string | undefined): FieldError[] {
  if (value === undefined) return [required(at)];
  if (typeof value !== 'string') return [invalid(at, value, 'must be a string')];
  if (value === '') return [invalid(at, value, 'must not be empty')];
  const problem = problemOf(value);
  return problem === undefined ? [] : [invalid(at, value, problem)];
}

function apiVersionProblem(text: string): string | undefined {
  return text.split('/').length > 2 ? `unexpected GroupVersion string: ${text}` : undefined;
}

function kindProblem(text: string): string | undefined {
  const problems = dns1035LabelProblems(text.toLowerCase());
  return problems.length === 0 ? undefined : `may have mixed case, but should otherwise match: ${problems.join(',')}`;
}
