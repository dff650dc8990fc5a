import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ResourceBinding, Work } from '#karmada/apis/index.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { nativeInterpreter, prune } from './index.ts';
import { recordedObjects } from './testing.ts';

/** The Deployments recorded: the template first, then what the members m1 and m2 have. */
const objects = recordedObjects();
const [template, onM1, onM2] = objects.filter(({ kind }) => kind === 'Deployment') as [
  KubeObject,
  KubeObject,
  KubeObject,
];
const binding = objects.find(({ kind }) => kind === 'ResourceBinding') as ResourceBinding;
const works = objects.filter(({ kind }) => kind === 'Work') as Work[];

describe('what was recorded of real Karmada', () => {
  it('has the replicas and requirements that were read from the template', () => {
    const { replicas, requirements } = nativeInterpreter.replicas(template);
    assert.equal(replicas, binding.spec.replicas);
    assert.equal(requirements, binding.spec.replicaRequirements);
  });

  for (const [name, member] of [
    ['m1', onM1],
    ['m2', onM2],
  ] as const) {
    const reported = binding.status?.aggregatedStatus?.find(({ clusterName }) => clusterName === name);

    it(`sends up the status of ${name} as it was sent up`, () =>
      assert.deepEqual(nativeInterpreter.reflectStatus(member), reported?.status));

    it(`finds ${name} as healthy as it was found`, () =>
      assert.equal(nativeInterpreter.health(member), reported?.health));

    it(`renders the manifest for ${name} but for what binding and overrides add`, () => {
      const work = works.find(({ metadata }) => metadata.namespace === `karmada-es-${name}`);
      const manifest = work?.spec.workload?.manifests?.[0] ?? template;
      const replicas = binding.spec.clusters?.find((target) => target.name === name)?.replicas ?? 0;
      const rendered = prune(nativeInterpreter.reviseReplica(template, replicas));
      assert.deepEqual(withoutImage(rendered), withoutImage({ ...manifest, metadata: rendered.metadata }));
    });
  }

  it('aggregates to the status the template had', () => {
    const { status: _, ...fresh } = template;
    const aggregated = nativeInterpreter.aggregateStatus(fresh, binding.status?.aggregatedStatus ?? []);
    assert.deepEqual(aggregated['status'], template['status']);
  });

  it('is left as it is when nothing is new', () =>
    assert.equal(nativeInterpreter.aggregateStatus(template, binding.status?.aggregatedStatus ?? []), template));
});

/** The recorded override changed the image, which is no matter of the interpreter's. */
function withoutImage(object: KubeObject): unknown {
  return JSON.parse(JSON.stringify(object).replaceAll('reg.example/', ''));
}
