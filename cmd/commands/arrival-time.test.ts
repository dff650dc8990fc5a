import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { create } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { type Trace, TraceSchema } from '#gen/proto/kairship/api/trace/v1alpha1/trace_pb.ts';
import { arrivalTime } from './arrival-time.ts';

/** Rendered at once, applied, and ready so long after it was rendered. */
function traceOf(...readyAfter: readonly (number | undefined)[]): Trace {
  const clusters = readyAfter.map((ms, index) => ({
    name: `m${index}`,
    replicas: 1,
    steps: [
      { name: 'rendered', startedAt: timestampFromMs(1_000), durationMs: 0n },
      ...(ms === undefined ? [] : [{ name: 'ready', startedAt: timestampFromMs(1_100), durationMs: BigInt(ms - 100) }]),
    ],
  }));
  return create(TraceSchema, { runs: [{ clusters }] });
}

describe('how long an arrival takes', () => {
  it('is what 95 of 100 that were seen did not take longer than', () => {
    const hundred = Array.from({ length: 100 }, (_, index) => 1_000 + index);
    assert.deepEqual(arrivalTime([traceOf(...hundred.slice(0, 40)), traceOf(...hundred.slice(40))]), {
      p95Ms: 1_094,
      samples: 100,
    });
    assert.deepEqual(arrivalTime([traceOf(700)]), { p95Ms: 700, samples: 1 });
  });

  it('is not known where nothing with replicas ever became ready', () => {
    const idle = create(TraceSchema, { runs: [{ clusters: [{ name: 'm', steps: [{ name: 'rendered' }] }] }] });
    assert.equal(arrivalTime([traceOf(undefined), idle]), undefined);
    assert.equal(arrivalTime([]), undefined);
  });
});
