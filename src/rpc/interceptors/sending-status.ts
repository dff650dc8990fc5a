import type { Interceptor } from '@connectrpc/connect';
import { toConnectError } from '../status-codes.ts';
import { around } from './call.ts';

/** Errors of implementations and interceptors as the protocols send them. A client undoes it: `rpc-client.ts`. */
export const sendingStatus: Interceptor = (next) => (request) =>
  around(async () => next(request), { failure: toConnectError });
