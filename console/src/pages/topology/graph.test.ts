import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Binding, Thing } from '../../api/objects.ts';
import { type Copy, type GraphFacts, graphOf, podLabels } from './graph.ts';

const template: Thing = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {
    name: 'web',
    namespace: 'shop',
    annotations: { 'propagationpolicy.karmada.io/name': 'web', 'propagationpolicy.karmada.io/namespace': 'shop' },
  },
  spec: { selector: { matchLabels: { app: 'web', tier: 'front' } } },
};
const bindingOn = (...clusters: readonly string[]): Binding => ({
  metadata: { name: 'web-deployment', namespace: 'shop' },
  spec: { clusters: clusters.map((name) => ({ name, replicas: 1 })), replicas: clusters.length },
  status: { conditions: [{ type: 'Scheduled', status: 'True' }] },
});
const workIn = (cluster: string, status: string, message = ''): Thing => ({
  apiVersion: 'work.karmada.io/v1alpha1',
  kind: 'Work',
  metadata: { name: 'web-1', namespace: `karmada-es-${cluster}` },
  status: { conditions: [{ type: 'Applied', status, message }] },
});
const podsIn = (cluster: string, count: number): readonly Copy[] =>
  Array.from({ length: count }, (_, index) => ({
    cluster,
    object: {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: `web-${cluster}-${index}` },
      status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
    },
  }));

const facts = (more: Partial<GraphFacts>): GraphFacts => ({
  template,
  binding: undefined,
  works: [],
  copies: [],
  pods: [],
  lost: new Set(),
  ...more,
});
const stages = (given: Partial<GraphFacts>) => graphOf(facts(given)).nodes.map(({ stage }) => stage);

describe('the graph of a propagation', () => {
  it('ends where the chain ends', () => {
    const { annotations: _, ...metadata } = template.metadata;
    assert.deepEqual(stages({ template: { ...template, metadata } }), ['template']);
    assert.deepEqual(stages({}), ['template', 'policy']);
    assert.deepEqual(stages({ binding: bindingOn() }), ['template', 'policy', 'binding']);
  });

  it('goes on in each cluster, and every edge has its ends', () => {
    const { nodes, edges } = graphOf(
      facts({
        binding: bindingOn('a', 'b'),
        works: [workIn('a', 'True'), workIn('b', 'False', 'refused')],
        pods: podsIn('a', 2),
      }),
    );
    const ids = new Set(nodes.map(({ id }) => id));
    assert.ok(edges.every(({ from, to }) => ids.has(from) && ids.has(to)));
    assert.equal(edges.length, nodes.length - 1);
    const refused = nodes.find(({ id }) => id === 'work/b');
    assert.deepEqual([refused?.state, refused?.note], ['blocked', 'refused']);
    assert.equal(nodes.filter(({ stage }) => stage === 'pod').length, 2);
  });

  it('still shows a cluster that is being left', () => {
    const { nodes } = graphOf(facts({ binding: bindingOn('a'), works: [workIn('a', 'True'), workIn('gone', 'True')] }));
    assert.ok(nodes.some(({ id }) => id === 'work/gone'));
  });

  it('knows nothing of what is in a cluster that does not answer', () => {
    const { nodes } = graphOf(
      facts({
        binding: bindingOn('a', 'b'),
        works: [workIn('a', 'True'), workIn('b', 'True')],
        pods: [...podsIn('a', 1), ...podsIn('b', 1)],
        lost: new Set(['a']),
      }),
    );
    const of = (cluster: string) => nodes.filter((node) => node.cluster === cluster).map(({ state }) => state);
    assert.deepEqual(of('a'), ['unknown', 'unknown', 'unknown']);
    assert.ok(!of('b').includes('unknown'));
    assert.equal(nodes.find(({ id }) => id === 'object/a')?.note, '?/1');
  });

  it('tells many pods by their count, so that twenty clusters can be read', () => {
    const clusters = Array.from({ length: 20 }, (_, index) => `c${index}`);
    const { nodes } = graphOf(
      facts({ binding: bindingOn(...clusters), pods: clusters.flatMap((name) => podsIn(name, 5)) }),
    );
    const pods = nodes.filter(({ stage }) => stage === 'pod');
    assert.equal(pods.length, 20);
    assert.ok(pods.every(({ title, state }) => title === '5/5' && state === 'healthy'));
  });
});

describe('pods of a template', () => {
  it('are found by its selector, and those of jobs by their job', () => {
    assert.deepEqual(podLabels(template), ['app=web', 'tier=front']);
    assert.deepEqual(podLabels({ ...template, kind: 'Job' }), ['batch.kubernetes.io/job-name=web']);
    assert.deepEqual(podLabels({ ...template, spec: {} }), []);
  });
});
