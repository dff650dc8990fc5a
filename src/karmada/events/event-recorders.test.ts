import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fakeClock } from '#base/clock.ts';
import { silentLog } from '#base/log.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { eventRecorders } from './event-recorders.ts';

const about = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web', uid: 'u1' };

function recording(signal?: AbortSignal) {
  const created: KubeObject[] = [];
  const client = {
    create: async (_gvr: unknown, object: KubeObject) => void created.push(object),
    patch: async () => undefined,
  } as unknown as Pick<KubeClient, 'create' | 'patch'>;
  const clock = fakeClock();
  const events = eventRecorders({ client, clock, log: silentLog, ...(signal ? { signal } : {}) }).of(
    'binding-controller',
  );
  return { events, clock, created };
}

describe('events of the engine', () => {
  it('name the component and what they are about', async () => {
    const { events, clock, created } = recording();
    events.warning(about, 'SyncWorkFailed', 'no');
    await clock.advance(1);
    assert.deepEqual(created[0]?.['source'], { component: 'binding-controller' });
    assert.deepEqual(created[0]?.['involvedObject'], { ...about, resourceVersion: undefined });
  });

  it('are paced when much is told at once', async () => {
    const { events, clock, created } = recording();
    for (let n = 0; n < 80; n++) events.normal({ ...about, name: `web-${n}` }, 'SyncWorkSucceed', 'done');
    await clock.advance(1);
    assert.equal(created.length, 25);
    await clock.advance(1_000);
    assert.equal(created.length, 50);
    await clock.advance(2_000);
    assert.equal(created.length, 80);
  });

  it('do not keep anybody who is about to end', async () => {
    const stopping = new AbortController();
    const { events, clock, created } = recording(stopping.signal);
    for (let n = 0; n < 80; n++) events.normal({ ...about, name: `web-${n}` }, 'SyncWorkSucceed', 'done');
    await clock.advance(1);
    stopping.abort();
    await clock.advance(10_000);
    assert.equal(created.length, 25);
  });
});
