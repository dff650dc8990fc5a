import type { Interceptor } from '@connectrpc/connect';
import { before, type Call } from './call.ts';

/** Asks before every call whether it may be made; `decide` throws a Forbidden if not. The implementation is not reached. */
export const authorizing = (decide: (call: Call) => Promise<void> | void): Interceptor => before(decide);
