import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ControllerRevision, Pod } from '#gen/kube/types.ts';
import { selectorOf } from '#kube/meta/label-selector.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { liveView } from '../live-view.ts';
import { PODS } from '../resources.ts';
import { podOf } from '../testing.ts';
import { claimsOf } from './claim.ts';
import { intOrPercent } from './int-or-percent.ts';
import { obsolete, planRevisions, type Revised, templateOf } from './revisions.ts';
import { slowStart } from './slow-start.ts';

const names = (objects: readonly KubeObject[]) => objects.map(({ metadata }) => metadata.name);

describe('claims', () => {
  const selector = selectorOf({ matchLabels: { app: 'web' } });
  const owner = podOf('owner');
  const ending = { ...owner, metadata: { ...owner.metadata, deletionTimestamp: 'x' } };
  const labelled = (name: string, more: object = {}) => podOf(name, { metadata: { labels: { app: 'web' }, ...more } });

  it('take what is selected and free, and let go what is selected no more', () => {
    const given = {
      owned: [labelled('kept'), podOf('changed')],
      orphans: [labelled('free'), podOf('other'), labelled('leaving', { deletionTimestamp: 'x' })],
    };
    const { kept, adopted, released } = claimsOf(owner, selector, given);
    assert.deepEqual([names(kept), names(adopted), names(released)], [['kept'], ['free'], ['changed']]);
  });

  it('are not made by an owner that goes, nor by one that selects everything', () => {
    const given = { owned: [podOf('changed')], orphans: [labelled('free')] };
    assert.deepEqual(claimsOf(ending, selector, given), { kept: [], adopted: [], released: [] });
    assert.deepEqual(names(claimsOf(owner, selectorOf({}), given).adopted), []);
  });
});

describe('revisions', () => {
  const owner = (image: string, revisionHistoryLimit = 10): Revised => ({
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'web', namespace: 'default', uid: 'o' },
    spec: { revisionHistoryLimit, template: { spec: { containers: [{ name: 'web', image }] } } },
  });
  const kept = (plan: ReturnType<typeof planRevisions>): ControllerRevision => plan.revision;

  it('are one for each template, and the newest again when it is rolled back to', () => {
    const first = planRevisions(owner('web:1'), [], 'hash');
    assert.deepEqual([first.is, first.revision.revision], ['new', 1]);
    const second = planRevisions(owner('web:2'), [kept(first)], 'hash');
    assert.deepEqual([second.is, second.revision.revision], ['new', 2]);
    const both = [kept(first), kept(second)];
    assert.equal(planRevisions(owner('web:2'), both, 'hash').is, 'current');
    const back = planRevisions(owner('web:1'), both, 'hash');
    assert.deepEqual(
      [back.is, back.revision.revision, back.revision.metadata.name],
      ['renewed', 3, first.revision.metadata.name],
    );
    assert.deepEqual(templateOf(kept(first)), owner('web:1').spec?.template);
  });

  it('are forgotten beyond the limit, oldest first, unless they are used', () => {
    const all = [1, 2, 3, 4].map((n) => ({ ...kept(planRevisions(owner(`web:${n}`), [], 'hash')), revision: n }));
    const isUsed = ({ revision }: ControllerRevision) => revision === 2 || revision === 4;
    assert.deepEqual(
      obsolete(owner('web:4', 1), all, isUsed).map(({ revision }) => revision),
      [1],
    );
    assert.deepEqual(
      obsolete(owner('web:4', 0), all, isUsed).map(({ revision }) => revision),
      [1, 3],
    );
  });
});

describe('a slow start', () => {
  it('doubles while all goes well and stops at the first failure', async () => {
    const begun: number[] = [];
    await slowStart(10, async (index) => void begun.push(index));
    assert.deepEqual(begun, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    let tries = 0;
    const failing = slowStart(100, async (index) => {
      tries++;
      if (index === 2) throw new Error('refused');
    });
    await assert.rejects(failing, /refused/);
    assert.equal(tries, 3);
  });
});

describe('a live view', () => {
  it('finds objects by key, namespace, owner and group, as they come, change and go', () => {
    let tell: (before: KubeObject | undefined, after: KubeObject | undefined) => void = () => {};
    const server = {
      observe: (_: object, observer: typeof tell) => {
        tell = observer;
        return () => {};
      },
    };
    const view = liveView<Pod>(server, PODS, ({ spec }) => (spec?.nodeName ? [spec.nodeName] : []));
    const ownerReferences = [{ apiVersion: 'v1', kind: 'X', name: 'x', uid: 'x', controller: true }];
    const free = podOf('p');
    const bound = podOf('p', { metadata: { ownerReferences }, spec: { nodeName: 'n' } });
    tell(undefined, free);
    assert.deepEqual([view.orphans('default').length, view.ownedBy('x').length, view.grouped('n').length], [1, 0, 0]);
    tell(free, bound);
    assert.deepEqual([view.orphans('default').length, view.ownedBy('x').length, view.grouped('n').length], [0, 1, 1]);
    assert.deepEqual([view.get('default/p'), view.inNamespace('default').length, view.list().length], [bound, 1, 1]);
    tell(bound, undefined);
    assert.deepEqual([view.get('default/p'), view.inNamespace('default'), view.grouped('n')], [undefined, [], []]);
  });
});

describe('a number or a percentage', () => {
  const cases: Array<[value: number | string, total: number, round: 'up' | 'down', result: number]> = [
    [3, 10, 'up', 3],
    ['25%', 10, 'up', 3],
    ['25%', 10, 'down', 2],
    ['0%', 10, 'up', 0],
  ];
  for (const [value, total, round, result] of cases) {
    it(`${value} of ${total} rounded ${round} is ${result}`, () =>
      assert.equal(intOrPercent(value, total, round), result));
  }
});
