/**
 * The inventory of clusters behind the entrance: Kpanda's API for the platform's callers. Their rights are looked at
 * before the inventory hears of a call; of the index, `read/index-door.ts` is the entrance.
 */
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { PLATFORM } from '#ghippo/apis/scope.ts';
import type { ClusterRegistry, MemberClients } from '#kpanda/registry/index.ts';
import { kpandaApi } from '#kpanda/services/index.ts';
import { type Audited, auditing, authorizing, type RpcHandler } from '#rpc/index.ts';
import { type Access, authorizeCall, rightsOf } from '../access/authorize.ts';
import type { Identify } from '../access/identify.ts';
import { kpandaPermission } from '../access/kpanda-product.ts';

export interface InventoryApiDeps {
  readonly registry: ClusterRegistry;
  readonly members: MemberClients;
  readonly identify: Identify;
  readonly access: Access;
  readonly audit: (entry: Audited) => void;
  readonly clock: Clock;
  readonly log: Log;
}

const LIST = kpandaPermission('cluster', 'list');

export function inventoryApi(deps: InventoryApiDeps): RpcHandler {
  const { registry, members, identify, access, audit, clock, log } = deps;
  return kpandaApi({
    registry,
    members,
    sees: (caller) => access.decide({ ...rightsOf(caller), permission: LIST, scope: PLATFORM }).allowed,
    authenticate: ({ verb, header, peer }) =>
      identify({ method: verb, headers: Object.fromEntries(header), address: peer.address }),
    interceptors: [auditing(clock, audit), authorizing((call) => authorizeCall(access, call))],
    clock,
    log,
  });
}
