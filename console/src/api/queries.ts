/** The cache of what the platform answered, shared by all pages. */
import { Code, ConnectError } from '@connectrpc/connect';
import { QueryCache, QueryClient } from '@tanstack/react-query';
import { mayPass, problemOf } from './problem.ts';
import { signedOut } from './session.ts';

export const queries = new QueryClient({
  queryCache: new QueryCache({
    onError: (error) => {
      if (problemOf(error).kind === 'signedOut') signedOut();
    },
  }),
  defaultOptions: {
    queries: {
      // Streams say when something is old; without one, half a minute is a fair guess.
      staleTime: 30_000,
      // What took too long once is said, and asked again later.
      retry: (count, error) => count < 2 && mayPass(error) && ConnectError.from(error).code !== Code.DeadlineExceeded,
      refetchOnWindowFocus: true,
      // What could not be asked is asked again, also when no change calls for it.
      refetchInterval: ({ state }) => (state.status === 'error' && mayPass(state.error) ? 5_000 : false),
    },
    mutations: { retry: false },
  },
});
