export { clusterProxyApi } from './cluster-proxy-api.ts';
export { type ClusterDeps, clusterController } from './cluster-controller.ts';
export { type ClusterStatusDeps, clusterStatusController } from './cluster-status-controller.ts';
export { type UnifiedAuthDeps, unifiedAuthController } from './unified-auth-controller.ts';
export { type JoinOptions, join, unjoin } from './join.ts';
export { type Member, type Members, type MembersDeps, members } from './members.ts';
export { DEFAULT_THRESHOLDS, type Thresholds } from './ready-condition.ts';
