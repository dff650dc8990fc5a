/** What one elected replica does for all: telling products of bindings, and clearing up after what was deleted. */
import { type Clock, systemClock } from '#base/clock.ts';
import { type Log, silentLog } from '#base/log.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { Controller } from '#kube/runtime/controller.ts';
import { type Informers, informers as newInformers } from '#kube/runtime/informer.ts';
import { manager } from '#kube/runtime/manager.ts';
import { ghippoClients } from './apis/resources.ts';
import type { Database } from './database/database.ts';
import { cleanupController } from './identity/cleanup-controller.ts';
import { deliveryStore } from './webhook/delivery-store.ts';
import { httpPost, type Post } from './webhook/post.ts';
import { webhookController } from './webhook/webhook-controller.ts';

export interface GhippoControllersOptions {
  readonly client: KubeClient;
  readonly database: Database;
  readonly informers: Informers;
  readonly clock?: Clock;
  readonly post?: Post;
}

export function ghippoControllers(options: GhippoControllersOptions): readonly Controller[] {
  const { client, database, informers, clock = systemClock, post = httpPost } = options;
  const deliveries = deliveryStore({ database, clock });
  return [
    cleanupController({ client }),
    webhookController({ client, clients: ghippoClients(client), informers, deliveries, post, clock }),
  ];
}

/** Runs them until the signal aborts. */
export async function runGhippoControllers(
  options: Omit<GhippoControllersOptions, 'informers'> & { readonly signal: AbortSignal; readonly log?: Log },
): Promise<void> {
  const { client, signal, log = silentLog } = options;
  const informers = newInformers(client, { signal, log });
  await manager({ client, controllers: ghippoControllers({ ...options, informers }), informers, log }).start(signal);
}
