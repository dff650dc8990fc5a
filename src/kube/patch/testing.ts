/** What the tests of this folder share: schemas, and the recorded dialogue with a real server. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { JSONSchemaProps } from '#gen/kube/types.ts';
import type { Gvk } from '#kube/meta/gvk.ts';
import { builtinSchema, schemaOfCrd } from '#kube/schema/index.ts';
import type { Schema } from '#kube/schema/schema.ts';

const DIALOGUE = fileURLToPath(import.meta.resolve('#e2e/fixtures/kube-dialogue.jsonl'));

export interface Exchange {
  readonly label: string;
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly request: Record<string, unknown>;
  readonly code: number;
  readonly answer: Answer;
}

interface Answer extends Record<string, unknown> {
  readonly message?: string;
  readonly reason?: string;
  readonly details?: { readonly causes?: readonly object[] };
}

interface Line {
  readonly label: string;
  readonly req: { readonly method: string; readonly path: string; readonly body?: string };
  readonly res: { readonly code: number; readonly body: Answer };
}

/** What was asked and answered under a label. */
export function exchange(label: string): Exchange {
  const line = lines().find((each) => each.label === label);
  assert.ok(line, `the dialogue has no ${label}`);
  const [path = '', query = ''] = line.req.path.split('?');
  const request = JSON.parse(line.req.body ?? 'null') as Record<string, unknown>;
  const { code, body } = line.res;
  return { label, method: line.req.method, path, query: new URLSearchParams(query), request, code, answer: body };
}

/** Every object the server answered with. */
export function answers(): readonly Answer[] {
  return lines()
    .filter(({ res }) => res.code < 300 && res.body?.['metadata'] && res.body['apiVersion'])
    .map(({ res }) => res.body);
}

let read: readonly Line[] | undefined;

function lines(): readonly Line[] {
  return (read ??= readFileSync(DIALOGUE, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line));
}

export function builtin(gvk: Gvk): Schema {
  const schema = builtinSchema(gvk);
  assert.ok(schema, `no schema of ${gvk.kind}`);
  return schema;
}

export const deploymentSchema = builtin({ group: 'apps', version: 'v1', kind: 'Deployment' });
export const configMapSchema = builtin({ group: '', version: 'v1', kind: 'ConfigMap' });

/** The custom resource of the dialogue. */
export function gizmoSchema(): Schema {
  const { spec } = exchange('crd create').request as {
    spec: { versions: [{ schema: { openAPIV3Schema: JSONSchemaProps } }] };
  };
  return schemaOfCrd(spec.versions[0].schema.openAPIV3Schema).schema;
}

/** A kind with every way to merge, as a custom resource. */
export const thingSchema: Schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        text: { type: 'string' },
        number: { type: 'integer' },
        either: { intOrString: true },
        part: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } } },
        map: { type: 'object', additionalProperties: { type: 'string' } },
        whole: { type: 'object', additionalProperties: { type: 'string' }, mapType: 'atomic' },
        list: { type: 'array', items: { type: 'string' } },
        set: { type: 'array', items: { type: 'string' }, listType: 'set' },
        ports: {
          type: 'array',
          listType: 'map',
          listMapKeys: ['port', 'protocol'],
          items: {
            type: 'object',
            properties: {
              port: { type: 'integer' },
              protocol: { type: 'string', default: 'TCP' },
              name: { type: 'string' },
            },
          },
        },
        named: {
          type: 'array',
          listType: 'map',
          listMapKeys: ['name'],
          items: { type: 'object', properties: { name: { type: 'string' } } },
        },
        free: { type: 'object', preserveUnknownFields: true },
        inner: { type: 'object', preserveUnknownFields: true, embeddedResource: true },
      },
    },
    status: { type: 'object', properties: { ready: { type: 'integer' } } },
  },
};
