/** Ghippo's API as a handler of HTTP requests, with callers known by their session or token. */
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import type { Ghippo } from '#ghippo/ghippo.ts';
import { refuseOtherPages, requireOwnPage, sessionIn } from '#ghippo/session/index.ts';
import { type Authenticate, type RpcHandler, rpcHandler } from '#rpc/index.ts';
import type { TravellingCaller } from './caller-in.ts';
import { ghippoServices } from './ghippo-services.ts';

export function ghippoApi(deps: { readonly ghippo: Ghippo; readonly clock: Clock; readonly log: Log }): RpcHandler {
  const { ghippo, clock, log } = deps;
  return rpcHandler({ services: ghippoServices(ghippo), authenticate: authenticateWith(ghippo), clock, log });
}

/** A bearer token counts wherever it comes from; a session only for requests of the console itself. */
function authenticateWith(ghippo: Ghippo): Authenticate {
  return async ({ rpc, header, verb, peer }): Promise<TravellingCaller | undefined> => {
    // Whoever signs in has nothing to show yet, or something that has ended.
    if (rpc.parent.name === 'LoginService' && rpc.name.startsWith('Login')) {
      refuseOtherPages((name) => header.get(name));
      return undefined;
    }
    const bearer = /^Bearer (.+)$/i.exec(header.get('authorization') ?? '')?.[1];
    const session = sessionIn(header.get('cookie'));
    if (bearer === undefined && session !== undefined) requireOwnPage(verb, (name) => header.get(name));
    const shown = { ...(bearer ? { bearer } : {}), ...(session ? { session } : {}) };
    const caller = await ghippo.authenticate({ ...shown, ...(peer.address ? { address: peer.address } : {}) });
    return caller && { ...caller, groups: caller.groups ?? [] };
  };
}
