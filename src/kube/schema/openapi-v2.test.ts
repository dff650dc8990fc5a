import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { builtinKinds, builtinSchema } from './builtin.ts';
import { encodeOpenApiV2, renderOpenApiV2 } from './openapi-v2.ts';
import { type OpenApiResource, renderOpenApiV3 } from './openapi-v3.ts';
import { type ProtobufReader, protobufReader } from './protobuf-reader.ts';

function resources(group: string, version: string): OpenApiResource[] {
  return builtinKinds().flatMap((kind) => {
    const schema = builtinSchema(kind);
    if (kind.group !== group || kind.version !== version || kind.resource === undefined || !schema) return [];
    return [{ ...kind, resource: kind.resource, custom: false, schema, strategy: { hasStatus: false } }];
  });
}

const versions = [
  ['', 'v1'],
  ['apps', 'v1'],
] as const;
const document = renderOpenApiV2(
  versions.map(([group, version]) => renderOpenApiV3({ group, version }, resources(group, version))),
  'v1.35.8',
);

describe('renderOpenApiV2', () => {
  it('refers to definitions, with what is said of a field beside the reference', () => {
    assert.deepEqual(document.definitions['io.k8s.api.apps.v1.DeploymentSpec']?.['properties'], {
      minReadySeconds: { type: 'integer', format: 'int32' },
      paused: { type: 'boolean' },
      progressDeadlineSeconds: { type: 'integer', format: 'int32' },
      replicas: { type: 'integer', format: 'int32' },
      revisionHistoryLimit: { type: 'integer', format: 'int32' },
      selector: { $ref: '#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector' },
      strategy: {
        $ref: '#/definitions/io.k8s.api.apps.v1.DeploymentStrategy',
        'x-kubernetes-patch-strategy': 'retainKeys',
      },
      template: { $ref: '#/definitions/io.k8s.api.core.v1.PodTemplateSpec' },
    });
    assert.deepEqual(document.definitions['io.k8s.apimachinery.pkg.api.resource.Quantity'], { type: 'string' });
  });

  it('gives a type that several versions share the kinds of all', () => {
    assert.deepEqual(
      document.definitions['io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions']?.['x-kubernetes-group-version-kind'],
      [
        { group: '', kind: 'DeleteOptions', version: 'v1' },
        { group: 'apps', kind: 'DeleteOptions', version: 'v1' },
      ],
    );
  });

  it('every reference resolves', () => {
    for (const [, name = ''] of JSON.stringify(document).matchAll(/"#\/definitions\/([^"]+)"/g)) {
      assert.ok(document.definitions[name], name);
    }
  });
});

/** All values of a field in a message. */
function fields(reader: ProtobufReader, wanted: number): ProtobufReader[] {
  const found: ProtobufReader[] = [];
  while (!reader.done) {
    const { number, wire } = reader.tag();
    if (number === wanted && wire === 2) found.push(reader.message());
    else reader.skip(wire);
  }
  return found;
}

describe('encodeOpenApiV2', () => {
  it('writes every path and definition', () => {
    const bytes = encodeOpenApiV2(document);
    const [paths] = fields(protobufReader(bytes), 8);
    const [definitions] = fields(protobufReader(bytes), 9);
    assert.ok(paths && definitions);
    assert.equal(fields(paths, 2).length, Object.keys(document.paths).length);
    assert.equal(fields(definitions, 1).length, Object.keys(document.definitions).length);
  });
});
