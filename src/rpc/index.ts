export { type Authenticate, type Caller, CALLER, callerOf, type Credentials, type Peer } from './caller.ts';
export { type Audited, auditing } from './interceptors/auditing.ts';
export { authorizing } from './interceptors/authorizing.ts';
export { type Call, operationOf, rpcName } from './interceptors/call.ts';
export { DEFAULT_LIMITS, type RpcLimits } from './limits.ts';
export type { NodeRequest, NodeResponse } from './node-request.ts';
export { openApi } from './openapi/open-api.ts';
export { type OpenApiOptions, openApiHandler } from './openapi/open-api-handler.ts';
export { type Route, routesOf } from './rest/routes.ts';
export { rpcClient } from './rpc-client.ts';
export { type RpcHandler, rpcHandler, type RpcOptions, type ServedService, service } from './rpc-handler.ts';
export {
  CONNECTION_LIMITS,
  type ConnectionLimits,
  type OnePort,
  onePort,
  type OnePortOptions,
} from './server/one-port.ts';
export { toConnectError, toStatusError } from './status-codes.ts';
