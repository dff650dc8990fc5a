/** What every service is made of: where it reads, where it writes, and who may. */
import type { Clock } from '#base/clock.ts';
import type { Permission } from '#ghippo/apis/permission.ts';
import type { Reach } from '#ghippo/decision/index.ts';
import type { HandlerContext } from '@connectrpc/connect';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { callerOf } from '#rpc/index.ts';
import { type Access, type PlatformCaller, reachOf } from '../access/authorize.ts';
import type { InstanceAddress, InstanceClients } from '../proxy/instance-client.ts';
import type { Reads } from '../read/reads.ts';
import { type Writes, writes } from '../write/writes.ts';

export interface ServiceDeps {
  /** The global cluster, where instances, clusters and people are written down. */
  readonly global: KubeClient;
  readonly clients: InstanceClients;
  readonly reads: Reads;
  readonly access: Access;
  readonly clock: Clock;
}

export type Context = Pick<HandlerContext, 'values' | 'signal'>;

export const callerIn = (context: Context): PlatformCaller => callerOf(context);

/** The instance, or a member of it, as the caller of a request. */
export function clientIn({ clients }: ServiceDeps, context: Context, address: InstanceAddress): KubeClient {
  return clients(address, callerIn(context));
}

export function writesIn(deps: ServiceDeps, context: Context, address: InstanceAddress): Writes {
  return writes(clientIn(deps, context, address));
}

/** Where the caller of a request may see something, within an instance. */
export function reachIn(deps: ServiceDeps, context: Context, permission: Permission, instance: string): Reach {
  return reachOf(deps.access, callerIn(context), permission, instance);
}
