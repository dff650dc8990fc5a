/** The generated table of built-in types as it lies on disk (`gen/kube/schemas.json`, made by `scripts/gen-kube.ts`). */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Json } from '#base/json.ts';

export interface Table {
  /** The Kubernetes release the types are of. */
  readonly version: string;
  /** Short package name (`apps.v1`) → prefix of its OpenAPI components. */
  readonly packages: Readonly<Record<string, string>>;
  /** `group/version/kind` → its type and, if it is served as one, its resource. */
  readonly kinds: Readonly<Record<string, KindEntry>>;
  readonly types: Readonly<Record<string, TypeEntry>>;
}

export type KindEntry =
  | readonly [type: string]
  | readonly [type: string, resource: string, namespaced: 0 | 1, verbs: string, subresources: string];

export type TypeEntry = readonly [fields: readonly FieldEntry[], mapType?: 'atomic'];

/** Without a name, the fields of a struct embedded in this one. Flags: r required, e omitempty, z omitzero, p pointer. */
export type FieldEntry = readonly [name: string, number: number, flags: string, type: string, extras?: FieldExtras];

export interface FieldExtras {
  readonly list?: 'atomic' | 'set' | 'map';
  readonly keys?: readonly string[];
  readonly map?: 'atomic' | 'granular';
  readonly patch?: string;
  readonly merge?: string;
  readonly default?: Json;
}

let loaded: Table | undefined;

/** Read from disk at its first use: a program that needs no schema pays nothing. */
export function table(): Table {
  return (loaded ??= JSON.parse(
    readFileSync(fileURLToPath(import.meta.resolve('#gen/kube/schemas.json')), 'utf8'),
  ) as Table);
}
