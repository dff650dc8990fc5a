import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import type { Node, Pod } from '#gen/kube/types.ts';
import { requestsOf } from '../pod-requests.ts';
import { nodeNamed, podOf } from '../testing.ts';
import { placePod } from './fit.ts';
import { ledger } from './ledger.ts';

const asking = (name: string, cpu: string | undefined, spec: object = {}, labels = {}): Pod =>
  podOf(name, {
    metadata: { labels },
    spec: { containers: [{ name: 'c', resources: cpu === undefined ? {} : { requests: { cpu } } }], ...spec },
  });

function place(pod: Pod, nodes: readonly Node[], running: readonly Pod[] = []) {
  const book = ledger();
  for (const node of nodes) book.setNode(node);
  for (const other of running) book.setPod(other);
  return placePod(pod, book.nodes());
}

const on = (nodeName: string) => ({ nodeName });

describe('placing a pod', () => {
  it('takes the node with the most room left', () => {
    assert.deepEqual(place(asking('p', '1'), [nodeNamed('small', '2'), nodeNamed('large', '8')]), { node: 'large' });
  });

  it('counts what already runs there', () => {
    const busy = asking('busy', '7', on('large'));
    assert.deepEqual(place(asking('p', '1'), [nodeNamed('small', '2'), nodeNamed('large', '8')], [busy]), {
      node: 'small',
    });
  });

  it('does not count what has ended', () => {
    const over = { ...asking('over', '8', on('a')), status: { phase: 'Succeeded' } };
    assert.deepEqual(place(asking('p', '8'), [nodeNamed('a', '8')], [over]), { node: 'a' });
  });

  it('spreads pods that ask for nothing', () => {
    const running = [asking('q', undefined, on('a'))];
    assert.deepEqual(place(asking('p', undefined), [nodeNamed('a'), nodeNamed('b')], running), { node: 'b' });
  });

  it('spreads the pods of one owner, even onto smaller nodes', () => {
    const ownerReferences = [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'o', controller: true }];
    const mine = (name: string, spec: object) => podOf(name, { metadata: { ownerReferences }, spec });
    const nodes = [nodeNamed('large', '64'), nodeNamed('small', '2')];
    assert.deepEqual(place(mine('p', {}), nodes, [mine('q', on('large'))]), { node: 'small' });
  });

  it('prefers the nodes it is told to prefer', () => {
    const preference = { matchExpressions: [{ key: 'disk', operator: 'In', values: ['ssd'] }] };
    const affinity = { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference }] } };
    const nodes = [nodeNamed('large', '64'), nodeNamed('fast', '2', {}, { disk: 'ssd' })];
    assert.deepEqual(place(asking('p', '1', { affinity }), nodes), { node: 'fast' });
  });
});

describe('a pod that fits nowhere', () => {
  const gpu = { key: 'gpu', value: 'yes', effect: 'NoSchedule' };
  const term = { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'web' } } };
  const alone = { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } };
  const together = { affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } };
  const ports = (name: string, spec: object) =>
    podOf(name, { spec: { containers: [{ name: 'c', ports: [{ hostPort: 80 }] }], ...spec } });
  const spread = {
    topologySpreadConstraints: [{ ...term, maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' }],
  };
  const cases: Array<[because: string, pod: Pod, node: Node, running: Pod[], reason: string, hopeless?: true]> = [
    ['too little cpu', asking('p', '9'), nodeNamed('a'), [], 'Insufficient cpu', true],
    ['no cpu left', asking('p', '5'), nodeNamed('a'), [asking('q', '5', on('a'))], 'Insufficient cpu'],
    [
      'cordoned',
      asking('p', '1'),
      nodeNamed('a', '8', { unschedulable: true }),
      [],
      'node(s) were unschedulable',
      true,
    ],
    ['tainted', asking('p', '1'), nodeNamed('a', '8', { taints: [gpu] }), [], 'node(s) had untolerated taint(s)', true],
    [
      'unlike its selector',
      asking('p', '1', { nodeSelector: { x: 'y' } }),
      nodeNamed('a'),
      [],
      "node(s) didn't match Pod's node affinity/selector",
      true,
    ],
    [
      'full',
      asking('p', undefined),
      nodeNamed('a'),
      ['1', '2', '3'].map((n) => asking(n, undefined, on('a'))),
      'Too many pods',
    ],
    [
      'port taken',
      ports('p', {}),
      nodeNamed('a'),
      [ports('q', on('a'))],
      "node(s) didn't have free ports for the requested pod ports",
    ],
    [
      'wants to be alone',
      asking('p', '1', alone),
      nodeNamed('a'),
      [asking('q', '1', on('a'), { app: 'web' })],
      "node(s) didn't match pod anti-affinity rules",
    ],
    [
      'is not wanted',
      asking('p', '1', {}, { app: 'web' }),
      nodeNamed('a'),
      [asking('q', '1', { ...alone, ...on('a') })],
      "node(s) didn't satisfy existing pods anti-affinity rules",
    ],
    ['has no company', asking('p', '1', together), nodeNamed('a'), [], "node(s) didn't match pod affinity rules"],
  ];
  for (const [because, pod, node, running, reason, hopeless] of cases) {
    it(`is told why: ${because}`, () => {
      const preemption = hopeless
        ? 'Preemption is not helpful for scheduling'
        : 'No preemption victims found for incoming pod';
      assert.deepEqual(place(pod, [node], running), {
        unschedulable: `0/1 nodes are available: 1 ${reason}. preemption: 0/1 nodes are available: 1 ${preemption}.`,
      });
    });
  }

  it('is told that there are no nodes', () => {
    assert.deepEqual(place(asking('p', '1'), []), { unschedulable: 'no nodes available to schedule pods' });
  });

  it('a toleration lets a taint pass, the first of a group may start it, a spread goes where fewer are', () => {
    const tainted = nodeNamed('b', '8', { taints: [gpu] });
    assert.deepEqual(place(asking('p', '1', { tolerations: [{ key: 'gpu', operator: 'Exists' }] }), [tainted]), {
      node: 'b',
    });
    assert.deepEqual(place(asking('p', '1', together, { app: 'web' }), [nodeNamed('a')]), { node: 'a' });
    const running = [asking('q', '1', on('a'), { app: 'web' })];
    const nodes = [nodeNamed('a', '64'), nodeNamed('b', '2')];
    assert.deepEqual(place(asking('p', '1', spread, { app: 'web' }), nodes, running), { node: 'b' });
    const full = asking('r', '2', on('b'));
    assert.match(
      JSON.stringify(place(asking('p', '1', spread, { app: 'web' }), nodes, [...running, full])),
      /1 Insufficient cpu, 1 node\(s\) didn't match pod topology spread constraints\./,
    );
  });
});

