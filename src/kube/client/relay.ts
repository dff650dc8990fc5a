/**
 * Somebody's request handed on to a server, and its answer handed back as it comes: bodies, watches, logs and upgraded
 * connections pass through, never gathered. Who asks, and as whom, the caller of this has decided.
 */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { HttpClient } from './http-client.ts';
import { joinSockets } from './join-sockets.ts';
import { responseHead } from './response-head.ts';
import { bodyOf, type RawResponse, type Upgraded } from './transport.ts';

export type Exchange =
  | { readonly request: IncomingMessage; readonly response: ServerResponse }
  | { readonly request: IncomingMessage; readonly upgrade: { readonly socket: Duplex; readonly head: Buffer } };

export interface Onward {
  /** Path and query at the server. */
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  readonly signal: AbortSignal;
}

/** Of a connection, not of the message: each leg has its own. */
const HOP_BY_HOP = /^(connection|keep-alive|proxy-.*|te|trailer|upgrade)$/;

/** The headers that go on: all but those of the connection, of the credentials, and those that `unwanted` names. */
export function onwardHeaders({ headers }: IncomingMessage, unwanted = /^(host|authorization|cookie)$/) {
  const upgrade = headers.upgrade === undefined ? {} : { connection: 'Upgrade', upgrade: headers.upgrade };
  const passed = Object.entries(headers).filter(([name]) => !unwanted.test(name) && !HOP_BY_HOP.test(name));
  return { ...Object.fromEntries(passed), ...upgrade };
}

/** Resolves when the exchange is over. Throws when the server gave no answer. */
export async function relay(to: HttpClient, exchange: Exchange, onward: Onward): Promise<void> {
  const { request } = exchange;
  const outgoing = { method: request.method ?? 'GET', ...onward };
  if ('upgrade' in exchange) {
    const answer = await to.upgrade(outgoing);
    return 'socket' in answer && 'head' in answer
      ? join(exchange.upgrade, answer)
      : refuse(exchange.upgrade.socket, answer);
  }
  return answerWith(exchange.response, await to.request({ ...outgoing, ...bodyOf(request) }));
}

async function answerWith(response: ServerResponse, answer: RawResponse): Promise<void> {
  const headers = Object.entries(answer.headers).filter(([name]) => !HOP_BY_HOP.test(name));
  response.writeHead(answer.statusCode ?? 502, Object.fromEntries(headers));
  // A watch says nothing for a while: its head must go out before its first line.
  response.flushHeaders();
  // Either end may go at any time; that is how streams end, and nobody is left to be told.
  await pipeline(answer, response).catch(() => undefined);
}

async function join(caller: { readonly socket: Duplex; readonly head: Buffer }, server: Upgraded): Promise<void> {
  caller.socket.write(responseHead(server.response, { ends: false }));
  if (server.head.length > 0) caller.socket.write(server.head);
  if (caller.head.length > 0) server.socket.write(caller.head);
  await joinSockets(caller.socket, server.socket);
}

/** The server answered plainly instead of changing the protocol. */
async function refuse(socket: Duplex, answer: RawResponse): Promise<void> {
  socket.write(responseHead(answer, { ends: true }));
  await pipeline(answer, socket).catch(() => undefined);
}
