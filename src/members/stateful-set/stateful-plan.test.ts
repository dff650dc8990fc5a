import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import type { Pod, StatefulSet } from '#gen/kube/types.ts';
import { podOf, readyPod } from '../testing.ts';
import { type Action, planStatefulSet, statefulSetStatus } from './stateful-plan.ts';

const NOW = Date.parse('2026-01-01T01:00:00Z');
const revisions = { current: 'web-a', update: 'web-b' };

function set(replicas: number, spec: object = {}): StatefulSet {
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'web', generation: 1 },
    spec: {
      replicas,
      selector: {},
      template: {},
      serviceName: 'web',
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
      ...spec,
    },
  };
}

const labelled = (revision: string, more: object = {}) => ({
  labels: { 'controller-revision-hash': revision },
  ...more,
});
const up = (ordinal: number, revision = 'web-b') =>
  readyPod(`web-${ordinal}`, undefined, { metadata: labelled(revision) });
const down = (ordinal: number, revision = 'web-b', more: object = {}) =>
  podOf(`web-${ordinal}`, { metadata: labelled(revision, more) });
const ending = (ordinal: number) => down(ordinal, 'web-b', { deletionTimestamp: '2026-01-01T00:00:00Z' });

const told = (actions: readonly Action[]) =>
  actions.map((one) =>
    one.do === 'create' ? `+${one.ordinal} ${one.revision}` : `-${one.pod.metadata.name.slice(4)}`,
  );

describe('a StatefulSet', () => {
  const ordered: Array<[because: string, set: StatefulSet, pods: Pod[], actions: string[]]> = [
    ['makes the first pod first', set(3), [], ['+0 update']],
    ['waits for a pod that is not up', set(3), [down(0)], []],
    ['makes the next when the last is up', set(3), [up(0)], ['+1 update']],
    ['fills a gap before all else', set(3), [up(0), up(2)], ['+1 update']],
    [
      'makes all at once when it may',
      set(3, { podManagementPolicy: 'Parallel' }),
      [down(1)],
      ['+0 update', '+2 update'],
    ],
    ['begins where it is told to', set(2, { ordinals: { start: 5 } }), [], ['+5 update']],
    ['replaces a pod that has failed', set(1), [{ ...up(0), status: { phase: 'Failed' } }], ['-0']],
    ['takes the last pod away first', set(1), [up(0), up(1), up(2)], ['-2']],
    ['waits for one to be gone before it takes the next', set(1), [up(0), up(1), ending(2)], []],
    ['takes nothing away while another is down', set(1), [down(0), up(1)], []],
    ['takes a condemned pod that is the only one down', set(1), [up(0), down(1)], ['-1']],
    ['takes all at once when it may', set(1, { podManagementPolicy: 'Parallel' }), [up(0), up(1), up(2)], ['-2', '-1']],
    ['updates from the last', set(3), [up(0, 'web-a'), up(1, 'web-a'), up(2, 'web-a')], ['-2']],
    ['updates the next when the last is up', set(3), [up(0, 'web-a'), up(1, 'web-a'), up(2)], ['-1']],
    ['waits for an updated pod', set(3), [up(0, 'web-a'), up(1, 'web-a'), down(2)], []],
    [
      'updates no further than the partition',
      set(2, { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1 } } }),
      [up(0, 'web-a'), up(1)],
      [],
    ],
    [
      'remakes what is below the partition as it was',
      set(2, { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1 } } }),
      [],
      ['+0 current'],
    ],
    ['leaves updates to others with OnDelete', set(1, { updateStrategy: { type: 'OnDelete' } }), [up(0, 'web-a')], []],
    ['does nothing for pods with other names', set(1), [up(0), readyPod('other-1')], []],
  ];
  for (const [because, target, pods, actions] of ordered) {
    it(because, () => assert.deepEqual(told(planStatefulSet(target, pods, revisions, NOW)), actions));
  }

  it('says which revision its pods have, and when all have the new one', () => {
    const half = statefulSetStatus(set(2), [up(0, 'web-a'), up(1)], revisions, NOW);
    assert.deepEqual(
      [
        half.replicas,
        half.readyReplicas,
        half.currentReplicas,
        half.updatedReplicas,
        half.currentRevision,
        half.updateRevision,
      ],
      [2, 2, 1, 1, 'web-a', 'web-b'],
    );
    const whole = statefulSetStatus(set(2), [up(0), up(1)], revisions, NOW);
    assert.deepEqual([whole.currentReplicas, whole.currentRevision], [2, 'web-b']);
  });

  it('never has more than one pod down of its own doing, and gets where it is going', () => {
    const start = fc.record({ from: fc.nat(6), to: fc.nat(6) });
    fc.assert(
      fc.property(start, ({ from, to }) => {
        let pods = Array.from({ length: from }, (_, ordinal) => up(ordinal, 'web-a'));
        for (let steps = 0; steps < 100; steps++) {
          const actions = planStatefulSet(set(to), pods, revisions, NOW);
          if (actions.length === 0) break;
          assert.equal(actions.length, 1);
          const [action] = actions;
          if (action?.do === 'remove') pods = pods.filter((pod) => pod !== action.pod);
          if (action?.do === 'create') pods = [...pods, up(action.ordinal)];
        }
        assert.deepEqual(
          pods.map(({ metadata }) => `${metadata.name} ${metadata.labels?.['controller-revision-hash']}`).sort(),
          Array.from({ length: to }, (_, ordinal) => `web-${ordinal} web-b`).sort(),
        );
      }),
      { seed: 1, numRuns: 100 },
    );
  });
});
