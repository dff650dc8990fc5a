/**
 * One call as interceptors see it, whichever protocol it came by.
 *
 * What makes an answer of a call (deadlines, limits, errors) differs for a single answer and for a stream only in when it
 * is over: {@link around} hides the difference.
 */
import type { DescMethod, DescService, Message } from '@bufbuild/protobuf';
import type { Interceptor, StreamRequest, StreamResponse, UnaryRequest, UnaryResponse } from '@connectrpc/connect';
import { CALLER, type Caller, PEER, type Peer } from '../caller.ts';

export interface Call {
  readonly rpc: DescMethod;
  readonly caller: Caller | undefined;
  readonly peer: Peer;
  /** The request; of a stream of requests the first, which is undefined if there is none. */
  readonly message: Message | undefined;
  readonly header: Headers;
  /** The HTTP verb and the URL as it came. */
  readonly verb: string;
  readonly url: string;
  readonly signal: AbortSignal;
}

export type AnyRequest = UnaryRequest | StreamRequest;
export type AnyResponse = UnaryResponse | StreamResponse;

/** `kairship.api.instance.v1alpha1.Instance/GetInstance` */
export const rpcName = (rpc: DescMethod) => `${rpc.parent.typeName}/${rpc.name}`;

/** `Instance_GetInstance`: what the OpenAPI document and permissions call it. */
export const operationOf = ({ parent, name }: DescMethod) => `${tagOf(parent)}_${name}`;

/** A service as people call it: `InstanceService` is `Instance`. */
export const tagOf = ({ name }: DescService) => name.replace(/Service$/, '');

/** What a call is, and the request to go on with: to look at the first message of a stream is to take it. */
export async function callOf(request: AnyRequest): Promise<{ readonly call: Call; readonly request: AnyRequest }> {
  const call = {
    rpc: request.method,
    caller: request.contextValues.get(CALLER),
    peer: request.contextValues.get(PEER),
    header: request.header,
    verb: request.requestMethod,
    url: request.url,
    signal: request.signal,
  };
  if (!request.stream) return { call: { ...call, message: request.message }, request };
  const messages = request.message[Symbol.asyncIterator]();
  const first = await messages.next();
  const message = first.done ? undefined : first.value;
  return { call: { ...call, message }, request: { ...request, message: replay(first, messages) } };
}

async function* replay<T>(first: IteratorResult<T>, rest: AsyncIterator<T>): AsyncGenerator<T> {
  for (let next = first; !next.done; next = await rest.next()) yield next.value;
}

export interface Around {
  /** Called once with the failure, or nothing, when the answer is complete or given up. */
  readonly ended?: (error?: unknown) => void;
  /** What to throw instead of an error. */
  readonly failure?: (error: unknown) => unknown;
}

/** Runs a call and hears of its end: for a stream, that of the last message. */
export async function around(answer: () => Promise<AnyResponse>, { ended, failure }: Around): Promise<AnyResponse> {
  const fail = (error: unknown): never => {
    ended?.(error);
    throw failure ? failure(error) : error;
  };
  const response = await answer().catch(fail);
  if (response.stream) return { ...response, message: watched(response.message, ended, fail) };
  ended?.();
  return response;
}

async function* watched<T>(
  messages: AsyncIterable<T>,
  ended: ((error?: unknown) => void) | undefined,
  fail: (error: unknown) => never,
): AsyncGenerator<T> {
  let failed = false;
  try {
    yield* messages;
  } catch (error) {
    failed = true;
    fail(error);
  } finally {
    if (!failed) ended?.();
  }
}

/** An interceptor that looks at a call before it is made; a throw refuses it. */
export function before(look: (call: Call) => Promise<void> | void): Interceptor {
  return (next) => async (incoming) => {
    const { call, request } = await callOf(incoming);
    await look(call);
    return next(request);
  };
}
