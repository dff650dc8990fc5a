import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Taint, Toleration } from '#gen/kube/types.ts';
import { addressesOf } from '../addresses.ts';
import { parseDuration, requestedHealth } from '../requests.ts';
import { nodeNamed, podOf } from '../testing.ts';
import { evictionTime } from './eviction.ts';
import { matchesNode } from './node-affinity.ts';
import { healthTaints, healthyStatus } from './node-health.ts';
import { tolerates } from './taints.ts';

const AT = '2026-01-01T00:00:00Z';

describe('the health of a node', () => {
  it('is what its annotation or label says', () => {
    const said = (ready: string) => ({ metadata: { name: 'n', annotations: { 'members.kairship.io/ready': ready } } });
    assert.equal(requestedHealth(said('false')), 'not ready');
    assert.equal(requestedHealth(said('unknown')), 'gone');
    assert.equal(requestedHealth(said('true')), 'ready');
    assert.equal(
      requestedHealth({ metadata: { name: 'n', labels: { 'members.kairship.io/ready': 'false' } } }),
      'not ready',
    );
  });

  it('is told in conditions whose times move only with them', () => {
    const node = { ...nodeNamed('n'), status: healthyStatus(nodeNamed('n'), 'ready', 'v1', AT) };
    assert.deepEqual(healthyStatus(node, 'ready', 'v1', '2026-01-02T00:00:00Z'), node.status);
    const ready = healthyStatus(node, 'gone', 'v1', '2026-01-02T00:00:00Z').conditions?.find(
      ({ type }) => type === 'Ready',
    );
    assert.deepEqual(
      [ready?.status, ready?.reason, ready?.lastTransitionTime],
      ['Unknown', 'NodeStatusUnknown', '2026-01-02T00:00:00Z'],
    );
  });

  it('taints the node, keeps other taints, and takes its own away again', () => {
    const gpu = { key: 'gpu', effect: 'NoSchedule' };
    const node = nodeNamed('n', '8', { unschedulable: true, taints: [gpu] });
    const taints = healthTaints(node, 'not ready', AT);
    assert.deepEqual(
      taints.map(({ key, effect }) => `${key}:${effect}`),
      [
        'gpu:NoSchedule',
        'node.kubernetes.io/unschedulable:NoSchedule',
        'node.kubernetes.io/not-ready:NoSchedule',
        'node.kubernetes.io/not-ready:NoExecute',
      ],
    );
    const sick = nodeNamed('n', '8', { unschedulable: true, taints });
    assert.deepEqual(healthTaints(sick, 'not ready', '2026-02-02T00:00:00Z'), taints);
    assert.deepEqual(healthTaints({ ...sick, spec: { taints } }, 'ready', AT), [gpu]);
  });
});

describe('eviction', () => {
  const out: Taint = { key: 'out', effect: 'NoExecute', timeAdded: AT };
  const tolerating = (...tolerations: Toleration[]) => podOf('p', { spec: { tolerations } });
  const T0 = Date.parse(AT);
  const cases: Array<[because: string, tolerations: Toleration[], at: number | undefined]> = [
    ['at once without a toleration', [], 0],
    ['never with one', [{ key: 'out', operator: 'Exists' }], undefined],
    ['after its time with one of a time', [{ key: 'out', operator: 'Exists', tolerationSeconds: 300 }], T0 + 300_000],
    [
      'after the shortest of several',
      [
        { operator: 'Exists', tolerationSeconds: 9 },
        { key: 'out', operator: 'Exists', tolerationSeconds: 300 },
      ],
      T0 + 9000,
    ],
  ];
  for (const [because, tolerations, at] of cases) {
    it(`comes ${because}`, () => assert.equal(evictionTime(tolerating(...tolerations), [out], T0), at));
  }

  it('is not for taints that only keep newcomers away', () => {
    assert.equal(evictionTime(tolerating(), [{ key: 'out', effect: 'NoSchedule' }], T0), undefined);
  });
});

describe('tolerations', () => {
  const taint = { key: 'k', value: 'v', effect: 'NoSchedule' };
  const cases: Array<[toleration: Toleration, tolerates: boolean]> = [
    [{ key: 'k', operator: 'Equal', value: 'v', effect: 'NoSchedule' }, true],
    [{ key: 'k', value: 'v' }, true],
    [{ key: 'k', value: 'x' }, false],
    [{ key: 'k', operator: 'Exists', effect: 'NoExecute' }, false],
    [{ operator: 'Exists' }, true],
    [{ operator: 'Equal' }, false],
  ];
  for (const [toleration, expected] of cases) {
    it(`${JSON.stringify(toleration)} ${expected ? 'tolerates' : 'does not tolerate'} k=v`, () =>
      assert.equal(tolerates([toleration], taint), expected));
  }
});

describe('node affinity', () => {
  const required = (...matchExpressions: object[]) => ({
    containers: [],
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions }] },
      },
    },
  });
  const node = nodeNamed('n', '8', {}, { zone: 'a', cores: '8' });
  const cases: Array<[requirement: object, matches: boolean]> = [
    [{ key: 'zone', operator: 'In', values: ['a', 'b'] }, true],
    [{ key: 'zone', operator: 'NotIn', values: ['a'] }, false],
    [{ key: 'disk', operator: 'NotIn', values: ['a'] }, true],
    [{ key: 'disk', operator: 'Exists' }, false],
    [{ key: 'disk', operator: 'DoesNotExist' }, true],
    [{ key: 'cores', operator: 'Gt', values: ['4'] }, true],
    [{ key: 'cores', operator: 'Lt', values: ['4'] }, false],
  ];
  for (const [requirement, expected] of cases) {
    it(`${JSON.stringify(requirement)} ${expected ? 'matches' : 'does not match'}`, () =>
      assert.equal(matchesNode(required(requirement) as never, node), expected));
  }

  it('a term that says nothing matches nothing', () => assert.equal(matchesNode(required() as never, node), false));
});

describe('addresses', () => {
  it('are the same for the same name and differ within a cluster', () => {
    const { balancerAddress, podAddress, podNetwork } = addressesOf('m1');
    const first = balancerAddress('default/web', new Set());
    assert.equal(addressesOf('m1').balancerAddress('default/web', new Set()), first);
    assert.notEqual(balancerAddress('default/web', new Set([first])), first);
    assert.match(first, /^(192\.0\.2|198\.51\.100|203\.0\.113)\.\d+$/);
    const taken = new Set<string>();
    for (let n = 0; n < 200; n++) taken.add(podAddress(podNetwork(3), `pod-${n}`, taken));
    assert.equal(taken.size, 200);
  });
});

describe('durations', () => {
  const cases: Array<[text: string, ms: number | undefined]> = [
    ['5s', 5000],
    ['500ms', 500],
    ['1m30s', 90_000],
    ['1.5', 1500],
    ['soon', undefined],
  ];
  for (const [text, ms] of cases) it(`${text} is ${ms} ms`, () => assert.equal(parseDuration(text), ms));
});
