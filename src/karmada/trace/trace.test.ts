import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Trace, withHop } from './trace.ts';
import { runView, traceView } from './trace-view.ts';
import type { Hop } from './tracer.ts';

const nginx = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'nginx', uid: 'u1' };
type Told = Omit<Hop, 'template'> & { readonly at: number; readonly generation?: number; readonly writtenAt?: number };

function traced(...hops: readonly Told[]): Trace {
  let trace: Trace | undefined;
  for (const { generation = 1, ...hop } of hops) {
    trace = withHop(trace, { ...hop, template: { ...nginx, generation } }) ?? trace;
  }
  assert.ok(trace);
  return trace;
}

const targets = [{ name: 'm1', replicas: 2 }];
const propagated: readonly Told[] = [
  { step: 'matched', at: 1_010, writtenAt: 1_000, detail: 'policy(default/p)' },
  { step: 'bound', at: 1_012 },
  { step: 'scheduled', at: 1_015, targets, detail: '{m1:2}' },
  { step: 'rendered', at: 1_017, cluster: 'm1' },
  { step: 'applied', at: 1_027, cluster: 'm1', detail: 'created' },
  { step: 'collected', at: 1_030, cluster: 'm1', detail: 'Unhealthy' },
  { step: 'aggregated', at: 1_033, detail: '0 of 1 clusters healthy' },
];