describe('what a pod asks for', () => {
  const requests = (cpu: string, more: object = {}) => ({ name: cpu, resources: { requests: { cpu } }, ...more });
  const cases: Array<[because: string, spec: object, cpu: number]> = [
    ['its containers together', { containers: [requests('100m'), requests('200m')] }, 300],
    ['an init container that needs more', { containers: [requests('100m')], initContainers: [requests('1')] }, 1000],
    [
      'a sidecar besides',
      { containers: [requests('1')], initContainers: [requests('100m', { restartPolicy: 'Always' }), requests('1')] },
      1100,
    ],
    ['its overhead', { containers: [requests('1')], overhead: { cpu: '50m' } }, 1050],
    ['what is said for the whole pod', { containers: [requests('1')], resources: { requests: { cpu: '3' } } }, 3000],
  ];
  for (const [because, spec, cpu] of cases) {
    it(`is ${because}`, () => assert.deepEqual(requestsOf(podOf('p', { spec })), { cpu }));
  }
});

describe('the ledger', () => {
  it('says the same as counting everything again, whatever happened before', () => {
    const change = fc.record({ pod: fc.nat(9), node: fc.nat(3), cpu: fc.integer({ min: 1, max: 4 }), what: fc.nat(4) });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
        const book = ledger();
        const pods = new Map<string, Pod>();
        const nodes = new Map<string, Node>();
        for (const { pod, node, cpu, what } of changes) {
          const name = `n${node}`;
          const stored = asking(`p${pod}`, String(cpu), on(name));
          if (what === 0) {
            book.dropPod(`default/p${pod}`);
            pods.delete(`p${pod}`);
          } else if (what === 1) {
            book.dropNode(name);
            nodes.delete(name);
          } else if (what === 2) {
            book.setNode(nodeNamed(name));
            nodes.set(name, nodeNamed(name));
          } else {
            book.setPod(stored);
            pods.set(`p${pod}`, stored);
          }
        }
        const fresh = ledger();
        for (const node of nodes.values()) fresh.setNode(node);
        for (const pod of pods.values()) fresh.setPod(pod);
        for (const name of nodes.keys()) {
          const [kept, counted] = [book.node(name), fresh.node(name)];
          assert.deepEqual(new Set(kept?.pods.keys()), new Set(counted?.pods.keys()));
          assert.equal(kept?.used['cpu'] ?? 0, counted?.used['cpu'] ?? 0);
        }
      }),
      { seed: 1, numRuns: 200 },
    );
  });

  it('keeps a booking until the pod is bound or gone', () => {
    const book = ledger();
    book.setNode(nodeNamed('a'));
    const pod = asking('p', '2');
    book.book(pod, 'a');
    book.setPod({ ...pod, metadata: { ...pod.metadata, labels: { seen: 'unbound' } } });
    assert.equal(book.node('a')?.used['cpu'], 2000);
    book.dropPod('default/p');
    assert.equal(book.node('a')?.used['cpu'], 0);
  });
});
