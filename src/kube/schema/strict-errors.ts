/**
 * What strict field validation tells: unknown and duplicate fields, in the words and the order of Kubernetes.
 *
 * A built-in kind has both in the order of the document; a custom resource its duplicates first.
 */
import { goTypeOf } from './builtin.ts';
import type { GoType } from './go-type.ts';
import { scanJson } from './json-scanner.ts';
import { childPath, type ParsedJson, textOf } from './parse-json.ts';
import type { Schema } from './schema.ts';
import { unknownFields } from './unknown-fields.ts';

/** Go stops counting here. */
const MOST = 100;

/** `unknown field "spec.foo"`, `duplicate field "data.a"`; empty when there is nothing to tell. */
export function strictErrors(schema: Schema, body: string | Uint8Array, { value, duplicates }: ParsedJson): string[] {
  const type = goTypeOf(schema);
  if (type && duplicates.length > 0) return inOrder(type, textOf(body));
  const told = duplicates.map((path) => `duplicate field ${JSON.stringify(path)}`);
  return [...told, ...unknownFields(schema, value).map((path) => `unknown field ${JSON.stringify(path)}`)].slice(
    0,
    MOST,
  );
}

interface Place {
  readonly path: string;
  /** Absent below an unknown field, where Go does not look. */
  readonly type: GoType | undefined;
}

function inOrder(type: GoType, text: string): string[] {
  const found = new Set<string>();
  const visitor = {
    field({ path, type }: Place, key: string, again: boolean): Place {
      const child = childPath(path, key);
      const inner = memberType(type, key);
      if (type?.form === 'struct' && !inner) found.add(`unknown field ${JSON.stringify(child)}`);
      else if (again && inner) found.add(`duplicate field ${JSON.stringify(child)}`);
      return { path: child, type: inner };
    },
    item: ({ path, type }: Place, index: number): Place => ({
      path: `${path}[${index}]`,
      type: type?.form === 'list' ? type.of : undefined,
    }),
  };
  scanJson<Place>(text, visitor, { path: '', type });
  return [...found].slice(0, MOST);
}

function memberType(type: GoType | undefined, key: string): GoType | undefined {
  if (type?.form === 'map') return type.of;
  return type?.form === 'struct' ? type.byName.get(key)?.type : undefined;
}