describe('a trace', () => {
  it('is a tree of steps, each from the end of the one before it', () => {
    const view = traceView(traced(...propagated));
    assert.deepEqual(
      view.steps?.map(({ name, durationMs }) => [name, durationMs]),
      [
        ['written', 0],
        ['matched', 10],
        ['bound', 2],
        ['scheduled', 3],
        ['aggregated', 3],
      ],
    );
    assert.deepEqual(
      view.clusters?.map(({ name, replicas, state, steps }) => [
        name,
        replicas,
        state,
        steps.map((each) => each.durationMs),
      ]),
      [['m1', 2, 'Applied', [2, 10, 3]]],
    );
    assert.equal(view.durationMs, 33);
    assert.equal(view.state, 'Applied');
    assert.equal(view.because, 'it was first propagated');
    assert.equal(view.slowest, 'matched: 10 ms');
  });

  it('becomes ready with the first healthy report of every cluster', () => {
    const view = traceView(traced(...propagated, { step: 'collected', at: 3_030, cluster: 'm1', detail: 'Healthy' }));
    assert.equal(view.state, 'Ready');
    const [cluster] = view.clusters ?? [];
    assert.deepEqual(cluster?.steps.at(-1), {
      name: 'ready',
      startedAt: '1970-01-01T00:00:01.030Z',
      durationMs: 2_000,
      attempts: 1,
    });
    assert.equal(cluster?.steps.at(-2)?.times, 2);
  });

  it('keeps failed attempts with their errors, also after it went well', () => {
    const failed: Told = { step: 'applied', at: 1_020, cluster: 'm1', error: new Error('connection refused') };
    const trace = traced(...propagated.slice(0, 4), failed, { ...failed, at: 1_024 });
    assert.equal(traceView(trace).state, 'Failing');
    const healed = withHop(trace, { step: 'applied', at: 1_030, cluster: 'm1', template: nginx });
    assert.ok(healed);
    const applied = traceView(healed).clusters?.[0]?.steps.find(({ name }) => name === 'applied');
    assert.equal(traceView(healed).state, 'Applied');
    assert.equal(applied?.attempts, 3);
    assert.deepEqual(
      applied?.errors?.map(({ message }) => message),
      ['connection refused', 'connection refused'],
    );
  });

  it('begins a new run with each generation, and gives late news to the run they belong to', () => {
    const trace = traced(
      ...propagated,
      { step: 'matched', at: 2_000, writtenAt: 1_990, generation: 2 },
      { step: 'bound', at: 2_001, generation: 2 },
      { step: 'collected', at: 2_002, cluster: 'm1', detail: 'Healthy', generation: 1 },
    );
    assert.deepEqual(
      trace.runs.map((run) => [run.generation, run.because, runView(run).state]),
      [
        [2, 'the template changed', 'Propagating'],
        [1, 'it was first propagated', 'Ready'],
      ],
    );
    assert.deepEqual(trace.runs[0]?.targets, targets, 'where it ran before is where it goes until it is scheduled');
  });

  it('begins no run when the binding was only written for another revision of the same generation', () => {
    const ready: Told = { step: 'collected', at: 3_030, cluster: 'm1', detail: 'Healthy' };
    const again = (generation: number): Told[] => [
      { step: 'matched', at: 4_000, generation, repeats: true },
      { step: 'bound', at: 4_001, generation, repeats: true },
    ];
    const same = traced(...propagated, ready, ...again(1));
    assert.deepEqual([same.runs.length, traceView(same).state], [1, 'Ready']);
    const changed = traced(...propagated, ready, ...again(2));
    assert.deepEqual(
      changed.runs.map(({ generation }) => generation),
      [2, 1],
    );
    // What it led to after all is a run of its own.
    const rendered = traced(...propagated, ready, ...again(1), { step: 'rendered', at: 4_010, cluster: 'm1' });
    assert.equal(rendered.runs[0]?.because, 'its manifests changed');
  });

  it('begins a new run when the same generation is placed elsewhere or rendered anew', () => {
    const elsewhere = [{ name: 'm2', replicas: 2 }];
    const trace = traced(
      ...propagated,
      { step: 'scheduled', at: 5_000, targets: elsewhere },
      { step: 'rendered', at: 5_001, cluster: 'm2' },
      { step: 'rendered', at: 9_000, cluster: 'm2' },
    );
    assert.deepEqual(
      trace.runs.map(({ because, generation }) => [because, generation]),
      [
        ['its manifests changed', 1],
        ['it was scheduled anew', 1],
        ['it was first propagated', 1],
      ],
    );
  });

  it('begins a new run when it is rendered anew, also if it was scheduled and first rendered within one millisecond', () => {
    const quick = propagated.map((hop) => (hop.step === 'scheduled' ? { ...hop, at: 1_017 } : hop));
    const trace = traced(...quick, { step: 'rendered', at: 9_000, cluster: 'm1' });
    assert.deepEqual(
      trace.runs.map(({ because }) => because),
      ['its manifests changed', 'it was first propagated'],
    );
  });

  it('stays one run when a hop is repeated because one before it was', () => {
    const trace = traced(
      ...propagated.slice(0, 2),
      // Rendered for where it ran, and again for where it goes.
      { step: 'rendered', at: 1_013, cluster: 'm1' },
      { step: 'scheduled', at: 1_015, targets },
      { step: 'rendered', at: 1_017, cluster: 'm1' },
    );
    assert.equal(trace.runs.length, 1);
  });

  it('is one run while its binding cannot be written', () => {
    const error = new Error('no');
    const trace = traced(
      { step: 'matched', at: 1 },
      { step: 'bound', at: 2, error },
      { step: 'matched', at: 3 },
      { step: 'bound', at: 4, error },
    );
    assert.deepEqual([trace.runs.length, traceView(trace).state], [1, 'Failing']);
  });

  it('knows nothing of hops whose beginning it has not seen', () => {
    assert.equal(withHop(undefined, { step: 'applied', at: 1, cluster: 'm1', template: nginx }), undefined);
  });

  it('keeps five runs, and of each no more spans than there is room for', () => {
    const generations = Array.from({ length: 9 }, (_, at) => at + 1);
    const many = generations.flatMap((generation): Told[] => [
      { step: 'matched', at: generation, generation },
      { step: 'bound', at: generation, generation },
    ]);
    assert.deepEqual(
      traced(...many).runs.map(({ generation }) => generation),
      [9, 8, 7, 6, 5],
    );
    const wide = Array.from({ length: 1_600 }, (_, at): Told => ({ step: 'applied', at: 2_000, cluster: `m${at}` }));
    const [run] = traced(...propagated, ...wide).runs;
    assert.equal(run?.spans.length, 1_500);
    assert.equal(run?.dropped, 1_600 + propagated.length - 1_500);
  });
});
