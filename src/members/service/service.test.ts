import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import type { EndpointSlice, Pod, Service } from '#gen/kube/types.ts';
import { nodeNamed, podOf, readyPod } from '../testing.ts';
import { endpointGroups } from './endpoints.ts';
import { legacyEndpoints } from './legacy-endpoints.ts';
import { planSlices } from './slices.ts';

function service(spec: object = {}): Service {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web', namespace: 'default', uid: 's' },
    spec: { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 'http', protocol: 'TCP' }], ...spec },
  };
}

function pod(name: string, port = 8080, more: { ready?: boolean; metadata?: object; status?: object } = {}): Pod {
  const base = more.ready === false ? podOf(name, { spec: { nodeName: 'n1' } }) : readyPod(name);
  const containers = [{ name: 'c', ports: [{ name: 'http', containerPort: port }] }];
  return {
    ...base,
    metadata: { ...base.metadata, ...more.metadata },
    spec: { ...base.spec, containers },
    status: { ...base.status, podIP: `10.0.0.${name}`, ...more.status },
  };
}

const groupsOf = (pods: readonly Pod[], spec: object = {}) => endpointGroups(service(spec), pods, nodeNamed);

describe('the endpoints of a Service', () => {
  it('are grouped by what their pods call a port', () => {
    const groups = groupsOf([pod('1'), pod('2', 9090), pod('3')]);
    assert.deepEqual(
      groups.map(({ ports, endpoints }) => [ports[0]?.port, endpoints.map(({ addresses }) => addresses[0])]),
      [
        [8080, ['10.0.0.1', '10.0.0.3']],
        [9090, ['10.0.0.2']],
      ],
    );
  });

  const conditions: Array<[because: string, pod: Pod, spec: object, conditions: object | undefined]> = [
    ['ready', pod('1'), {}, { ready: true, serving: true, terminating: false }],
    ['not ready', pod('1', 80, { ready: false }), {}, { ready: false, serving: false, terminating: false }],
    [
      'not ready and published all the same',
      pod('1', 80, { ready: false }),
      { publishNotReadyAddresses: true },
      { ready: true, serving: false, terminating: false },
    ],
    [
      'going',
      pod('1', 80, { metadata: { deletionTimestamp: 'x' } }),
      {},
      { ready: false, serving: true, terminating: true },
    ],
    ['over', pod('1', 80, { status: { phase: 'Succeeded' } }), {}, undefined],
    ['without address', pod('1', 80, { status: { podIP: undefined } }), {}, undefined],
  ];
  for (const [because, one, spec, expected] of conditions) {
    it(`tell of a pod that is ${because}`, () =>
      assert.deepEqual(groupsOf([one], spec)[0]?.endpoints[0]?.conditions, expected));
  }

  it('are told to old clients without those that go', () => {
    const going = pod('3', 8080, { metadata: { deletionTimestamp: 'x' } });
    const { subsets } = legacyEndpoints(service(), groupsOf([pod('1'), pod('2', 8080, { ready: false }), going]));
    assert.deepEqual(
      [subsets?.[0]?.addresses?.map(({ ip }) => ip), subsets?.[0]?.notReadyAddresses?.map(({ ip }) => ip)],
      [['10.0.0.1'], ['10.0.0.2']],
    );
  });
});

describe('the slices of a Service', () => {
  it('are one even without pods', () => {
    const { create } = planSlices(service(), [], []);
    assert.equal(create.length, 1);
    const empty = { ...create[0], metadata: { ...create[0]?.metadata, name: 'web-x' } } as EndpointSlice;
    assert.deepEqual(planSlices(service(), [], [empty]), { create: [], update: [], remove: [] });
  });

  it('hold every endpoint once, at most a hundred each, and change no more than they must', () => {
    const step = fc.array(fc.nat(350), { maxLength: 350 });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 4 }), (steps) => {
        let slices: EndpointSlice[] = [];
        for (const [round, numbers] of steps.entries()) {
          const wanted = groupsOf([...new Set(numbers)].map((n) => pod(String(n), n % 3 === 0 ? 80 : 81)));
          const plan = planSlices(service(), wanted, slices);
          const updated = new Map(plan.update.map((slice) => [slice.metadata.name, slice]));
          slices = slices
            .filter((slice) => !plan.remove.includes(slice))
            .map((slice) => updated.get(slice.metadata.name) ?? slice);
          for (const [index, slice] of plan.create.entries()) {
            slices.push({ ...slice, metadata: { ...slice.metadata, name: `web-${round}-${index}` } });
          }
          const all = slices.flatMap(({ endpoints }) => endpoints.map(({ addresses }) => addresses[0] ?? ''));
          assert.deepEqual(all.toSorted(), [...new Set(numbers)].map((n) => `10.0.0.${n}`).toSorted());
          assert.ok(slices.every(({ endpoints }) => endpoints.length <= 100));
          assert.deepEqual(planSlices(service(), wanted, slices), { create: [], update: [], remove: [] });
        }
      }),
      { seed: 1, numRuns: 30 },
    );
  });
});
