/** How long replicas take here until they are ready in a cluster, by what was seen of this very instance. Pure. */
import { timestampMs } from '@bufbuild/protobuf/wkt';
import type { ClusterRun, Trace } from '#gen/proto/kairship/api/trace/v1alpha1/trace_pb.ts';

export interface ArrivalTime {
  /** So many of a hundred were not slower than this. */
  readonly p95Ms: number;
  readonly samples: number;
}

/** From the decision until replicas are ready, over all clusters and all changes that are remembered; none, no answer. */
export function arrivalTime(traces: readonly Trace[]): ArrivalTime | undefined {
  const spans = traces
    .flatMap(({ runs }) => runs)
    .flatMap(({ clusters }) => clusters)
    .flatMap(untilReady)
    .toSorted((a, b) => a - b);
  const p95Ms = spans[Math.ceil(spans.length * 0.95) - 1];
  return p95Ms === undefined ? undefined : { p95Ms, samples: spans.length };
}

function untilReady({ replicas, steps }: ClusterRun): readonly number[] {
  const [first] = steps;
  const ready = steps.find(({ name }) => name === 'ready');
  if (!replicas || !first?.startedAt || !ready?.startedAt || ready.durationMs === undefined) return [];
  return [timestampMs(ready.startedAt) + Number(ready.durationMs) - timestampMs(first.startedAt)];
}
