/**
 * The server's face on the network: HTTP/1.1 over TLS (or plain, for a loopback or a socket of one's own).
 *
 *     authenticate → impersonate → route → authorize → verb, extension or path
 *
 * Everything that goes wrong on the way is answered once, here, as a Status.
 */
import type { IncomingMessage, RequestListener, Server, ServerOptions, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { SecureContextOptions } from 'node:tls';
import { createServer } from '#base/node-http.ts';
import { StatusError, statusOf } from '#base/status-error.ts';
import type { User } from '../admission.ts';
import { type Authenticator, authenticate } from '../auth/authenticate.ts';
import { type Attributes, type Authorizer, requireAllowed, type ResourceAttributes } from '../auth/authorize.ts';
import { impersonate, impersonates } from '../auth/impersonate.ts';
import type { Core } from '../core.ts';
import type { Extensions } from '../extensions.ts';
import type { ApiExtension } from '../extension.ts';
import { methodNotAllowed, resourceNotServed } from '../failures.ts';
import type { Limits } from '../limits.ts';
import type { RequestMetrics } from '../request-metrics.ts';
import { parseBody } from '../write/decode.ts';
import { JSON_ANSWER, objectOnly } from './negotiate.ts';
import { readBody } from './read-body.ts';
import { type RequestNotes, requestNotes, type RequestWitness } from './request-notes.ts';
import { type Exchange, sendFailure, sendJson } from './respond.ts';
import { type ResourceRoute, routeOf } from './route.ts';
import { type PathDeps, servePath } from './serve-path.ts';
import { serveResource, verbOf } from './serve-resource.ts';

export interface HttpDeps extends PathDeps {
  readonly core: Core;
  readonly authenticators: readonly Authenticator[];
  readonly anonymous: boolean;
  readonly authorizer: Authorizer;
  readonly extensions: Extensions;
  readonly requests: RequestMetrics;
  readonly witness: RequestWitness | undefined;
  readonly closing: AbortSignal;
}

export interface ListenOptions {
  readonly host?: string;
  /** 0 or absent: any free port. */
  readonly port?: number;
  /** Certificate and key; `ca` signs the client certificates that are taken. Absent: plain HTTP. */
  readonly tls?: SecureContextOptions;
}

export interface Listening {
  readonly port: number;
  readonly url: string;
  /** For a change of certificate under way. */
  readonly server: Server;
}

export async function listen(deps: HttpDeps, options: ListenOptions): Promise<Listening> {
  const { host = '127.0.0.1', port = 0, tls } = options;
  const { limits } = deps.core;
  const base = baseOptions(limits);
  const server = tls
    ? createTlsServer({
        ...base,
        ...tls,
        requestCert: tls.ca !== undefined,
        rejectUnauthorized: false,
        ALPNProtocols: ['http/1.1'],
      })
    : createServer(base);
  server.maxHeadersCount = limits.headerCount;
  server.maxConnections = limits.connections;
  server.on('request', handler(deps));
  server.on('upgrade', (request, socket, head) => void serveUpgrade(deps, request, socket, head));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  const shown = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return { port: address.port, url: `${tls ? 'https' : 'http'}://${shown}:${address.port}`, server };
}

function baseOptions(limits: Limits): ServerOptions {
  return {
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    // How often the two are looked at; by default only every half minute.
    connectionsCheckingInterval: Math.min(limits.headersTimeoutMs, 5_000),
    keepAliveTimeout: limits.keepAliveMs,
    keepAlive: true,
    noDelay: true,
  };
}

function handler(deps: HttpDeps): RequestListener {
  return (request, response) => {
    const notes = notesFor(deps, request, () => response.statusCode);
    if (notes) response.on('close', () => deps.witness?.(notes, 'ResponseComplete', response.statusCode));
    const exchange = exchangeOf(request, response, notes);
    const started = performance.now();
    const count = () => deps.requests.answered(request.method ?? '', response.statusCode, performance.now() - started);
    serve(deps, exchange).then(count, (error: unknown) => {
      if (!(error instanceof StatusError)) deps.core.log.error('a request failed', { url: request.url, error });
      sendFailure(exchange, error);
      count();
    });
  };
}

function notesFor({ witness, core }: HttpDeps, request: IncomingMessage, code: () => number): RequestNotes | undefined {
  if (!witness) return undefined;
  const notes = requestNotes(request, core.clock.now(), () => witness(notes, 'ResponseStarted', code()));
  return notes;
}

function exchangeOf(
  request: IncomingMessage,
  response: ServerResponse,
  notes: RequestNotes | undefined,
): Exchange & { readonly path: string } {
  const url = request.url ?? '/';
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  const query = mark < 0 ? NO_QUERY : new URLSearchParams(url.slice(mark + 1));
  return { request, response, path, query, warnings: [], notes };
}

const NO_QUERY = new URLSearchParams();

function identify(deps: HttpDeps, request: IncomingMessage, notes: RequestNotes | undefined): User | Promise<User> {
  const user = authenticate(request, deps.authenticators, deps.anonymous);
  if (!notes && !impersonates(request)) return user;
  return actingUser(deps, request, user, notes);
}

async function actingUser(
  { authorizer }: HttpDeps,
  request: IncomingMessage,
  user: User | Promise<User>,
  notes: RequestNotes | undefined,
): Promise<User> {
  const known = await user;
  if (notes) notes.user = known;
  if (!impersonates(request)) return known;
  const acting = await impersonate(request, known, authorizer);
  if (notes) notes.impersonated = acting;
  return acting;
}

/** Throws Forbidden unless the user may do this. */
function permit({ authorizer }: HttpDeps, user: User, attributes: Attributes, notes: RequestNotes | undefined) {
  if (!notes) return requireAllowed(authorizer, user, attributes);
  notes.verb = attributes.verb;
  const decision = requireAllowed(authorizer, user, attributes);
  return Promise.resolve(decision).then((made) => (notes.decision = made));
}

async function serve(deps: HttpDeps, exchange: Exchange & { readonly path: string }): Promise<void> {
  const { request, query, path, notes } = exchange;
  const route = routeOf(path);
  if (notes && route.kind === 'resource') notes.resource = route;
  const user = await identify(deps, request, notes);
  if (route.kind === 'path') {
    const verb = (request.method ?? 'GET').toLowerCase();
    await permit(deps, user, { verb: verb === 'head' ? 'get' : verb, path }, notes);
    return servePath(exchange, path, deps);
  }
  const verb = verbOf(request.method ?? 'GET', route, query);
  await permit(deps, user, attributes(verb, route), notes);
  const extension = deps.extensions.find(route, verb);
  if (extension) return serveExtension(deps, exchange, route, verb, user, extension);

  const served = deps.core.registry.find(route);
  if (!served) return notServed(deps, exchange, route);
  const agent = agentOf(request.headers['user-agent']);
  const caller = { user, agent, warn: (text: string) => void exchange.warnings.push(text) };
  await serveResource({ core: deps.core, exchange, route, verb, served, caller, closing: deps.closing });
}

/** An unknown resource is told as such only within a group and version that exist. */
function notServed(deps: HttpDeps, exchange: Exchange & { readonly path: string }, route: ResourceRoute): void {
  if (
    deps.core.registry.hasVersion(route.group, route.version) ||
    deps.extensions.hasVersion(route.group, route.version)
  ) {
    // What is only ever created exists; it is neither listed nor cleared away.
    const known = route.name === undefined && deps.extensions.find(route, 'create') !== undefined;
    throw known ? methodNotAllowed() : resourceNotServed();
  }
  servePath(exchange, exchange.path, deps);
}

async function serveExtension(
  { core, closing }: HttpDeps,
  exchange: Exchange,
  route: ResourceRoute,
  verb: string,
  user: User,
  extension: ApiExtension,
): Promise<void> {
  const { request, query } = exchange;
  // Only lists and watches are of all namespaces.
  const everywhere = verb === 'list' || verb === 'watch';
  if (extension.namespaced && route.namespace === undefined && !everywhere) throw resourceNotServed();
  const { media } = extension.answers === 'object' ? objectOnly(request.headers.accept) : JSON_ANSWER;
  const answer = await extension.serve({
    verb,
    user,
    ...pick(route),
    query,
    warn: (text) => void exchange.warnings.push(text),
    raw: exchange,
    signal: closing,
    async body() {
      const bytes = await readBody(request, core.limits.bodyBytes);
      if (bytes.length === 0) return undefined;
      return (await parseBody(bytes, request.headers['content-type'], { ...extension, ...extension.kind })).value;
    },
  });
  if (!answer) return;
  sendJson(exchange, answer.code ?? (verb === 'create' ? 201 : 200), `${JSON.stringify(answer.object)}\n`, media);
}

function pick({ namespace, name, rest }: ResourceRoute) {
  return {
    ...(namespace === undefined ? {} : { namespace }),
    ...(name === undefined ? {} : { name }),
    ...(rest === undefined ? {} : { rest }),
  };
}

/** Upgrades (exec, port-forward, proxied WebSockets) are only for extensions. */
async function serveUpgrade(deps: HttpDeps, request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
  // The peer may reset the connection at any time, also while nobody has taken the socket yet.
  socket.on('error', () => socket.destroy());
  let code = 101;
  const notes = notesFor(deps, request, () => code);
  if (notes) socket.on('close', () => deps.witness?.(notes, 'ResponseComplete', code));
  try {
    const url = new URL(request.url ?? '/', 'http://server');
    const route = routeOf(url.pathname);
    if (notes && route.kind === 'resource') notes.resource = route;
    const user = await identify(deps, request, notes);
    if (route.kind === 'path') throw resourceNotServed();
    const verb = verbOf(request.method ?? 'GET', route, url.searchParams);
    await permit(deps, user, attributes(verb, route), notes);
    const extension = deps.extensions.find(route, verb);
    if (!extension) throw resourceNotServed();
    const { upgradeVerb = verb } = extension;
    if (upgradeVerb !== verb) await permit(deps, user, attributes(upgradeVerb, route), notes);
    notes?.started();
    const raw = { request, upgrade: { socket, head } };
    const body = () => Promise.resolve(undefined);
    await extension.serve({ verb, user, ...pick(route), query: url.searchParams, raw, signal: deps.closing, body });
  } catch (error) {
    const status = statusOf(error);
    code = status.code;
    if (notes) notes.failure = status;
    const body = JSON.stringify(status);
    socket.end(
      `HTTP/1.1 ${status.code} ${status.reason ?? 'Error'}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    );
  }
}

function attributes(verb: string, route: ResourceRoute): ResourceAttributes {
  const { group, version, resource, subresource, namespace, name } = route;
  // A namespace is authorized as an object within itself.
  const within = resource === 'namespaces' ? (namespace ?? name) : namespace;
  return { verb, group, version, resource, subresource, namespace: within, name };
}

/** `kubectl` of `kubectl/v1.32.0 (linux/amd64) …`. */
function agentOf(userAgent: string | undefined): string {
  return userAgent?.split('/')[0]?.slice(0, 128) || 'unknown';
}
