/** Every service of the platform behind one handler: who calls, whether they may, what they did, and the answer. */
import type { Log } from '#base/log.ts';
import { type Audited, auditing, authorizing, type RpcHandler, rpcHandler, type ServedService } from '#rpc/index.ts';
import { type NodeRequest, type NodeResponse, openApiHandler } from '#rpc/index.ts';
import { authorizeCall } from '../access/authorize.ts';
import type { Identify } from '../access/identify.ts';
import { instances as instancesOf } from '../instances/kinds.ts';
import type { Search } from '../read/search.ts';
import type { Watches } from '../read/watches.ts';
import { apiextensionsService } from './apiextensions/apiextensions-service.ts';
import { aggregationService } from './aggregation/aggregation-service.ts';
import { appsService } from './apps/apps-service.ts';
import { autoscalingService } from './autoscaling/autoscaling-service.ts';
import { batchService } from './batch/batch-service.ts';
import { coreService } from './core/core-service.ts';
import { clusterService, type ClusterServiceDeps } from './cluster/cluster-service.ts';
import { cloudShellService, type CloudShellServiceDeps } from './cloudshell/cloud-shell-service.ts';
import { driftService } from './drift/drift-service.ts';
import { imageService, type ImageServiceDeps } from './image/image-service.ts';
import { knownInstance } from './known-instance.ts';
import { insightService, type InsightServiceDeps } from './insight/insight-service.ts';
import { instanceService, type InstanceServiceDeps } from './instance/instance-service.ts';
import { interpreterService } from './interpreter/interpreter-service.ts';
import { networkingService } from './networking/networking-service.ts';
import { placementService } from './placement/placement-service.ts';
import { policyService } from './policy/policy-service.ts';
import { searchService } from './search/search-service.ts';
import { traceService } from './trace/trace-service.ts';
import { watchService } from './watch/watch-service.ts';
import { workloadService } from './workload/workload-service.ts';
import { workspaceService, type WorkspaceServiceDeps } from './workspace/workspace-service.ts';

export interface PlatformServiceDeps
  extends InstanceServiceDeps,
    ClusterServiceDeps,
    WorkspaceServiceDeps,
    CloudShellServiceDeps,
    ImageServiceDeps,
    InsightServiceDeps {
  readonly search: Search;
  readonly watches: Watches;
}

export interface PlatformApiDeps extends PlatformServiceDeps {
  readonly identify: Identify;
  readonly audit: (entry: Audited) => void;
  readonly log: Log;
  readonly version: string;
}

export interface PlatformApi {
  /** Answers requests of its own and says true, or leaves a request alone. */
  handle(request: NodeRequest, response: NodeResponse): boolean;
  readonly routes: RpcHandler['routes'];
}

export function platformServices(deps: PlatformServiceDeps): readonly ServedService[] {
  return [
    instanceService(deps),
    appsService(deps),
    clusterService(deps),
    batchService(deps),
    autoscalingService(deps),
    policyService(deps),
    aggregationService(deps),
    coreService(deps),
    networkingService(deps),
    apiextensionsService(deps),
    placementService(deps),
    interpreterService(deps),
    driftService(deps),
    workloadService(deps),
    searchService(deps),
    traceService(deps),
    watchService(deps),
    workspaceService(deps),
    cloudShellService(deps),
    imageService(deps),
    insightService(deps),
  ];
}

export function platformApi(deps: PlatformApiDeps): PlatformApi {
  const { identify, access, audit, clock, log } = deps;
  const instances = instancesOf(deps.global);
  const handler = rpcHandler({
    services: platformServices(deps),
    authenticate: ({ verb, header, peer }) =>
      identify({ method: verb, headers: Object.fromEntries(header), address: peer.address }),
    interceptors: [
      ...interceptors({ access, audit, clock, identify }),
      knownInstance(async (name) => (await instances.find(name)) !== undefined),
    ],
    clock,
    log,
  });
  const documents = openApiHandler({ routes: handler.routes, title: 'Kairship', version: deps.version });
  return {
    routes: handler.routes,
    handle: (request, response) => handler.handle(request, response) || documents(request, response),
  };
}

/** What is refused is on record too: the record is the outer of the two. */
function interceptors(deps: Pick<PlatformApiDeps, 'access' | 'audit' | 'clock' | 'identify'>) {
  const { access, audit, clock, identify } = deps;
  return [
    auditing(clock, audit),
    authorizing((call) => authorizeCall(access, call), {
      clock,
      // Whoever has signed out or was disabled meanwhile is nobody; whoever lost a group, somebody with fewer rights.
      async again(call) {
        const { verb: method, header, peer } = call;
        const caller = await identify({ method, headers: Object.fromEntries(header), address: peer.address });
        authorizeCall(access, { ...call, caller });
      },
    }),
  ];
}
