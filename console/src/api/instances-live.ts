/** Keeps lists of instances current while they are seen. */
import { createClient } from '@connectrpc/connect';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { WatchService } from '#gen/proto/kairship/api/watch/v1alpha1/watch_service_pb.ts';
import type { LiveState } from './live.ts';
import { transport } from './transport.ts';

const watching = createClient(WatchService, transport);

export function useInstancesLive(): LiveState {
  const cache = useQueryClient();
  const [state, setState] = useState<LiveState>('connecting');
  useEffect(() => {
    const end = new AbortController();
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const listen = async () => {
      while (!end.signal.aborted) {
        try {
          for await (const _ of watching.watchInstances({}, { signal: end.signal })) {
            setState('live');
            waiting ??= setTimeout(() => {
              waiting = undefined;
              void cache.invalidateQueries({ predicate: ({ meta }) => meta?.['still'] !== true });
            }, 250);
          }
        } catch {
          setState('connecting');
        }
        await new Promise((done) => setTimeout(done, 2_000));
      }
    };
    void listen();
    return () => {
      end.abort();
      clearTimeout(waiting);
    };
  }, [cache]);
  return state;
}
