/** A kind nobody knows, taught by a customisation: divided, applied, reported, kept as members want it. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import {
  type Customizations,
  PROPAGATION_POLICY,
  RESOURCE_BINDING,
  RESOURCE_INTERPRETER_CUSTOMIZATION,
  type ResourceBinding,
} from '#karmada/apis/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { Gvr } from '#kube/meta/gvk.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { eventually, sharedPlane, type Space, type TestPlane, testSpace } from './testing.ts';

const CRD: Gvr = { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' };
const WORKLOAD: Gvr = { group: 'example.io', version: 'v1', resource: 'workloads' };

interface Workload extends KubeObject {
  readonly spec: { readonly replicas: number; readonly paused?: boolean };
  readonly status?: { readonly ready?: number };
}

const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'workloads.example.io' },
  spec: {
    group: 'example.io',
    scope: 'Namespaced',
    names: { plural: 'workloads', kind: 'Workload' },
    versions: [
      { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: anything }, subresources: { status: {} } },
    ],
  },
};

const scripts: Customizations = {
  replicaResource: {
    luaScript: 'function GetReplicas(o) return o.spec.replicas, { resourceRequest = { cpu = "100m" } } end',
  },
  replicaRevision: { luaScript: 'function ReviseReplica(o, n) o.spec.replicas = n return o end' },
  retention: {
    luaScript: 'function Retain(desired, observed) desired.spec.paused = observed.spec.paused return desired end',
  },
  statusReflection: { luaScript: 'function ReflectStatus(o) return { ready = (o.status or {}).ready } end' },
  healthInterpretation: {
    luaScript: 'function InterpretHealth(o) return (o.status or {}).ready == o.spec.replicas end',
  },
  statusAggregation: {
    luaScript: `function AggregateStatus(o, items)
      local ready = 0
      for i = 1, #(items or {}) do ready = ready + ((items[i].status or {}).ready or 0) end
      o.status = { ready = ready }
      return o
    end`,
  },
};

function customization(name: string, customizations: Customizations): KubeObject {
  const { apiVersion, kind } = RESOURCE_INTERPRETER_CUSTOMIZATION;
  return {
    apiVersion,
    kind,
    metadata: { name },
    spec: { target: { apiVersion: 'example.io/v1', kind: 'Workload' }, customizations },
  };
}

async function define(client: KubeClient): Promise<void> {
  await client.create(CRD, definition);
  await eventually(() => client.list(WORKLOAD), 'workloads to be served');
}

describe('a customised kind', () => {
  const shared = sharedPlane();
  let plane: TestPlane;
  let space: Space;

  before(async () => {
    plane = await shared();
    space = await testSpace(plane);
    await Promise.all([plane.client, plane.member('m1').client, plane.member('m2').client].map(define));
    await plane.client.create(RESOURCE_INTERPRETER_CUSTOMIZATION, customization('workload', scripts));
    const replicaScheduling = {
      replicaSchedulingType: 'Divided' as const,
      replicaDivisionPreference: 'Weighted' as const,
      weightPreference: {
        staticWeightList: [
          { targetCluster: { clusterNames: ['m1'] }, weight: 2 },
          { targetCluster: { clusterNames: ['m2'] }, weight: 1 },
        ],
      },
    };
    const resourceSelectors = [{ apiVersion: 'example.io/v1', kind: 'Workload' }];
    const placement = { clusterAffinity: { clusterNames: ['m1', 'm2'] }, replicaScheduling };
    await plane.client.create(PROPAGATION_POLICY, space.policy('p', { resourceSelectors, placement }));
    const metadata = { name: 'w', namespace: space.namespace };
    await plane.client.create(WORKLOAD, {
      apiVersion: 'example.io/v1',
      kind: 'Workload',
      metadata,
      spec: { replicas: 6 },
    });
  });

  it('has its replicas divided', async () => {
    const has = (replicas: number) => (workload: Workload) => workload.spec.replicas === replicas;
    await space.appears<Workload>(WORKLOAD, 'w', 'm1', has(4));
    await space.appears<Workload>(WORKLOAD, 'w', 'm2', has(2));
    const { spec } = await plane.client.get<ResourceBinding>(RESOURCE_BINDING, space.key('w-workload'));
    assert.equal(spec.replicas, 6);
    assert.deepEqual(spec.replicaRequirements, { resourceRequest: { cpu: '100m' } });
  });

  it('tells its health and its status', async () => {
    for (const [member, ready] of [
      ['m1', 4],
      ['m2', 1],
    ] as const) {
      const { client } = plane.member(member);
      const object = await client.get<Workload>(WORKLOAD, space.key('w'));
      await client.update(WORKLOAD, { ...object, status: { ready } }, { subresource: 'status' });
    }
    await space.appears<Workload>(WORKLOAD, 'w', undefined, ({ status }) => status?.ready === 5);
    const told = await eventually(async () => {
      const { status } = await plane.client.get<ResourceBinding>(RESOURCE_BINDING, space.key('w-workload'));
      const health = status?.aggregatedStatus?.map((item) => item.health) ?? [];
      return health.includes('Healthy') ? health : undefined;
    }, 'a healthy one');
    assert.deepEqual(told, ['Healthy', 'Unhealthy']);
  });

  it('keeps what belongs to the member', async () => {
    const { client } = plane.member('m1');
    const there = await client.get<Workload>(WORKLOAD, space.key('w'));
    await client.update(WORKLOAD, { ...there, spec: { ...there.spec, paused: true } });
    const template = await plane.client.get<Workload>(WORKLOAD, space.key('w'));
    await plane.client.update(WORKLOAD, { ...template, spec: { ...template.spec, replicas: 9 } });
    const revised = await space.appears<Workload>(WORKLOAD, 'w', 'm1', ({ spec }) => spec.replicas === 6);
    assert.equal(revised.spec.paused, true);
  });

  it('is taught by nobody a second time, nor by what is no Lua', async () => {
    const refused = (name: string, customizations: Customizations, message: RegExp) =>
      assert.rejects(plane.client.create(RESOURCE_INTERPRETER_CUSTOMIZATION, customization(name, customizations)), {
        message,
      });
    await refused(
      'again',
      scripts,
      /conflicting with InterpreterOperation\(Retain\) of existing ResourceInterpreterCustomization\(workload\)/,
    );
    await refused(
      'broken',
      { dependencyInterpretation: { luaScript: 'function' } },
      /InterpreterOperation\(InterpretDependency\) Lua script error: line 1/,
    );
  });
});
