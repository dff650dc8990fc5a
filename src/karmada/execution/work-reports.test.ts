import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fakeClock } from '#base/clock.ts';
import { type Gate, gate } from '#base/gate.ts';
import { silentLog } from '#base/log.ts';
import { StatusError } from '#base/status-error.ts';
import type { Work } from '#karmada/apis/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { Informer } from '#kube/runtime/index.ts';
import type { Applied } from './apply-manifest.ts';
import { type WorkReport, workReports } from './work-reports.ts';

const KEY = 'karmada-es-m1/web';
const WORK: Work = {
  apiVersion: 'work.karmada.io/v1alpha1',
  kind: 'Work',
  metadata: { name: 'web', namespace: 'karmada-es-m1', uid: 'u1', resourceVersion: '1' },
  spec: {},
};

function applied(change: Applied['change']): WorkReport {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'web' } };
  const recreated = change === 'recreated';
  return { work: WORK, dispatch: { type: 'applied', recreated, statuses: [] }, results: [{ object, change }] };
}

/** Reports whose statuses are written into `written`; `fail` makes the next write fail. */
function reporting(room: Gate = gate(1)) {
  const written: Work[] = [];
  const told: { report: WorkReport; changed: boolean }[] = [];
  const woken: string[] = [];
  let failure: Error | undefined;
  const client = {
    async update(_gvr: unknown, work: Work) {
      const error = failure;
      failure = undefined;
      if (error) throw error;
      written.push(work);
    },
  } as unknown as KubeClient;
  const works = { get: () => written.at(-1) ?? WORK } as unknown as Informer<Work>;
  const reports = workReports(
    {
      client,
      works,
      clock: fakeClock(),
      reporting: room,
      reported: (report, changed) => told.push({ report, changed }),
    },
    'm1',
  );
  const { signal } = new AbortController();
  void reports.controller.source?.((key) => woken.push(key), signal);
  const run = () => reports.controller.reconcile({ key: KEY, log: silentLog, signal });
  return { reports, run, written, told, woken, fail: (error: Error) => (failure = error) };
}

describe('reports of Works', () => {
  it('tell what happened while they waited in one write, and lose no change', async () => {
    const { reports, run, written, told, woken } = reporting();
    reports.add(applied('recreated'));
    reports.add(applied('unchanged'));
    assert.deepEqual(woken, [KEY, KEY]);
    await run();
    assert.equal(written.length, 1);
    assert.equal(written[0]?.status?.conditions?.find(({ type }) => type === 'Applied')?.reason, 'ReCreateSuccessful');
    assert.deepEqual(
      told.map(({ report, changed }) => [report.results?.[0]?.change, changed]),
      [['recreated', true]],
    );
    assert.equal(reports.has(KEY), false);
  });

  it('write nothing that the Work says already', async () => {
    const { reports, run, written, told } = reporting();
    reports.add(applied('created'));
    await run();
    reports.add(applied('unchanged'));
    await run();
    assert.equal(written.length, 1);
    assert.equal(told[1]?.changed, false);
  });

  it('are kept until they could be written', async () => {
    const { reports, run, written, fail } = reporting();
    reports.add(applied('created'));
    fail(new StatusError('ServiceUnavailable', 'not now'));
    await assert.rejects(run(), /not now/);
    assert.equal(reports.has(KEY), true);
    await run();
    assert.equal(written.length, 1);
    assert.equal(reports.has(KEY), false);
  });

  it('of a Work that is gone are dropped, also while they wait for their turn', async () => {
    const turn = Promise.withResolvers<void>();
    const { reports, run, written } = reporting(async (action) => {
      await turn.promise;
      return action();
    });
    reports.add(applied('created'));
    const running = run();
    reports.drop(KEY);
    turn.resolve();
    await running;
    assert.equal(written.length, 0);
  });

  it('say the failure that came last', async () => {
    const { reports, run, written } = reporting();
    reports.add(applied('created'));
    reports.add({ work: WORK, dispatch: { type: 'failed', message: 'no room' } });
    await run();
    assert.equal(written[0]?.status?.conditions?.find(({ type }) => type === 'Applied')?.message, 'no room');
  });
});
