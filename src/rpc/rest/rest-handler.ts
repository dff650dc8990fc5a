/**
 * REST in front of the implementations that also answer gRPC: the same gate, the same interceptors, the same errors.
 *
 * A request is found its route, its caller is made known before anything of it is read, its parts become one message,
 * and the answer becomes JSON. Start at {@link restHandler}.
 */
import type { DescMethod, JsonValue, Message, Registry } from '@bufbuild/protobuf';
import {
  Code,
  ConnectError,
  createContextValues,
  createHandlerContext,
  type HandlerContext,
  type Interceptor,
  type MethodImplSpec,
} from '@connectrpc/connect';
import {
  createAsyncIterable,
  invokeUnaryImplementation,
  transformInvokeImplementation,
} from '@connectrpc/connect/protocol';
import { badRequest, StatusError } from '#base/status-error.ts';
import { PEER } from '../caller.ts';
import type { RpcLimits } from '../limits.ts';
import { headersOf, leavingSignal, type NodeRequest, type NodeResponse, peerOf, targetOf } from '../node-request.ts';
import { readBody } from './read-body.ts';
import { routeTable } from './route-table.ts';
import type { Route } from './routes.ts';
import { answerJson, requestMessage } from './transcode.ts';
import { writeError, writeJson, writeStream } from './write-answer.ts';

export interface RestOptions {
  readonly routes: readonly Route[];
  readonly implementation: (rpc: DescMethod) => MethodImplSpec;
  /** Runs before a body is read; a throw refuses the request. */
  readonly gate: (context: HandlerContext) => Promise<void>;
  readonly interceptors: readonly Interceptor[];
  readonly registry: Registry;
  readonly limits: RpcLimits;
}

/** Answers a request that has a route and says true, or leaves it alone. */
export function restHandler(options: RestOptions): (request: NodeRequest, response: NodeResponse) => boolean {
  const table = routeTable(options.routes);
  return (request, response) => {
    const { path, query } = targetOf(request);
    // HEAD is GET whose answer Node leaves out.
    const found = table.find(request.method === 'HEAD' ? 'GET' : (request.method ?? ''), path);
    if (found.kind === 'none' || found.kind === 'malformed') return false;
    const answer =
      found.kind === 'found'
        ? serve(options, { ...found, query }, request, response)
        : Promise.reject(otherMethod(request, response, found.allowed));
    answer.catch((error: unknown) => refuse(options, request, response, error));
    return true;
  };
}

/** Made once: an error of its own for every call that ends well would be most of the cost of ending it. */
const OVER = new ConnectError('the call is over', Code.Canceled);

interface Match {
  readonly route: Route;
  readonly segments: readonly string[];
  readonly query: string;
}

async function serve(options: RestOptions, match: Match, request: NodeRequest, response: NodeResponse): Promise<void> {
  const { rpc } = match.route;
  const header = headersOf(request);
  const context = createHandlerContext({
    service: rpc.parent,
    method: rpc,
    protocolName: 'rest',
    requestMethod: request.method ?? '',
    url: request.url ?? '',
    requestHeader: header,
    requestSignal: leavingSignal(response),
    contextValues: createContextValues().set(PEER, peerOf(request)),
    ...timeoutOf(header, options.limits),
  });
  try {
    await options.gate(context);
    const body = match.route.body === undefined ? undefined : await jsonBody(request, options.limits);
    const message = requestMessage(match.route, { ...match, body }, options);
    await answer(options, match.route, context, message, response);
  } finally {
    context.abort(OVER);
  }
}

async function answer(
  { implementation, interceptors, registry }: RestOptions,
  { rpc, responseBody }: Route,
  context: HandlerContext,
  message: Message,
  response: NodeResponse,
): Promise<void> {
  const spec = implementation(rpc);
  const json = (output: Message) => answerJson(rpc.output, output, responseBody, registry);
  if (spec.kind === 'unary') {
    const output = await invokeUnaryImplementation(spec, context, message, [...interceptors]);
    return writeJson(response, 200, json(output), Object.fromEntries(context.responseHeader));
  }
  const outputs = transformInvokeImplementation(spec, context, [...interceptors])(createAsyncIterable([message]));
  const events = (context.requestHeader.get('accept') ?? '').includes('text/event-stream');
  await writeStream(response, mapped(outputs, json), { events, registry, signal: context.signal });
}

async function* mapped(
  messages: AsyncIterable<Message>,
  json: (message: Message) => JsonValue,
): AsyncGenerator<JsonValue> {
  for await (const message of messages) yield json(message);
}

/** JSON whatever it is called: `curl -d` calls everything a form, and the published API has always taken that. */
function jsonBody(request: NodeRequest, limits: RpcLimits): Promise<Uint8Array> {
  return readBody(request, limits.bodyBytes);
}

/** The time a caller gives: `Connect-Timeout-Ms: 1500`, or as gRPC has it `Grpc-Timeout: 1500m`. */
function timeoutOf(header: Headers, { maxDeadlineMs }: RpcLimits): { readonly timeoutMs?: number } {
  const text = header.get('connect-timeout-ms') ?? header.get('grpc-timeout');
  if (text === null) return {};
  const [, digits, unit = 'm'] = text.match(/^(\d{1,10})([HMSmun]?)$/) ?? [];
  const timeoutMs = Math.ceil(Number(digits) * (UNIT_MS[unit || 'm'] ?? Number.NaN));
  if (!(timeoutMs >= 0)) throw badRequest(`"${text}" is not a timeout`);
  if (timeoutMs > maxDeadlineMs) throw badRequest(`the timeout is longer than ${maxDeadlineMs} ms`);
  return { timeoutMs };
}

const UNIT_MS: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1000, m: 1, u: 1e-3, n: 1e-6 };

function otherMethod(request: NodeRequest, response: NodeResponse, allowed: readonly string[]): StatusError {
  response.setHeader('allow', allowed.join(', '));
  return new StatusError('MethodNotAllowed', `${request.method} is not served here, but ${allowed.join(', ')}`);
}

function refuse({ registry }: RestOptions, request: NodeRequest, response: NodeResponse, error: unknown): void {
  // What is left of a body that nobody wants would have to be read before the next request on this connection.
  if (!request.complete && request.httpVersionMajor === 1) response.setHeader('connection', 'close');
  writeError(response, error, registry);
}
