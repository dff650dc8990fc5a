/** Who makes a call of the API, as Ghippo's own services want to know it. */
import type { HandlerContext } from '@connectrpc/connect';
import type { Caller } from '#ghippo/access/caller.ts';
import { callerOf, type Caller as RpcCaller, PEER } from '#rpc/caller.ts';

/** An identified caller as it travels with a call; what is beyond {@link RpcCaller} may be missing. */
export type TravellingCaller = RpcCaller & Partial<Pick<Caller, 'method' | 'credential' | 'token'>>;

export type Context = Pick<HandlerContext, 'values' | 'requestHeader' | 'responseHeader'>;

export function callerIn(context: Context): Caller {
  const caller: TravellingCaller = callerOf(context);
  const { user, groups, token, credential } = caller;
  const { address } = context.values.get(PEER);
  const agent = context.requestHeader.get('user-agent');
  return {
    user,
    method: caller.method ?? (token ? 'token' : 'session'),
    groups,
    ...(token ? { token } : {}),
    ...(credential === undefined ? {} : { credential }),
    ...(address === undefined ? {} : { address }),
    ...(agent === null ? {} : { agent }),
  };
}
