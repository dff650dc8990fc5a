import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ANNOTATIONS, type AnyBinding, LABELS, type PropagationPolicy } from '#karmada/apis/index.ts';
import { desiredBinding } from '#karmada/detector/build-binding.ts';
import { claimed } from '#karmada/detector/claim.ts';
import { nativeInterpreter } from '#karmada/interpreter/index.ts';
import { appliedPlacement } from '#karmada/scheduler/index.ts';
import { cluster } from '#karmada/scheduler/testing.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { type DisruptionInput, disruptionOf } from './disruption.ts';
import { pathChanges } from './path-changes.ts';
import { simulate } from './simulate.ts';
import { type Change, idOf, referenceOf, type World } from './world.ts';

const policy: PropagationPolicy = {
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'PropagationPolicy',
  metadata: { name: 'p', namespace: 'default', labels: { [LABELS.propagationPolicyId]: 'id' } },
  spec: { resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default' }], placement: {} },
};

const template = (name: string): KubeObject =>
  claimed(
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name, namespace: 'default', uid: name },
      spec: { replicas: 2, template: { spec: { containers: [{ name: 'main', image: 'nginx' }] } } },
    },
    policy,
  );

function placed(object: KubeObject, clusters: readonly string[]): AnyBinding {
  const binding = desiredBinding({ template: object, policy, demand: { replicas: 2 } });
  binding.metadata.labels = { ...binding.metadata.labels, [LABELS.bindingId]: 'b' };
  binding.metadata.annotations = {
    ...binding.metadata.annotations,
    [ANNOTATIONS.appliedPlacement]: appliedPlacement({}),
  };
  return { ...binding, spec: { ...binding.spec, clusters: clusters.map((name) => ({ name, replicas: 2 })) } };
}

/** So many Deployments, each on all clusters. */
function worldOf(count: number, names: readonly string[] = ['m1', 'm2']): World {
  const templates = Array.from({ length: count }, (_, at) => template(`t${at}`));
  const byId = new Map(templates.map((each) => [idOf(referenceOf(each)), each]));
  return {
    clusters: names.map((name) => cluster(name)),
    bindings: templates.map((each) => placed(each, names)),
    policies: [policy],
    clusterPolicies: [],
    overridePolicies: [],
    clusterOverridePolicies: [],
    template: (reference) => byId.get(idOf(reference)),
    selected: () => templates,
  };
}

const nothing: Change = { applied: [], removed: [], clusters: [], lost: [] };
const common = { interpreter: nativeInterpreter, now: 0 };

describe('simulate', () => {
  it('of nothing changes nothing, and looks at nothing', async () => {
    const { summary, bindings } = await simulate({ ...common, world: worldOf(3), change: nothing });
    assert.deepEqual([summary.bindings, bindings], [0, []]);
  });

  it('lets others have a turn between any two bindings', async () => {
    let turns = 0;
    const breathe = () => {
      turns++;
      return undefined;
    };
    const change = { ...nothing, lost: ['m2'] };
    const { summary } = await simulate({ ...common, world: worldOf(250), change, breathe });
    assert.equal(summary.bindings, 250);
    assert.ok(turns >= 2 * 250, `${turns} turns`);
  });

  it('counts replicas, and not the copies of what has none', async () => {
    const world = worldOf(1, ['m1', 'm2']);
    const settings = claimed(
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings', namespace: 'default', uid: 's' } },
      policy,
    );
    const { spec, ...binding } = placed(settings, []);
    const { replicas: _, ...rest } = spec;
    const copies = { ...binding, spec: { ...rest, clusters: [{ name: 'm1' }, { name: 'm2' }] } };
    const byId = (reference: Parameters<World['template']>[0]) =>
      idOf(reference) === idOf(referenceOf(settings)) ? settings : world.template(reference);
    const { summary, bindings } = await simulate({
      ...common,
      world: { ...world, bindings: [...world.bindings, copies], template: byId },
      change: { ...nothing, lost: ['m2'] },
    });
    assert.deepEqual([summary.bindings, summary.changed], [2, 2]);
    assert.ok(bindings.every(({ moves }) => moves.length > 0));
    assert.deepEqual([summary.moved, summary.started, summary.stopped], [0, 0, 2]);
  });

  it('leaves out the bulk of an answer that would be too large, and says so', async () => {
    const world = worldOf(1_010);
    const { bindings, abridged } = await simulate({ ...common, world, change: { ...nothing, lost: ['m2'] } });
    assert.deepEqual([bindings.length, abridged], [1_010, 10]);
    assert.ok(bindings[0]?.explanation && !bindings.at(-1)?.explanation);
  });

  it('changes nothing in the world it was given', async () => {
    const world = worldOf(3);
    const before = structuredClone([world.bindings, world.clusters]);
    await simulate({
      ...common,
      world,
      change: { ...nothing, lost: ['m1'], applied: [{ ...policy, spec: { ...policy.spec, priority: 3 } }] },
    });
    assert.deepEqual([world.bindings, world.clusters], before);
  });
});

