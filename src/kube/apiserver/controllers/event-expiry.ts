/** Events are news: an hour after they were last seen they are deleted. */
import type { Clock } from '#base/clock.ts';
import { hasReason } from '#base/status-error.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { type KubeObject, parseKey } from '#kube/meta/object.ts';
import { type Controller, done, type Outcome, type Reconcile, retryIn } from '#kube/runtime/controller.ts';

const EVENTS = { group: '', version: 'v1', resource: 'events' } as const;
const HOUR_MS = 3_600_000;

export function eventExpiry({ client, clock }: { readonly client: KubeClient; readonly clock: Clock }): Controller {
  async function reconcile({ key }: Reconcile): Promise<Outcome> {
    const event = await client.get(EVENTS, parseKey(key)).catch(ifGone);
    if (!event) return done;
    const left = lastSeen(event) + HOUR_MS - clock.now();
    if (left > 0) return retryIn(left, 'the event is still news');
    const { uid } = event.metadata;
    await client.delete(EVENTS, parseKey(key), uid === undefined ? {} : { preconditions: { uid } }).catch(ifGone);
    return done;
  }
  return { name: 'event-expiry', watches: [{ gvr: EVENTS }], concurrency: 5, reconcile };
}

function lastSeen(event: KubeObject): number {
  const times = [event['lastTimestamp'], event['eventTime'], event.metadata.creationTimestamp];
  return Math.max(0, ...times.map((time) => (typeof time === 'string' ? Date.parse(time) : 0)));
}

function ifGone(error: unknown): undefined {
  if (!hasReason(error, 'NotFound', 'Conflict')) throw error;
}
