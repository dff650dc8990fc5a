/** The controllers a cluster cannot do without: namespaces end, garbage is collected, events expire. */
import { type Clock, systemClock } from '#base/clock.ts';
import { type Ids, randomIds } from '#base/ids.ts';
import { type Log, silentLog } from '#base/log.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { manager } from '#kube/runtime/manager.ts';
import type { ApiServer } from '../api-server.ts';
import { eventExpiry } from './event-expiry.ts';
import { collectGarbage } from './garbage-collector.ts';
import { namespaceLifecycle } from './namespace-lifecycle.ts';

export interface KubeControllersDeps {
  /** May do everything. */
  readonly client: KubeClient;
  /** The client's own. */
  readonly server: Pick<ApiServer, 'observe'>;
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly log?: Log;
}

/** Runs until the signal aborts. Of several servers on one store, one at a time should run them. */
export async function runKubeControllers(deps: KubeControllersDeps, signal: AbortSignal): Promise<void> {
  const { client, server, clock = systemClock, ids = randomIds, log = silentLog } = deps;
  const common = { client, clock, ids, log };
  const controllers = [namespaceLifecycle(common), eventExpiry(common)];
  await Promise.all([manager({ ...common, controllers }).start(signal), collectGarbage({ ...common, server }, signal)]);
}
