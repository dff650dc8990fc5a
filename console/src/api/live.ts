/**
 * Pages that keep themselves current.
 *
 * A page names the kinds it shows; while it is visible, a stream of changes makes what it has asked before old, and it
 * asks again. Streams carry no rows: a page of ten thousand stays a page. A browser has six connections to a server, so a
 * page follows two kinds at most, and a hidden tab none.
 */
import { createClient } from '@connectrpc/connect';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ChangeType, WatchService } from '#gen/proto/kairship/api/watch/v1alpha1/watch_service_pb.ts';
import { problemOf } from './problem.ts';
import { signedOut } from './session.ts';
import { transport } from './transport.ts';

const watching = createClient(WatchService, transport);

export type LiveState = 'connecting' | 'live' | 'paused' | 'off';

export interface Followed {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
}

const AGAIN_MS = 2_000;
/** Many changes at once are one reason to ask again. */
const GATHER_MS = 250;

export function useLive(instance: string, followed: readonly Followed[]): LiveState {
  const cache = useQueryClient();
  const [state, setState] = useState<LiveState>('connecting');
  const visible = useVisible();
  const key = JSON.stringify(followed);
  useEffect(() => {
    if (!visible) return setState('paused');
    const end = new AbortController();
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const tell = () => {
      waiting ??= setTimeout(() => {
        waiting = undefined;
        void cache.invalidateQueries({ predicate: ({ meta }) => meta?.['still'] !== true });
      }, GATHER_MS);
    };
    // What happened while nobody listened is heard of now.
    tell();
    const kinds = JSON.parse(key) as readonly Followed[];
    const parts = kinds.map((kind) => follow({ instance, kind, tell, setState, signal: end.signal }));
    void Promise.allSettled(parts);
    return () => {
      end.abort();
      clearTimeout(waiting);
    };
  }, [cache, instance, key, visible]);
  return state;
}

interface Following {
  readonly instance: string;
  readonly kind: Followed;
  readonly tell: () => void;
  readonly setState: (state: LiveState) => void;
  readonly signal: AbortSignal;
}

async function follow({ instance, kind, tell, setState, signal }: Following): Promise<void> {
  const request = { instance, ...kind };
  while (!signal.aborted) {
    try {
      const fromRevision = await revisionNow(instance, kind, signal);
      setState('live');
      tell();
      for await (const { type } of watching.watchObjects({ ...request, fromRevision }, { signal }))
        if (type !== ChangeType.BOOKMARK) tell();
    } catch (error) {
      const problem = problemOf(error);
      if (signal.aborted) return;
      if (problem.kind === 'signedOut') return signedOut();
      // Not collected yet, or not for this caller: the page works without.
      if (problem.kind === 'forbidden') return setState('off');
      setState('connecting');
    }
    await new Promise((done) => setTimeout(done, AGAIN_MS));
  }
}

/** Where the index is now: a stream of what does not exist begins with just that. */
async function revisionNow(instance: string, { apiVersion, kind }: Followed, signal: AbortSignal): Promise<string> {
  const nothing = { instance, apiVersion, kind, labelSelector: 'kairship.io/nothing=nothing' };
  // A stream that is merely no longer read keeps its connection, and there are six.
  const enough = new AbortController();
  try {
    const told = watching.watchObjects(nothing, { signal: AbortSignal.any([signal, enough.signal]) });
    for await (const { revision } of told) return revision;
    return '';
  } finally {
    enough.abort();
  }
}

function useVisible(): boolean {
  const [visible, setVisible] = useState(!document.hidden);
  useEffect(() => {
    const look = () => setVisible(!document.hidden);
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  return visible;
}
