import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { karmadaCrds } from './index.ts';
import type { CrdSchema } from '#kube/crds/schema.ts';

/** The schema at a path of property names; `[]` steps into a list. */
function at(crd: string, path: string): CrdSchema {
  const found = karmadaCrds().find(({ metadata }) => metadata.name === crd);
  let node = found?.spec.versions[0]?.schema.openAPIV3Schema;
  for (const step of path.split('.')) node = step === '[]' ? node?.items : node?.properties?.[step];
  assert.ok(node, `${crd} has no ${path}`);
  return node;
}

/** Every node of every schema. */
function* nodes(schema: CrdSchema, path: string): Generator<[string, CrdSchema]> {
  yield [path, schema];
  for (const [name, child] of Object.entries(schema.properties ?? {})) yield* nodes(child, `${path}.${name}`);
  if (schema.items) yield* nodes(schema.items, `${path}[]`);
  if (schema.additionalProperties) yield* nodes(schema.additionalProperties, `${path}{}`);
}

describe('the CRDs', () => {
  it('have structural schemas: every node has a type or says that it has none', () => {
    for (const crd of karmadaCrds()) {
      for (const [path, node] of nodes(crd.spec.versions[0]?.schema.openAPIV3Schema ?? {}, crd.metadata.name)) {
        const typed = node.type ?? node['x-kubernetes-int-or-string'] ?? node['x-kubernetes-preserve-unknown-fields'];
        assert.ok(typed !== undefined, path);
        for (const name of node.required ?? []) assert.ok(node.properties?.[name], `${path} requires unknown ${name}`);
      }
    }
  });

  it('are named after their plural and group, stored in their first version, and served in all', () => {
    for (const { metadata, spec } of karmadaCrds()) {
      assert.equal(metadata.name, `${spec.names.plural}.${spec.group}`);
      assert.deepEqual(
        spec.versions.map(({ served, storage }) => [served, storage]),
        spec.versions.map((_, index) => [true, index === 0]),
      );
    }
  });

  it('explain themselves: every spec has a description for the kind and for placement', () => {
    assert.ok(at('propagationpolicies.policy.karmada.io', 'spec.placement').description);
    for (const { metadata, spec } of karmadaCrds()) {
      assert.ok(spec.versions[0]?.schema.openAPIV3Schema.description, metadata.name);
    }
  });

  it('give policies their defaults', () => {
    const policy = 'propagationpolicies.policy.karmada.io';
    const defaults = ['priority', 'preemption', 'schedulerName', 'conflictResolution'].map(
      (field) => at(policy, `spec.${field}`).default,
    );
    assert.deepEqual(defaults, [0, 'Never', 'default-scheduler', 'Abort']);
    assert.equal(at(policy, 'spec.placement.replicaScheduling.replicaSchedulingType').default, 'Divided');
    assert.equal(at(policy, 'spec.failover.application.decisionConditions.tolerationSeconds').default, 300);
  });

  it('inline the affinity of a group next to its name', () => {
    const group = at('resourcebindings.work.karmada.io', 'spec.placement.clusterAffinities.[]');
    assert.deepEqual(group.required, ['affinityName']);
    assert.ok(group.properties?.['clusterNames']);
  });

  it('keep whatever a manifest or a member status holds', () => {
    const manifest = at('works.work.karmada.io', 'spec.workload.manifests.[]');
    assert.equal(manifest['x-kubernetes-preserve-unknown-fields'], true);
    const status = at('resourcebindings.work.karmada.io', 'status.aggregatedStatus.[].status');
    assert.equal(status['x-kubernetes-preserve-unknown-fields'], true);
  });
});
