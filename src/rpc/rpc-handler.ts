/**
 * Services on the web: gRPC, gRPC-Web, Connect and REST from one implementation each, by their descriptors alone.
 *
 *     const handler = rpcHandler({ services: [service(InstanceService, instances)], authenticate, interceptors, log, clock });
 *     createServer((request, response) => handler.handle(request, response) || elsewhere(request, response));
 *
 * All four go through the same gate (who is calling), the same interceptors and the same errors. A handler answers
 * `/<package>.<Service>/<Rpc>` and the paths of the `google.api.http` options, and says of everything else that it is not its
 * own. It listens to nothing: `server/one-port.ts` does, or any server of Node's.
 */
import { createRegistry, type DescMethod, type DescService, type Registry } from '@bufbuild/protobuf';
import {
  createConnectRouter,
  createContextValues,
  createServiceImplSpec,
  type HandlerContext,
  type Interceptor,
  type MethodImplSpec,
  type ServiceImpl,
} from '@connectrpc/connect';
import {
  compressionGzip,
  universalRequestFromNodeRequest,
  universalResponseToNodeResponse,
} from '@connectrpc/connect-node';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { badRequest } from '#base/status-error.ts';
import { file_google_rpc_error_details } from '#gen/proto/google/rpc/error_details_pb.ts';
import { type Authenticate, CALLER, PEER } from './caller.ts';
import { deadline } from './interceptors/deadline.ts';
import { logging } from './interceptors/logging.ts';
import { openStreams } from './interceptors/open-streams.ts';
import { sendingStatus } from './interceptors/sending-status.ts';
import { DEFAULT_LIMITS, type RpcLimits } from './limits.ts';
import { type NodeRequest, type NodeResponse, peerOf, targetOf } from './node-request.ts';
import { restHandler } from './rest/rest-handler.ts';
import { type Route, routesOf } from './rest/routes.ts';
import { writeError } from './rest/write-answer.ts';
import { toConnectError } from './status-codes.ts';

/** A service with what answers it. */
export interface ServedService {
  readonly desc: DescService;
  readonly implementation: (rpc: DescMethod) => MethodImplSpec;
  readonly serves: (rpc: DescMethod) => boolean;
}

/**
 * A service and its implementation. RPCs that it leaves out are served by nobody: they have no route and no place in the
 * OpenAPI document.
 */
export function service<Desc extends DescService>(desc: Desc, impl: Partial<ServiceImpl<Desc>>): ServedService {
  const { methods } = createServiceImplSpec(desc, impl as ServiceImpl<DescService>);
  return {
    desc,
    serves: (rpc) => rpc.localName in impl,
    implementation: (rpc) => methods[rpc.localName] as MethodImplSpec,
  };
}

export interface RpcOptions {
  readonly services: readonly ServedService[];
  readonly authenticate?: Authenticate;
  /** Outermost first. They see what the implementation throws, before it is translated. */
  readonly interceptors?: readonly Interceptor[];
  readonly limits?: Partial<RpcLimits>;
  readonly clock: Clock;
  readonly log: Log;
}

export interface RpcHandler {
  /** Answers a request of its own and says true, or leaves it alone. */
  handle(request: NodeRequest, response: NodeResponse): boolean;
  readonly routes: readonly Route[];
  readonly rpcs: readonly DescMethod[];
  /** Every message that may be in an answer, errors included. */
  readonly registry: Registry;
}

export function rpcHandler(options: RpcOptions): RpcHandler {
  const { services, clock, log } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const registry = createRegistry(file_google_rpc_error_details, ...services.map(({ desc }) => desc.file));
  const interceptors = [
    sendingStatus,
    logging(clock, log),
    openStreams(limits.openStreams),
    deadline(clock, limits.defaultDeadlineMs),
    ...(options.interceptors ?? []),
  ];
  const gate = gateOf(options.authenticate);
  const served = services.flatMap(({ desc, serves, implementation }) =>
    desc.methods.filter(serves).map((rpc) => [rpc, implementation(rpc)] as const),
  );
  const implementations = new Map(served);
  const routes = services.flatMap(({ desc }) => routesOf(desc)).filter(({ rpc }) => implementations.has(rpc));
  const implementation = (rpc: DescMethod) => implementations.get(rpc) as MethodImplSpec;
  const rest = restHandler({ routes, implementation, gate, interceptors, registry, limits });
  const rpc = protocols(implementations, { gate, interceptors, registry, limits, log });
  return {
    handle: (request, response) => rpc(request, response) || rest(request, response),
    routes,
    rpcs: [...implementations.keys()],
    registry,
  };
}

/** Makes the caller known to whatever comes after; errors become those of the protocols, as no interceptor is near yet. */
function gateOf(authenticate: Authenticate | undefined): (context: HandlerContext) => Promise<void> {
  return async ({ method: rpc, requestHeader: header, requestMethod: verb, url, values, signal }) => {
    if (!authenticate) return;
    try {
      values.set(CALLER, await authenticate({ rpc, header, verb, url, peer: values.get(PEER), signal }));
    } catch (error) {
      throw toConnectError(error);
    }
  };
}

/** The three protocols whose paths are made of the names of services and RPCs. */
function protocols(
  implementations: ReadonlyMap<DescMethod, MethodImplSpec>,
  options: {
    readonly gate: (context: HandlerContext) => Promise<void>;
    readonly interceptors: Interceptor[];
    readonly registry: Registry;
    readonly limits: RpcLimits;
    readonly log: Log;
  },
): (request: NodeRequest, response: NodeResponse) => boolean {
  const { gate, interceptors, registry, limits, log } = options;
  const router = createConnectRouter({
    interceptors,
    requestGate: gate,
    readMaxBytes: limits.bodyBytes,
    maxTimeoutMs: limits.maxDeadlineMs,
    acceptCompression: [compressionGzip],
    jsonOptions: { registry, recursionLimit: limits.depth },
  });
  for (const [rpc, spec] of implementations) router.rpc(rpc, spec.impl as never);
  const handlers = new Map(router.handlers.map((handler) => [handler.requestPath, handler]));

  return (request, response) => {
    const handler = handlers.get(targetOf(request).path);
    if (!handler) return false;
    const values = createContextValues().set(PEER, peerOf(request));
    const answer = async () => {
      const incoming = universalRequestFromNodeRequest(request, response, undefined, values);
      await universalResponseToNodeResponse(await handler(incoming), response);
    };
    answer().catch((error: unknown) => {
      // A host that is none, or a caller who has left: nothing of it is a fault of the implementation.
      log.debug('request given up', { rpc: handler.requestPath, error });
      writeError(response, badRequest('the request cannot be read'), registry);
    });
    return true;
  };
}
