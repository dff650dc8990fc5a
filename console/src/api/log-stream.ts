/** What pods write, from all clusters as one stream, kept in the order of time. */
import { createClient } from '@connectrpc/connect';
import { useEffect, useReducer, useState } from 'react';
import {
  type WatchLogsResponse,
  WorkloadService,
} from '#gen/proto/kairship/api/workload/v1alpha1/workload_service_pb.ts';
import { problemOf } from './problem.ts';
import { transport } from './transport.ts';

const workloads = createClient(WorkloadService, transport);

export interface LogAsked {
  readonly instance: string;
  readonly namespace: string;
  /** A kind of workloads, `jobs`, `cronjobs` or `pods`. */
  readonly kind: string;
  readonly name: string;
  readonly clusters: readonly string[];
  readonly container: string;
  readonly follow: boolean;
  readonly tailLines: number;
  readonly sinceSeconds: number;
  readonly previous: boolean;
}

export interface StreamedLine {
  readonly cluster: string;
  readonly pod: string;
  readonly container: string;
  readonly at: number;
  readonly text: string;
  /** Whether it says why nothing is heard, instead of what was said. */
  readonly problem: boolean;
}

export type StreamState = 'opening' | 'following' | 'ended';

/** Older lines are forgotten: a browser is no archive. */
const MOST = 5_000;
/** Lines that come together are drawn together. */
const GATHER_MS = 120;

export function lineOf({ cluster, pod, container, time, text, problem }: WatchLogsResponse): StreamedLine {
  const at = Date.parse(time);
  return {
    cluster,
    pod,
    container,
    at: Number.isNaN(at) ? 0 : at,
    text: problem || text,
    problem: problem !== '',
  };
}

/** Adds lines where their time puts them; clusters are rarely heard in order. */
export function merged(old: readonly StreamedLine[], added: readonly StreamedLine[]): readonly StreamedLine[] {
  const all = [...old, ...added];
  const isOrdered = all.every((line, index) => index === 0 || (all[index - 1]?.at ?? 0) <= line.at);
  return (isOrdered ? all : all.toSorted((a, b) => a.at - b.at)).slice(-MOST);
}

export function useLogStream(asked: LogAsked) {
  const [lines, add] = useReducer(
    (old: readonly StreamedLine[], added: readonly StreamedLine[] | 'none') =>
      added === 'none' ? [] : merged(old, added),
    [],
  );
  const [state, setState] = useState<StreamState>('opening');
  const [error, setError] = useState<unknown>();
  const key = JSON.stringify(asked);
  useEffect(() => {
    const end = new AbortController();
    let gathered: StreamedLine[] = [];
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const show = () => {
      waiting = undefined;
      add(gathered);
      gathered = [];
    };
    const listen = async () => {
      const request = JSON.parse(key) as LogAsked;
      for await (const said of workloads.watchLogs(
        { ...request, clusters: [...request.clusters] },
        { signal: end.signal },
      )) {
        setState('following');
        gathered.push(lineOf(said));
        waiting ??= setTimeout(show, GATHER_MS);
      }
      setState('ended');
    };
    add('none');
    setError(undefined);
    setState('opening');
    listen().catch((failure: unknown) => {
      if (end.signal.aborted) return;
      setState('ended');
      if (problemOf(failure).kind !== 'unreachable' || gathered.length === 0) setError(failure);
    });
    return () => {
      end.abort();
      clearTimeout(waiting);
    };
  }, [key]);
  return { lines, state, error };
}
