/**
 * All controllers of the platform, in the order of `controller-names.ts`.
 *
 * They know nothing of each other and fail alone. Where several processes may run them, one leads: its clients are made
 * by `leading-clients.ts`.
 */
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { ghippoControllers } from '#ghippo/controllers.ts';
import type { Database } from '#ghippo/database/database.ts';
import type { MemberClients } from '#kpanda/registry/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { Controller, Informers } from '#kube/runtime/index.ts';
import { instanceController, statusSyncController } from '../instances/index.ts';
import { askInstance } from '../proxy/ask-instance.ts';
import type { PlatformClients } from '../proxy/instance-client.ts';
import type { InstancePool } from '../proxy/instance-pool.ts';
import { clustersOf } from '../read/clusters-of.ts';
import type { Reads } from '../read/reads.ts';
import { clusterSyncController } from './cluster-sync-controller.ts';
import { failoverSyncController } from './failover-sync-controller.ts';
import { globalResourceRegistryController } from './global-resource-registry-controller.ts';
import { instanceRegistryController } from './instance-registry-controller.ts';
import { rbacSyncController } from './rbac-sync-controller.ts';
import { resourceStatisticsController } from './resource-statistics-controller.ts';
import { virtualClusterSyncController } from './virtual-cluster-sync-controller.ts';

export interface PlatformControllerDeps {
  readonly client: KubeClient;
  readonly informers: Informers;
  /** What the identity module keeps beside its objects. */
  readonly database: Database;
  readonly pool: InstancePool;
  readonly instances: PlatformClients;
  readonly members: MemberClients;
  readonly reads: Reads;
  readonly clock: Clock;
  readonly log: Log;
}

export function platformControllers(deps: PlatformControllerDeps): readonly Controller[] {
  const { client, informers, database, pool, instances, members, reads, clock, log } = deps;
  const common = { client, informers };
  const membersOf = clustersOf(reads, instances);
  const ask = (name: string, signal: AbortSignal) => askInstance((wanted) => pool.find(wanted), name, signal);
  return [
    instanceController({ ...common, clock, membersOf }),
    statusSyncController({ ...common, clock, ask }),
    globalResourceRegistryController(common),
    instanceRegistryController(common),
    virtualClusterSyncController(common),
    clusterSyncController({ ...common, instances, members, clock, log }),
    resourceStatisticsController({ ...common, reads }),
    rbacSyncController({ informers, instances }),
    failoverSyncController({ informers, instances }),
    ...ghippoControllers({ client, database, informers, clock }),
  ];
}
