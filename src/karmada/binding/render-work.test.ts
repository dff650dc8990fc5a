import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BindingSpec, ResourceBinding, TargetCluster, Work } from '#karmada/apis/index.ts';
import { chain, nativeInterpreter } from '#karmada/interpreter/index.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { mergedWork, type RenderDeps, renderWork } from './render-work.ts';

const template: KubeObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'shop', uid: 'u1', generation: 3, resourceVersion: '9', labels: { app: 'web' } },
  spec: { replicas: 6, template: { spec: { containers: [] } } },
  status: { replicas: 6 },
};

function binding(spec: Partial<BindingSpec> = {}): ResourceBinding {
  return {
    apiVersion: 'work.karmada.io/v1alpha2',
    kind: 'ResourceBinding',
    metadata: {
      name: 'web-deployment',
      namespace: 'shop',
      labels: { 'resourcebinding.karmada.io/permanent-id': 'rb1' },
    },
    spec: {
      resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' },
      replicas: 6,
      clusters: [
        { name: 'm1', replicas: 4 },
        { name: 'm2', replicas: 2 },
      ],
      ...spec,
    },
  };
}

const deps: RenderDeps = {
  interpreter: chain(nativeInterpreter),
  overrides: (object) => ({ object, applied: { rules: [], annotations: {} } }),
};
const target: TargetCluster = { name: 'm1', replicas: 4 };

async function render(from: ResourceBinding, of = template, to = target, how = deps): Promise<Work> {
  const { work } = await renderWork(how, from, of, to);
  return work;
}

function manifest(work: Work): KubeObject {
  const [first] = work.spec.workload?.manifests ?? [];
  assert.ok(first);
  return first;
}

describe('a rendered Work', () => {
  it('carries the object with its share of replicas, and nothing that belongs to the control plane', async () => {
    const object = manifest(await render(binding()));
    assert.deepEqual((object['spec'] as { replicas: number }).replicas, 4);
    assert.equal(object['status'], undefined);
    const { uid, resourceVersion, generation } = object.metadata;
    assert.deepEqual([uid, resourceVersion, generation], [undefined, undefined, undefined]);
  });

  it('says where the object comes from, on itself and on the object', async () => {
    const work = await render(binding());
    assert.deepEqual(work.metadata.annotations, {
      'resourcebinding.karmada.io/namespace': 'shop',
      'resourcebinding.karmada.io/name': 'web-deployment',
      'work.karmada.io/conflict-resolution': 'abort',
    });
    assert.deepEqual(manifest(work).metadata.labels, {
      app: 'web',
      'karmada.io/managed': 'true',
      'resourcebinding.karmada.io/permanent-id': 'rb1',
    });
    assert.deepEqual(manifest(work).metadata.annotations, {
      'resourcebinding.karmada.io/namespace': 'shop',
      'resourcebinding.karmada.io/name': 'web-deployment',
      'resourcetemplate.karmada.io/generation': '3',
      'resourcetemplate.karmada.io/uid': 'u1',
      'work.karmada.io/name': work.metadata.name,
      'work.karmada.io/namespace': 'karmada-es-m1',
      'work.karmada.io/conflict-resolution': 'abort',
    });
  });

  const suspended: [because: string, suspension: BindingSpec['suspension'], held: boolean][] = [
    ['not at all', undefined, false],
    ['everywhere', { dispatching: true }, true],
    ['in this cluster', { dispatchingOnClusters: { clusterNames: ['m1'] } }, true],
    ['in another cluster', { dispatchingOnClusters: { clusterNames: ['m2'] } }, false],
  ];
  for (const [because, suspension, held] of suspended) {
    it(`is held back where dispatching is suspended: ${because}`, async () => {
      const work = await render(binding(suspension ? { suspension } : {}));
      assert.equal(work.spec.suspendDispatching, held);
    });
  }

  it('takes the word of the template about conflicts before that of the policy', async () => {
    const annotations = { 'work.karmada.io/conflict-resolution': 'abort' };
    const careful = { ...template, metadata: { ...template.metadata, annotations } };
    const bold = binding({ conflictResolution: 'Overwrite' });
    const word = async (of: KubeObject) =>
      (await render(bold, of)).metadata.annotations?.['work.karmada.io/conflict-resolution'];
    assert.deepEqual([await word(template), await word(careful)], ['overwrite', 'abort']);
  });

  it('divides the completions of a Job as its replicas are divided', async () => {
    const job: KubeObject = {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'sum', namespace: 'shop', uid: 'u2' },
      spec: { parallelism: 6, completions: 9, template: { spec: { containers: [] } } },
    };
    const divided = binding({ placement: { replicaScheduling: { replicaSchedulingType: 'Divided' } } });
    const completions = async (to: TargetCluster) =>
      (manifest(await render(divided, job, to))['spec'] as { completions: number }).completions;
    assert.deepEqual(
      [await completions({ name: 'm1', replicas: 4 }), await completions({ name: 'm2', replicas: 2 })],
      [6, 3],
    );
    const duplicated = manifest(await render(binding(), job));
    assert.equal((duplicated['spec'] as { completions: number }).completions, 9);
  });

  it('hands preserved labels to the one place an application moved to', async () => {
    const task = {
      fromCluster: 'm1',
      purgeMode: 'Directly',
      reason: '',
      producer: '',
      preservedLabelState: { step: '7' },
      clustersBeforeFailover: ['m1'],
    } as const;
    const moved = binding({ clusters: [{ name: 'm2', replicas: 6 }], gracefulEvictionTasks: [task] });
    const label = async (statefulFailover: boolean) =>
      manifest(await render(moved, template, { name: 'm2', replicas: 6 }, { ...deps, statefulFailover })).metadata
        .labels?.['step'];
    assert.deepEqual([await label(true), await label(false)], ['7', undefined]);
  });

  it('laid over the Work there is keeps its marks and replaces its manifest', async () => {
    const desired = await renderWork(deps, binding(), template, target);
    const existing: Work = {
      ...(await render(binding())),
      metadata: {
        name: desired.work.metadata.name,
        namespace: 'karmada-es-m1',
        labels: { mine: 'kept', 'work.karmada.io/permanent-id': 'w1' },
        finalizers: ['other'],
      },
    };
    const merged: Work = mergedWork(existing, desired.work);
    assert.equal(merged.metadata.labels?.['mine'], 'kept');
    assert.deepEqual(merged.metadata.finalizers, ['other', 'karmada.io/execution-controller']);
    const { labels, annotations } = manifest(merged).metadata;
    assert.equal(labels?.['work.karmada.io/permanent-id'], 'w1');
    assert.equal(
      annotations?.['resourcetemplate.karmada.io/managed-labels'],
      'app,karmada.io/managed,resourcebinding.karmada.io/permanent-id,work.karmada.io/permanent-id',
    );
  });
});
