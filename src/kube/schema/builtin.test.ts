import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { builtinKinds, builtinSchema } from './builtin.ts';
import type { Schema } from './schema.ts';

const deployment = builtinSchema({ group: 'apps', version: 'v1', kind: 'Deployment' });

/** The node at a path of property names; `[]` descends into items, `{}` into the values of a map. */
function at(schema: Schema | undefined, path: string): Schema | undefined {
  return path.split('.').reduce<Schema | undefined>((node, step) => {
    if (step === '[]') return node?.items;
    if (step === '{}') return typeof node?.additionalProperties === 'object' ? node.additionalProperties : undefined;
    return node?.properties?.[step];
  }, schema);
}

describe('builtinSchema', () => {
  it('knows the kinds of the stable groups and no others', () => {
    for (const [group, version, kind] of [
      ['', 'v1', 'Pod'],
      ['autoscaling', 'v1', 'HorizontalPodAutoscaler'],
      ['autoscaling', 'v2', 'HorizontalPodAutoscaler'],
      ['policy', 'v1', 'Eviction'],
      ['resource.k8s.io', 'v1', 'ResourceClaim'],
      ['meta.k8s.io', 'v1', 'DeleteOptions'],
    ] as const) {
      assert.ok(builtinSchema({ group, version, kind }), kind);
    }
    assert.equal(builtinSchema({ group: 'apps', version: 'v1beta1', kind: 'Deployment' }), undefined);
    assert.equal(builtinSchema({ group: '', version: 'v1', kind: 'constructor' }), undefined);
  });

  it('keeps the order of the Go struct, embedded structs in their place', () => {
    const volume = at(deployment, 'spec.template.spec.volumes.[]');
    assert.deepEqual(Object.keys(deployment?.properties ?? {}), ['kind', 'apiVersion', 'metadata', 'spec', 'status']);
    assert.deepEqual(Object.keys(volume?.properties ?? {}).slice(0, 3), ['name', 'hostPath', 'emptyDir']);
  });

  it('tells how lists merge', () => {
    const ports = at(deployment, 'spec.template.spec.containers.[].ports');
    assert.equal(ports?.listType, 'map');
    assert.deepEqual(ports?.listMapKeys, ['containerPort', 'protocol']);
    assert.equal(ports?.patchMergeKey, 'containerPort');
    assert.equal(at(ports, '[].protocol')?.default, 'TCP');
    assert.deepEqual(at(deployment, 'spec.template.spec.volumes')?.patchStrategy, ['merge', 'retainKeys']);
    assert.equal(at(deployment, 'spec.selector')?.mapType, 'atomic');
  });

  it('tells the types of values', () => {
    const container = at(deployment, 'spec.template.spec.containers.[]');
    assert.deepEqual({ ...at(deployment, 'spec.replicas') }, { type: 'integer', format: 'int32' });
    assert.equal(at(container, 'resources.limits.{}')?.format, 'quantity');
    assert.equal(at(container, 'ports.[].hostIP')?.type, 'string');
    assert.equal(at(deployment, 'spec.strategy.rollingUpdate.maxSurge')?.intOrString, true);
    assert.equal(at(deployment, 'metadata.creationTimestamp')?.format, 'date-time');
    assert.equal(at(deployment, 'spec')?.component, 'io.k8s.api.apps.v1.DeploymentSpec');
    assert.deepEqual(at(deployment, 'spec')?.required, ['selector', 'template']);
  });

  it('shares nodes, so that a type that refers to itself is finite', () => {
    const crd = builtinSchema({ group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' });
    const props = at(crd, 'spec.versions.[].schema.openAPIV3Schema');
    assert.ok(props);
    assert.equal(at(props, 'properties.{}'), props);
  });
});

describe('builtinKinds', () => {
  it('tells resource, scope and subresources of each kind', () => {
    const kinds = builtinKinds();
    const find = (kind: string) => kinds.find((one) => one.kind === kind);
    assert.deepEqual(find('Deployment'), {
      group: 'apps',
      version: 'v1',
      kind: 'Deployment',
      resource: 'deployments',
      namespaced: true,
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      subresources: ['scale', 'status'],
    });
    assert.equal(find('Node')?.namespaced, false);
    assert.equal(find('Scale')?.resource, undefined);
  });

  it('every type of every kind can be expanded', () => {
    const seen = new Set<Schema>();
    const visit = (schema: Schema): void => {
      if (seen.has(schema)) return;
      seen.add(schema);
      for (const property of Object.values(schema.properties ?? {})) visit(property);
      if (schema.items) visit(schema.items);
      if (typeof schema.additionalProperties === 'object') visit(schema.additionalProperties);
    };
    for (const kind of builtinKinds()) visit(builtinSchema(kind) ?? assert.fail(kind.kind));
    assert.ok(seen.size > 1000);
  });
});
