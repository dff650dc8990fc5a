/** The inventory as an API: REST, gRPC and Connect, from one implementation. */
export { clusterService, type ClusterServiceDeps } from './cluster-service.ts';
export { kpandaApi, type KpandaApiDeps } from './kpanda-api.ts';
export { reviewedCalls, type ReviewedCalls } from './reviewed-calls.ts';
