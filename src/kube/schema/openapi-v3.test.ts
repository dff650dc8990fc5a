import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { builtinKinds, builtinSchema } from './builtin.ts';
import { schemaOfCrd } from './crd-schema.ts';
import { type OpenApiResource, renderOpenApiV3 } from './openapi-v3.ts';
import { gizmo } from './testing.ts';

function builtinResources(group: string, version: string): OpenApiResource[] {
  return builtinKinds().flatMap((kind) => {
    const schema = builtinSchema(kind);
    if (kind.group !== group || kind.version !== version || kind.resource === undefined || !schema) return [];
    const scale = kind.subresources.includes('scale') ? {} : undefined;
    return [{ ...kind, resource: kind.resource, custom: false, schema, strategy: { hasStatus: false }, scale }];
  });
}

const custom: OpenApiResource = {
  group: 'toys.example.io',
  version: 'v1',
  kind: 'Gizmo',
  resource: 'gizmos',
  namespaced: true,
  custom: true,
  schema: schemaOfCrd({ ...gizmo, description: 'A gizmo.' }).schema,
  subresources: [],
  strategy: { hasStatus: true },
  scale: {},
};

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Component>> };
}
interface Operation {
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> };
  readonly 'x-kubernetes-group-version-kind': Readonly<Record<string, string>>;
}
interface Component {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly 'x-kubernetes-group-version-kind'?: readonly unknown[];
}

function rendered(group: string, version: string, resources: readonly OpenApiResource[]): Document {
  return JSON.parse(JSON.stringify(renderOpenApiV3({ group, version }, resources)));
}

describe('renderOpenApiV3', () => {
  const apps = rendered('apps', 'v1', builtinResources('apps', 'v1'));
  const toys = rendered('toys.example.io', 'v1', [custom]);
  const kind = { group: 'apps', kind: 'Deployment', version: 'v1' };
  const deployments = '/apis/apps/v1/namespaces/{namespace}/deployments';

  it('tells that PATCH takes fieldValidation, by which kubectl knows that the server validates', () => {
    const patch = apps.paths[`${deployments}/{name}`]?.['patch'];
    assert.ok(patch?.parameters?.some(({ name, in: place }) => name === 'fieldValidation' && place === 'query'));
    assert.deepEqual(patch?.['x-kubernetes-group-version-kind'], kind);
    assert.ok('application/strategic-merge-patch+json' in (patch?.requestBody?.content ?? {}));
  });

  it('keeps the scale subresource from being taken for the object', () => {
    const scale = apps.paths[`${deployments}/{name}/scale`]?.['patch'];
    assert.deepEqual(scale?.['x-kubernetes-group-version-kind'], {
      group: 'autoscaling',
      kind: 'Scale',
      version: 'v1',
    });
  });

  it('has a component for each kind, found by its name, and every reference resolves', () => {
    const found = Object.values(apps.components.schemas).filter((schema) =>
      schema['x-kubernetes-group-version-kind']?.some((one) => isDeepStrictEqual(one, kind)),
    );
    assert.equal(found.length, 1);
    for (const document of [apps, toys]) {
      for (const [, name = ''] of JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
        assert.ok(document.components.schemas[name], name);
      }
    }
  });

  it('lists only what the verbs allow', () => {
    const reviews = rendered('authentication.k8s.io', 'v1', builtinResources('authentication.k8s.io', 'v1'));
    assert.deepEqual(Object.keys(reviews.paths), [
      '/apis/authentication.k8s.io/v1/selfsubjectreviews',
      '/apis/authentication.k8s.io/v1/tokenreviews',
    ]);
  });

  it('tells of a custom resource what its CRD says, under the reversed name of its group', () => {
    const component = toys.components.schemas['io.example.toys.v1.Gizmo'];
    assert.equal(component?.description, 'A gizmo.');
    const { spec, metadata } = (component?.properties ?? {}) as { spec?: Component; metadata?: unknown };
    assert.deepEqual(spec?.properties?.['color'], { type: 'string', enum: ['red', 'blue'], default: 'red' });
    assert.deepEqual(spec?.properties?.['ios'], { 'x-kubernetes-int-or-string': true });
    assert.deepEqual(metadata, {
      allOf: [{ $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' }],
    });
    const patch = toys.paths['/apis/toys.example.io/v1/namespaces/{namespace}/gizmos/{name}']?.['patch'];
    assert.ok(!('application/strategic-merge-patch+json' in (patch?.requestBody?.content ?? {})));
    assert.ok('/apis/toys.example.io/v1/namespaces/{namespace}/gizmos/{name}/status' in toys.paths);
  });
});

/** The documents a real server of the pinned release publishes. */
function publishedDocuments(): string | undefined {
  try {
    const cache = execFileSync('go', ['env', 'GOMODCACHE'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    const directory = join(cache.trim(), 'k8s.io/kubernetes@v1.35.8/api/openapi-spec/v3');
    return existsSync(directory) ? directory : undefined;
  } catch {
    return undefined;
  }
}

/** Without what we do not carry, and with references as we write them. */
function comparable(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(comparable);
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node).filter(
    ([key, value]) => key !== 'x-kubernetes-unions' && !(key === 'description' && typeof value === 'string'),
  );
  const only = entries.length === 1 ? entries[0] : undefined;
  // A lone reference and one wrapped in allOf are the same.
  if (only?.[0] === 'allOf' && Array.isArray(only[1])) return comparable(only[1][0]);
  return Object.fromEntries(entries.map(([key, value]) => [key, comparable(value)]));
}

describe('the documents of the real server', () => {
  const directory = publishedDocuments();
  const skip = directory ? false : 'k8s.io/kubernetes is not in the Go module cache of this machine';

  it('have the same components, but for descriptions', { skip }, () => {
    assert.ok(directory);
    for (const [group, version] of [
      ['', 'v1'],
      ['apps', 'v1'],
      ['batch', 'v1'],
      ['apiextensions.k8s.io', 'v1'],
    ] as const) {
      const file = group === '' ? `api__${version}` : `apis__${group}__${version}`;
      const real: Document = JSON.parse(readFileSync(join(directory, `${file}_openapi.json`), 'utf8'));
      const ours = rendered(group, version, builtinResources(group, version));
      for (const [name, component] of Object.entries(ours.components.schemas)) {
        // These two carry the names of all groups there.
        if (/meta\.v1\.(DeleteOptions|Status)$/.test(name)) continue;
        assert.deepEqual(comparable(component), comparable(real.components.schemas[name]), name);
      }
    }
  });
});
