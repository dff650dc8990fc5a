import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fakeClock } from '#base/clock.ts';
import { countingIds } from '#base/ids.ts';
import { silentLog } from '#base/log.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { eventRecorders } from './event-recorder.ts';

const about = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web', uid: 'u1' };

function recording() {
  const created: unknown[] = [];
  const patched: unknown[] = [];
  const client = {
    create: async (_gvr: unknown, object: unknown) => void created.push(object),
    patch: async (_gvr: unknown, _key: unknown, patch: { body: unknown }) => void patched.push(patch.body),
  } as unknown as Pick<KubeClient, 'create' | 'patch'>;
  const clock = fakeClock();
  const signal = new AbortController().signal;
  const events = eventRecorders({ client, clock, ids: countingIds(), log: silentLog, signal }).of('binding-controller');
  return { events, clock, created, patched };
}

describe('the event recorder', () => {
  it('writes an event a moment after it was recorded', async () => {
    const { events, clock, created } = recording();
    events.normal(about, 'SyncWorkSucceed', 'done');
    assert.equal(created.length, 0);
    await clock.advance(250);
    assert.deepEqual(created, [
      {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { name: 'web.xxxxxxxxxxxxxxx1', namespace: 'shop' },
        involvedObject: about,
        type: 'Normal',
        reason: 'SyncWorkSucceed',
        message: 'done',
        source: { component: 'binding-controller' },
        reportingComponent: 'binding-controller',
        reportingInstance: '',
        firstTimestamp: '2026-01-01T00:00:00Z',
        lastTimestamp: '2026-01-01T00:00:00Z',
        eventTime: null,
        count: 1,
      },
    ]);
  });

  it('counts the same news up, before and after it was written', async () => {
    const { events, clock, created, patched } = recording();
    events.warning(about, 'SyncWorkFailed', 'no');
    events.warning(about, 'SyncWorkFailed', 'no');
    await clock.advance(250);
    assert.equal(created.length, 1);
    await clock.advance(5_000);
    events.warning(about, 'SyncWorkFailed', 'no');
    await clock.advance(250);
    assert.deepEqual(patched, [{ count: 3, lastTimestamp: '2026-01-01T00:00:05Z' }]);
  });

  it('is paced when much is told at once', async () => {
    const { events, clock, created } = recording();
    for (let n = 0; n < 60; n++) events.normal({ ...about, name: `web-${n}` }, 'SyncWorkSucceed', 'done');
    await clock.advance(250);
    assert.equal(created.length, 25);
    await clock.advance(1_000);
    assert.equal(created.length, 60);
  });
});
