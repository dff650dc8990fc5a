import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fakeClock } from '#base/clock.ts';
import { StatusError } from '#base/status-error.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { KubeObject, ObjectKey } from '#kube/meta/object.ts';
import { eventRecorder } from './events.ts';

const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { namespace: 'a', name: 'p', uid: 'u' } };

function open() {
  const clock = fakeClock();
  const written = new Map<string, Record<string, unknown>>();
  const state = { up: true, calls: 0 };
  const answer = () => {
    state.calls++;
    if (!state.up) throw new StatusError('ServiceUnavailable', 'down');
  };
  const client = {
    async create(_gvr: unknown, object: KubeObject) {
      answer();
      written.set(object.metadata.name, { ...object });
      return object;
    },
    async patch(_gvr: unknown, { name }: ObjectKey, { body }: { body: object }) {
      answer();
      const event = written.get(name);
      if (!event) throw new StatusError('NotFound', 'events "x" not found');
      written.set(name, { ...event, ...body });
    },
  } as unknown as KubeClient;
  const recorder = eventRecorder({ client, component: 'test', clock });
  const events = () => [...written.values()];
  return { clock, recorder, events, written, state };
}

describe('an event recorder', () => {
  it('writes what kubectl describe shows', async () => {
    const { recorder, events } = open();
    recorder.event(pod, 'Warning', 'Failed', 'it broke');
    await recorder.flush();
    const [{ metadata, ...event } = { metadata: undefined }] = events();
    assert.deepEqual(event, {
      apiVersion: 'v1',
      kind: 'Event',
      involvedObject: {
        apiVersion: 'v1',
        kind: 'Pod',
        namespace: 'a',
        name: 'p',
        uid: 'u',
        resourceVersion: undefined,
      },
      type: 'Warning',
      reason: 'Failed',
      message: 'it broke',
      count: 1,
      firstTimestamp: '2026-01-01T00:00:00Z',
      lastTimestamp: '2026-01-01T00:00:00Z',
      source: { component: 'test' },
      reportingComponent: 'test',
      reportingInstance: '',
    });
    assert.match(JSON.stringify(metadata), /^\{"name":"p\.[0-9a-f]+","namespace":"a"\}$/);
  });

  it('counts what happens again, and begins anew when the server has forgotten', async () => {
    const { recorder, events, written, clock } = open();
    for (let time = 0; time < 3; time++) {
      recorder.event(pod, 'Normal', 'Synced', 'done');
      await recorder.flush();
      await clock.advance(1_000);
    }
    assert.deepEqual(
      events().map(({ count, lastTimestamp }) => [count, lastTimestamp]),
      [[3, '2026-01-01T00:00:02Z']],
    );
    written.clear();
    recorder.event(pod, 'Normal', 'Synced', 'done');
    await recorder.flush();
    assert.deepEqual(
      events().map(({ count }) => count),
      [4],
    );
  });

  it('of several recorders, about one object in one moment, have names of their own', async () => {
    const names: string[] = [];
    const client = {
      create: async (_gvr: unknown, { metadata }: KubeObject) => void names.push(metadata.name),
      patch: async () => undefined,
    } as unknown as Pick<KubeClient, 'create' | 'patch'>;
    const clock = fakeClock();
    for (const component of ['a', 'b']) {
      const recorder = eventRecorder({ client, component, clock });
      recorder.event(pod, 'Normal', 'Synced', 'done');
      await recorder.flush();
    }
    assert.equal(new Set(names).size, 2);
  });

  it('combines many messages of one reason', async () => {
    const { recorder, events } = open();
    for (let n = 0; n < 15; n++) recorder.event(pod, 'Normal', 'Moved', `to ${n}`);
    await recorder.flush();
    assert.equal(events().length, 11);
    assert.equal(events().at(-1)?.['message'], '(combined from similar events): to 14');
    assert.equal(events().at(-1)?.['count'], 5);
  });

  it('lets one object speak so often and no more, and others still', async () => {
    const { recorder, state, clock } = open();
    for (let n = 0; n < 100; n++) recorder.event(pod, 'Normal', 'Synced', 'done');
    await recorder.flush();
    assert.equal(state.calls, 25);
    recorder.event({ ...pod, metadata: { name: 'other' } }, 'Normal', 'Synced', 'done');
    await clock.advance(300_000);
    recorder.event(pod, 'Normal', 'Synced', 'done');
    await recorder.flush();
    assert.equal(state.calls, 27);
  });

  it('never fails its caller, and goes on when the server is back', async () => {
    const { recorder, state, events } = open();
    state.up = false;
    for (let n = 0; n < 3_000; n++) recorder.event({ ...pod, metadata: { name: `p${n}` } }, 'Normal', 'X', 'y');
    await recorder.flush();
    assert.equal(state.calls, 1_000);
    state.up = true;
    recorder.event(pod, 'Normal', 'X', 'y');
    await recorder.flush();
    assert.equal(events().length, 1);
  });
});
