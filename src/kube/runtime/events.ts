/**
 * Tells users of an object what happened to it, as Events they see in `kubectl describe`.
 *
 * Telling never waits and never fails: it is written in the background, in order, and what cannot be written (the server
 * is away, too much waits already) is dropped, because an Event is a courtesy and not a record. `event-correlator.ts`
 * decides what is worth an Event.
 */
import { type Clock, rfc3339, systemClock } from '#base/clock.ts';
import { type Log, silentLog } from '#base/log.ts';
import { hasReason } from '#base/status-error.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { KubeObject, ObjectKey } from '#kube/meta/object.ts';
import { eventCorrelator, type Occurrence, type Verdict } from './event-correlator.ts';

export interface EventRecorder {
  event(about: Occurrence['about'], type: 'Normal' | 'Warning', reason: string, message: string): void;
  /** Resolves when nothing waits any more; for orderly ends and tests. */
  flush(): Promise<void>;
}

export interface EventRecorderDeps {
  readonly client: Pick<KubeClient, 'create' | 'patch'>;
  /** Who tells it: a controller's or program's name. */
  readonly component: string;
  readonly clock?: Clock;
  readonly log?: Log;
}

const EVENTS = { group: '', version: 'v1', resource: 'events' };
const WAITING = 1000;
const MESSAGE_LENGTH = 1024;

/** Of all recorders together: two that tell of one object in the same millisecond must not give the same name. */
let serial = 0;

export function eventRecorder({
  client,
  component,
  clock = systemClock,
  log = silentLog,
}: EventRecorderDeps): EventRecorder {
  const correlator = eventCorrelator();
  const waiting: Occurrence[] = [];
  /** Where each Event that was told about was written. */
  const written = new Map<string, ObjectKey>();
  let writing: Promise<void> | undefined;

  async function writeAll(): Promise<void> {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const verdict = correlator.judge(next);
      if (verdict.kind === 'drop') continue;
      await write(next, verdict).catch((error: unknown) => {
        correlator.forget(verdict.id);
        written.delete(verdict.id);
        log.debug('an event could not be written', { reason: next.reason, error });
      });
    }
    writing = undefined;
  }

  async function write(occurrence: Occurrence, verdict: Verdict & { kind: 'tell' }): Promise<void> {
    const known = verdict.count > 1 ? written.get(verdict.id) : undefined;
    if (known && (await repeated(known, occurrence, verdict))) return;
    const event = eventOf(occurrence, verdict);
    await client.create(EVENTS, event);
    if (written.size > 4 * WAITING) written.clear();
    written.set(verdict.id, event.metadata);
  }

  /** Whether the Event was still there: servers drop them after an hour or so. */
  async function repeated({ namespace, name }: ObjectKey, { at }: Occurrence, verdict: Verdict & { kind: 'tell' }) {
    const body = { count: verdict.count, lastTimestamp: rfc3339(at), message: verdict.message };
    const key = namespace === undefined ? { name } : { namespace, name };
    return client.patch(EVENTS, key, { type: 'merge', body }).then(
      () => true,
      (error: unknown) => {
        if (hasReason(error, 'NotFound')) return false;
        throw error;
      },
    );
  }

  function eventOf({ about, type, reason, at }: Occurrence, { message, count, since }: Verdict & { kind: 'tell' }) {
    const { namespace, name, uid, resourceVersion } = about.metadata;
    // As client-go names them: the object's name and nanoseconds, here with a serial number below the millisecond.
    const stamp = (BigInt(at) * 1_000_000n + BigInt(serial++ % 1_000_000)).toString(16);
    return {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `${name.slice(0, 230)}.${stamp}`, namespace: namespace ?? 'default' },
      involvedObject: { apiVersion: about.apiVersion, kind: about.kind, namespace, name, uid, resourceVersion },
      type,
      reason,
      message,
      count,
      firstTimestamp: rfc3339(since),
      lastTimestamp: rfc3339(at),
      source: { component },
      reportingComponent: component,
      reportingInstance: '',
    } satisfies KubeObject;
  }

  return {
    event(about, type, reason, message) {
      if (waiting.length >= WAITING) return;
      waiting.push({ about, type, reason, message: shortened(message), at: clock.now() });
      writing ??= Promise.resolve().then(writeAll);
    },
    async flush() {
      await writing;
    },
  };
}

function shortened(message: string): string {
  return message.length <= MESSAGE_LENGTH ? message : `${message.slice(0, MESSAGE_LENGTH - 1)}…`;
}
