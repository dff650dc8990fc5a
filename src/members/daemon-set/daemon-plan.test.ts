import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DaemonSet, Node, Pod } from '#gen/kube/types.ts';
import { nodeNamed, podOf, readyPod } from '../testing.ts';
import { daemonPodSpec, daemonSetStatus, planDaemonSet, targetOf } from './daemon-plan.ts';

const NOW = Date.parse('2026-01-01T01:00:00Z');
const nodes = ['a', 'b', 'c'].map((name) => nodeNamed(name));

function set(rollingUpdate: object = { maxUnavailable: 1 }, podSpec: object = {}, type = 'RollingUpdate'): DaemonSet {
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'agent', generation: 1 },
    spec: {
      selector: {},
      template: { spec: { containers: [], ...podSpec } },
      updateStrategy: { type, ...(type === 'RollingUpdate' ? { rollingUpdate } : {}) },
    },
  };
}

const labels = (hash: string) => ({ labels: { 'controller-revision-hash': hash } });
const up = (node: string, hash = 'new', name = `${node}-${hash}`) =>
  readyPod(name, undefined, { spec: { nodeName: node }, metadata: labels(hash) });
const down = (node: string, hash = 'new') =>
  podOf(`${node}-${hash}`, { spec: { nodeName: node }, metadata: labels(hash), status: { phase: 'Running' } });

const told = (plan: ReturnType<typeof planDaemonSet>) => [
  ...plan.create.map((node) => `+${node}`),
  ...plan.remove.map(({ metadata }) => `-${metadata.name}`),
];

describe('a DaemonSet', () => {
  const tainted = nodeNamed('c', '8', { taints: [{ key: 'x', effect: 'NoSchedule' }] });
  const draining = nodeNamed('c', '8', { taints: [{ key: 'x', effect: 'NoExecute' }] });
  const sick = nodeNamed('c', '8', { taints: [{ key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' }] });
  const [a = nodeNamed('a'), b = nodeNamed('b')] = nodes;
  const cases: Array<[because: string, set: DaemonSet, nodes: Node[], pods: Pod[], does: string[]]> = [
    ['covers every node', set(), nodes, [up('b')], ['+a', '+c']],
    ['stays away from a tainted node', set(), [a, tainted], [up('a')], []],
    ['may stay on one that only refuses newcomers', set(), [a, tainted], [up('a'), up('c')], []],
    ['leaves one that lets nobody stay', set(), [a, draining], [up('a'), up('c')], ['-c-new']],
    ['is on sick nodes too', set(), [a, sick], [up('a')], ['+c']],
    [
      'follows its selector',
      set({}, { nodeSelector: { 'kubernetes.io/hostname': 'b' } }),
      [a, b],
      [up('a')],
      ['+b', '-a-new'],
    ],
    ['gives up pods of nodes that are gone', set(), [a], [up('a'), up('z')], ['-z-new']],
    ['keeps the oldest of two', set(), [a], [up('a'), up('a', 'new', 'twin')], ['-twin']],
    ['replaces what has failed', set(), [a], [{ ...up('a'), status: { phase: 'Failed' } }], ['-a-new']],
    ['replaces one outdated pod at a time', set(), nodes, [up('a', 'old'), up('b', 'old'), up('c', 'old')], ['-a-old']],
    ['waits for the one it replaced', set(), nodes, [up('a', 'old'), up('b', 'old'), down('c')], []],
    [
      'replaces what is down anyway at once',
      set(),
      nodes,
      [up('a', 'old'), down('b', 'old'), down('c', 'old')],
      ['-b-old', '-c-old'],
    ],
    [
      'replaces as many as it may',
      set({ maxUnavailable: '67%' }),
      nodes,
      [up('a', 'old'), up('b', 'old'), up('c', 'old')],
      ['-a-old', '-b-old', '-c-old'],
    ],
    [
      'leaves updates to others with OnDelete',
      set({}, {}, 'OnDelete'),
      nodes,
      [up('a', 'old'), up('b', 'old'), up('c', 'old')],
      [],
    ],
    [
      'makes new pods beside the old with surge',
      set({ maxSurge: 1, maxUnavailable: 0 }),
      nodes,
      [up('a', 'old'), up('b', 'old'), up('c', 'old')],
      ['+a'],
    ],
    [
      'then takes the old one away',
      set({ maxSurge: 1, maxUnavailable: 0 }),
      [a, b],
      [up('a', 'old'), up('a'), up('b', 'old')],
      ['+b', '-a-old'],
    ],
    [
      'waits for a surging pod',
      set({ maxSurge: 1, maxUnavailable: 0 }),
      [a, b],
      [up('a', 'old'), down('a'), up('b', 'old')],
      [],
    ],
  ];
  for (const [because, target, there, pods, does] of cases) {
    it(because, () => assert.deepEqual(told(planDaemonSet(target, there, pods, 'new', NOW)), does));
  }

  it('reports how many nodes it is on', () => {
    const status = daemonSetStatus(set(), [a, b, tainted], [up('a'), up('b', 'old'), up('c')], 'new', NOW);
    assert.deepEqual(status, {
      currentNumberScheduled: 2,
      numberMisscheduled: 1,
      desiredNumberScheduled: 2,
      numberReady: 2,
      observedGeneration: 1,
      updatedNumberScheduled: 1,
      numberAvailable: 2,
    });
  });

  it('ties a pod to its node and lets the scheduler bind it', () => {
    const required = { nodeSelectorTerms: [{ matchExpressions: [{ key: 'disk', operator: 'Exists' }] }] };
    const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } };
    const spec = daemonPodSpec({ containers: [], affinity }, 'b');
    assert.equal(targetOf(podOf('p', { spec })), 'b');
    const [term] = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
    assert.equal(term?.matchExpressions?.[0]?.key, 'disk');
  });
});
