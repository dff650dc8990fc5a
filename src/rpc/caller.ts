/**
 * Who calls, from where: known before a request's body is read, and the same for every protocol.
 */
import type { X509Certificate } from 'node:crypto';
import { type ContextValues, createContextKey } from '@connectrpc/connect';
import type { DescMethod } from '@bufbuild/protobuf';
import { StatusError } from '#base/status-error.ts';

/** Somebody whose identity has been proven. */
export interface Caller {
  readonly user: string;
  readonly groups: readonly string[];
  readonly uid?: string;
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** The other end of the connection. */
export interface Peer {
  readonly address: string | undefined;
  readonly encrypted: boolean;
  /** What the peer showed in the TLS handshake, if an authority that the server trusts has signed it. */
  readonly certificate: () => X509Certificate | undefined;
}

/** What a request shows of itself before its body is read. */
export interface Credentials {
  readonly rpc: DescMethod;
  readonly header: Headers;
  /** The HTTP verb, and path with query. */
  readonly verb: string;
  readonly url: string;
  readonly peer: Peer;
  readonly signal: AbortSignal;
}

/** Says who sent a request. Undefined is somebody unknown; a throw refuses the request unread. */
export type Authenticate = (credentials: Credentials) => Promise<Caller | undefined> | Caller | undefined;

const NOBODY: Peer = { address: undefined, encrypted: false, certificate: () => undefined };

export const CALLER = createContextKey<Caller | undefined>(undefined, { description: 'caller' });
export const PEER = createContextKey<Peer>(NOBODY, { description: 'peer' });

/** The caller of an RPC, in its implementation: `callerOf(context)`. Refuses a call whose sender is not known. */
export function callerOf({ values }: { readonly values: ContextValues }): Caller {
  const caller = values.get(CALLER);
  if (!caller) throw new StatusError('Unauthorized', 'this call needs a caller who is signed in');
  return caller;
}
