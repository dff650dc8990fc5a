import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Node, Pod } from '#gen/kube/types.ts';
import { placePod, requestsOf } from './fit.ts';

function node(name: string, cpu: string, spec: NonNullable<Node['spec']> = {}): Node {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { disk: name } },
    spec,
    status: { allocatable: { cpu, memory: '4Gi', pods: '3' }, conditions: [{ type: 'Ready', status: 'True' }] },
  };
}

function pod(cpu: string | undefined, spec: object = {}): Pod {
  const resources = cpu === undefined ? {} : { requests: { cpu } };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p' },
    spec: { containers: [{ name: 'c', resources }], ...spec },
  };
}

describe('placing a pod', () => {
  it('takes the node with the most room left', () => {
    assert.deepEqual(placePod(pod('1'), [node('small', '2'), node('large', '8')], []), { node: 'large' });
  });

  it('counts what already runs there', () => {
    const busy = pod('7', { nodeName: 'large' });
    assert.deepEqual(placePod(pod('1'), [node('small', '2'), node('large', '8')], [busy]), { node: 'small' });
  });

  it('spreads pods that ask for nothing', () => {
    assert.deepEqual(placePod(pod(undefined), [node('a', '1'), node('b', '1')], [pod(undefined, { nodeName: 'a' })]), {
      node: 'b',
    });
  });

  const refusals: Array<[because: string, node: Node, running: Pod[], reason: string]> = [
    ['too little cpu', node('a', '500m'), [], '0/1 nodes are available: 1 Insufficient cpu.'],
    ['cordoned', node('a', '8', { unschedulable: true }), [], '0/1 nodes are available: 1 node(s) were unschedulable.'],
    [
      'tainted',
      node('a', '8', { taints: [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }] }),
      [],
      '0/1 nodes are available: 1 node(s) had untolerated taint {gpu: yes}.',
    ],
    [
      'full',
      node('a', '8'),
      [1, 2, 3].map(() => pod(undefined, { nodeName: 'a' })),
      '0/1 nodes are available: 1 Too many pods.',
    ],
  ];
  for (const [because, refusing, running, reason] of refusals) {
    it(`says why a node refuses: ${because}`, () => {
      assert.deepEqual(placePod(pod('1'), [refusing], running), { unschedulable: reason });
    });
  }

  it('a node selector must match, a toleration lets a taint pass', () => {
    const tainted = node('b', '8', { taints: [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }] });
    const picky = pod('1', { nodeSelector: { disk: 'b' }, tolerations: [{ key: 'gpu', operator: 'Exists' }] });
    assert.deepEqual(placePod(picky, [node('a', '64'), tainted], []), { node: 'b' });
  });

  it('requests are the sum of containers, or the largest init container', () => {
    const requests = (cpu: string) => ({ name: cpu, resources: { requests: { cpu } } });
    const spec = { containers: [requests('100m'), requests('200m')], initContainers: [requests('1')] };
    assert.deepEqual(requestsOf(pod(undefined, spec)), { cpu: 1000n });
  });
});
