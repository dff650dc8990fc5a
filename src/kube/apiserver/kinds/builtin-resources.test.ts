import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { builtinKinds } from '#kube/schema/index.ts';
import { builtinResources } from './builtin-resources.ts';
import { allCases } from './testing/cases/all-cases.ts';
import { changed, created, definitionOf, manifest } from './testing/lifecycle.ts';

const kinds = builtinResources();
const name = ({ group, version, kind }: { group: string; version: string; kind: string }) =>
  `${group}/${version} ${kind}`;

describe('builtinResources', () => {
  it('has every kind that Kubernetes stores', () => {
    const stored = builtinKinds().filter(
      ({ group, resource }) => resource !== undefined && !/^auth(entication|orization)\./.test(group),
    );
    assert.deepEqual(kinds.map(name).toSorted(), stored.map(name).toSorted());
  });

  it('gives each a schema, and columns to all that can be listed', () => {
    for (const kind of kinds) {
      assert.equal(kind.schema.type, 'object', name(kind));
      if (kind.verbs?.includes('list')) assert.ok(kind.columns.length > 0, name(kind));
    }
  });

  it('stores as another version only what another version stores', () => {
    for (const { storedAs } of kinds.filter((kind) => kind.storedAs)) {
      assert.ok(
        kinds.some(
          (one) =>
            one.group === storedAs?.group && one.version === storedAs.version && one.resource === storedAs.resource,
        ),
      );
    }
  });
});

describe('which kinds may be written how', () => {
  const listed = (has: (one: (typeof kinds)[number]) => boolean) =>
    [...new Set(kinds.filter(has).map(({ kind }) => kind))].toSorted();

  it('refuses a replacement without resourceVersion', () => {
    assert.deepEqual(
      listed(({ strategy }) => !strategy.unconditionalUpdate),
      [
        'APIService',
        'CSIDriver',
        'CSINode',
        'CSIStorageCapacity',
        'CustomResourceDefinition',
        'Lease',
        'MutatingWebhookConfiguration',
        'PodDisruptionBudget',
        'RuntimeClass',
        'ValidatingAdmissionPolicy',
        'ValidatingAdmissionPolicyBinding',
        'ValidatingWebhookConfiguration',
        'VolumeAttachment',
      ],
    );
  });

  it('creates by replacing what is not there', () => {
    assert.deepEqual(
      listed(({ strategy }) => strategy.createOnUpdate === true),
      [
        'ClusterRole',
        'ClusterRoleBinding',
        'Endpoints',
        'Event',
        'Lease',
        'LimitRange',
        'Role',
        'RoleBinding',
        'RuntimeClass',
        'Service',
      ],
    );
  });

  it('leaves the dependents of old kinds alone', () => {
    assert.deepEqual(
      listed(({ strategy }) => strategy.defaultPropagation === 'Orphan'),
      ['Job', 'ReplicationController'],
    );
  });
});

describe('status', () => {
  for (const { kind, apiVersion, least } of allCases) {
    const { strategy, schema } = definitionOf(kind, apiVersion);
    if (!strategy.hasStatus || kind === 'Node') continue;
    it(`of a ${kind} is not its creator's to write`, () => {
      const given = changed(least, { 'status/conditions': [{ type: 'Mine', status: 'True' }] });
      const { status } = created(definitionOf(kind, apiVersion), given) as { status?: { conditions?: unknown[] } };
      assert.ok(schema);
      assert.ok(!status?.conditions?.some((one) => (one as { type?: string }).type === 'Mine'));
    });
  }
});

describe('generation', () => {
  const cases: [kind: string, change: Record<string, unknown>, raised: boolean][] = [
    ['Deployment', { 'spec/replicas': 2 }, true],
    ['Deployment', { 'metadata/annotations': { a: 'b' } }, true],
    ['Deployment', { 'metadata/labels': { a: 'b' } }, false],
    ['EndpointSlice', { endpoints: [] }, true],
    ['EndpointSlice', { 'metadata/annotations': { a: 'b' } }, false],
    ['PriorityClass', { description: 'x' }, false],
  ];
  for (const [kind, change, raised] of cases) {
    it(`of a ${kind} ${raised ? 'rises' : 'stays'} with ${Object.keys(change).join()}`, () => {
      const { strategy } = definitionOf(kind);
      const old = manifest(definitionOf(kind), { spec: { replicas: 1 }, endpoints: [{ addresses: ['10.0.0.1'] }] });
      assert.ok(typeof strategy.generation === 'function');
      assert.equal(strategy.generation(changed(old, change), old), raised);
    });
  }

  it('of ConfigMaps, Secrets, Services and Namespaces does not exist', () => {
    for (const kind of ['ConfigMap', 'Secret', 'Service', 'Namespace']) {
      assert.equal(definitionOf(kind).strategy.generation, 'none');
    }
  });
});

describe('scale', () => {
  it('reads the selector of a workload as text', () => {
    const { scale } = definitionOf('Deployment');
    const object = manifest(definitionOf('Deployment'), { spec: { selector: { matchLabels: { a: 'b' } } } });
    assert.equal(scale?.selector?.(object), 'a=b');
    assert.deepEqual(
      [scale?.specReplicas, scale?.statusReplicas],
      [
        ['spec', 'replicas'],
        ['status', 'replicas'],
      ],
    );
  });

  it('reads the selector of a replication controller as text', () => {
    const definition = definitionOf('ReplicationController');
    assert.equal(definition.scale?.selector?.(manifest(definition, { spec: { selector: { a: 'b' } } })), 'a=b');
  });
});
