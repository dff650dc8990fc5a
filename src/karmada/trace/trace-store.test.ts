import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fakeClock } from '#base/clock.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { type TraceChange, type TraceStore, traceStore } from './trace-store.ts';
import { tracedOf } from './tracer.ts';

const template = (name: string, generation = 1): KubeObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace: 'default', uid: `uid-${name}`, generation },
});

function propagate(store: TraceStore, name: string, generation = 1): void {
  const object = template(name, generation);
  store.written(object);
  store.hop({ step: 'matched', template: tracedOf(object), detail: 'policy(default/p)' });
  store.hop({ step: 'bound', template: tracedOf(object) });
}

describe('the trace store', () => {
  it('has every hop at once, and the time the change was heard of', async () => {
    const clock = fakeClock();
    const store = traceStore({ clock });
    store.written(template('a'));
    await clock.advance(7);
    const traced = tracedOf(template('a'));
    store.hop({ step: 'matched', template: traced });
    store.hop({ step: 'bound', template: traced });
    const { spans = [] } = store.of('uid-a')?.trace.runs[0] ?? {};
    assert.deepEqual(
      spans.map(({ step, endedAt = 0 }) => [step, endedAt - clock.now()]),
      [
        ['written', -7],
        ['matched', 0],
        ['bound', 0],
      ],
    );
    assert.deepEqual(store.uids(), ['uid-a']);
    store.close();
  });

  it('remembers over a restart, and goes on from there', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'traces-'));
    try {
      const clock = fakeClock();
      const options = { clock, file: join(directory, 'traces.db') };
      const first = traceStore(options);
      propagate(first, 'a');
      propagate(first, 'b');
      const revision = first.revision();
      first.close();
      const second = traceStore(options);
      assert.equal(second.revision(), revision);
      second.hop({ step: 'applied', template: tracedOf(template('a')), cluster: 'm1' });
      assert.deepEqual(
        second.of('uid-a')?.trace.runs[0]?.spans.map(({ step }) => step),
        ['written', 'matched', 'bound', 'applied'],
      );
      assert.deepEqual(second.uids(), ['uid-b', 'uid-a']);
      second.gone(template('a'));
      assert.equal(second.of('uid-a'), undefined);
      second.close();
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  it('keeps to its bytes: what changed longest ago goes first', async () => {
    const clock = fakeClock();
    const maxBytes = 4_000;
    const store = traceStore({ clock, maxBytes });
    for (let at = 0; at < 200; at++) propagate(store, `t${at}`);
    await clock.advance(60_000);
    propagate(store, 'newest');
    await clock.advance(60_000);
    assert.ok(store.bytes() <= maxBytes, `${store.bytes()} bytes`);
    const uids = store.uids();
    assert.ok(uids.length > 3 && uids.length < 100, `${uids.length} kept`);
    assert.deepEqual(uids.slice(-2), ['uid-t199', 'uid-newest']);
    assert.equal(store.of('uid-t0'), undefined);
    store.close();
  });

  it('keeps five runs of a template, however often it changes', async () => {
    const clock = fakeClock();
    const store = traceStore({ clock });
    for (let generation = 1; generation <= 50; generation++) propagate(store, 'a', generation);
    await clock.advance(5_000);
    const generations = store.of('uid-a')?.trace.runs.map(({ generation }) => generation);
    assert.deepEqual(generations, [50, 49, 48, 47, 46]);
    store.close();
  });

  it('tells who follows it of changes, several of one trace at once', async () => {
    const clock = fakeClock();
    const store = traceStore({ clock });
    const told: (readonly TraceChange[])[] = [];
    const end = store.subscribe((changes) => void told.push(changes));
    propagate(store, 'a');
    propagate(store, 'b');
    await clock.advance(50);
    store.gone(template('a'));
    await clock.advance(50);
    end();
    propagate(store, 'c');
    await clock.advance(50);
    assert.deepEqual(
      told.map((changes) => changes.map(({ type, trace }) => `${type} ${trace.template.name}`)),
      [['changed a', 'changed b'], ['gone a']],
    );
    store.close();
  });

  it('can tell what was missed since a revision, or that it cannot', async () => {
    const clock = fakeClock();
    const store = traceStore({ clock });
    propagate(store, 'a');
    await clock.advance(5_000);
    const seen = store.revision();
    propagate(store, 'b');
    store.gone(template('a'));
    assert.deepEqual(
      store.since(seen)?.map(({ type, trace }) => `${type} ${trace.template.name}`),
      ['changed b', 'gone a'],
    );
    assert.deepEqual(store.since(store.revision()), []);
    assert.equal(store.since(store.revision() + 1), undefined, 'a revision of another life of the store');
    store.close();
  });
});