describe('the difference of two manifests', () => {
  const of = (spec: object, metadata: object = {}, kind = 'Deployment'): KubeObject => ({
    apiVersion: kind === 'Secret' ? 'v1' : 'apps/v1',
    kind,
    metadata: { name: 'a', ...metadata },
    ...spec,
  });

  it('is told by path, with what was and what would be', () => {
    const before = of({ spec: { replicas: 1, gone: true, list: [{ a: 1 }, { a: 2 }] } });
    const after = of({ spec: { replicas: 2, 'new/~': 'x', list: [{ a: 1 }, { a: 3 }, { a: 4 }] } });
    assert.deepEqual(pathChanges(before, after), [
      { path: '/spec/replicas', old: 1, new: 2 },
      { path: '/spec/gone', old: true },
      { path: '/spec/list/1/a', old: 2, new: 3 },
      { path: '/spec/list/2', new: { a: 4 } },
      { path: '/spec/new~1~0', new: 'x' },
    ]);
  });

  it('is not about Karmada’s own marks, nor about status', () => {
    const marks = { labels: { 'karmada.io/managed': 'true' }, annotations: { 'work.karmada.io/name': 'x' } };
    assert.deepEqual(pathChanges(of({ status: 1 }), of({ status: 2 }, marks)), []);
  });

  it('hides the values of Secrets', () => {
    const [change] = pathChanges(of({ data: { a: 'b2xk' } }, {}, 'Secret'), of({ data: { a: 'bmV3' } }, {}, 'Secret'));
    assert.deepEqual(change, { path: '/data/a', old: '(hidden)', new: '(hidden)' });
  });
});

describe('the disruption of a change', () => {
  const binding = (clusters: Record<string, number>): AnyBinding => {
    const targets = Object.entries(clusters).map(([name, replicas]) => ({ name, replicas }));
    const replicas = targets.reduce((sum, each) => sum + each.replicas, 0);
    return { ...placed(template('a'), []), spec: { ...placed(template('a'), []).spec, replicas, clusters: targets } };
  };
  const remade = [{ cluster: 'm1', change: 'modified', paths: [{ path: '/spec/template/spec/x', new: 1 }] }] as const;
  const disruption = (
    before: Record<string, number>,
    after: Record<string, number>,
    { manifests = [], lost = new Set() }: Partial<Pick<DisruptionInput, 'manifests' | 'lost'>> = {},
  ) => {
    const found = disruptionOf({
      template: template('a'),
      before: binding(before),
      after: binding(after),
      manifests,
      lost,
    });
    assert.ok(found);
    return found;
  };

  it('counts what starts, stops and stays', () => {
    const { minimumAvailable, started, stopped, restarted } = disruption({ m1: 4, m2: 2 }, { m1: 1, m3: 5 });
    assert.deepEqual([minimumAvailable, started, stopped, restarted], [1, 5, 5, 0]);
  });

  it('counts pods that are made anew, a quarter of them at a time', () => {
    const { minimumAvailable, restarted } = disruption({ m1: 8 }, { m1: 8 }, { manifests: remade });
    assert.deepEqual([minimumAvailable, restarted], [6, 8]);
  });

  it('counts all copies of what is duplicated', () => {
    const copies = (names: readonly string[]): AnyBinding => {
      const { spec, ...rest } = binding({});
      return { ...rest, spec: { ...spec, replicas: 3, clusters: names.map((name) => ({ name, replicas: 3 })) } };
    };
    const found = disruptionOf({
      template: template('a'),
      before: copies(['m1', 'm2']),
      after: copies(['m2']),
      manifests: [],
      lost: new Set(['m1']),
    });
    const { replicas, stopped, minimumAvailable } = found ?? {};
    assert.deepEqual([replicas, stopped, minimumAvailable], [{ before: 6, after: 3 }, 3, 3]);
  });

  it('counts nothing that is lost', () => {
    const { minimumAvailable } = disruption({ m1: 2, m2: 2 }, { m1: 4 }, { lost: new Set(['m1']) });
    assert.equal(minimumAvailable, 0);
  });
});
