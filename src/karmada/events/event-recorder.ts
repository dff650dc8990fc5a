/**
 * Tells people what controllers did, as Kubernetes Events: never in the way of the work itself.
 *
 * What is recorded is written a moment later, the same news of the same object counted up in one Event. Writes are paced;
 * when far more is told than can be written, the oldest of it is dropped. A failed write is not repeated.
 */
import { type Clock, rfc3339 } from '#base/clock.ts';
import type { Ids } from '#base/ids.ts';
import type { Log } from '#base/log.ts';
import type { EventReason } from '#karmada/apis/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { Gvr } from '#kube/meta/gvk.ts';
import type { KubeObject } from '#kube/meta/object.ts';

/** What an event is about. */
export interface Subject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
}

export interface EventRecorder {
  normal(about: Subject | KubeObject, reason: EventReason, message: string): void;
  warning(about: Subject | KubeObject, reason: EventReason, message: string): void;
}

export interface EventRecorders {
  /** The recorder of one component, by the name events carry. */
  of(component: string): EventRecorder;
}

export interface EventRecorderDeps {
  readonly client: Pick<KubeClient, 'create' | 'patch'>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly signal: AbortSignal;
}

const EVENT: Gvr = { group: '', version: 'v1', resource: 'events' };
const WRITE_EVERY_MS = 250;
const PER_WRITE = 25;
const MAX_PENDING = 2_000;
/** Events that may still be counted up; older ones start anew. */
const MAX_KNOWN = 4_000;
/** As Kubernetes limits the text. */
const MAX_MESSAGE = 1_024;

interface Entry {
  readonly name: string;
  readonly component: string;
  readonly about: Subject;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  readonly first: number;
  last: number;
  count: number;
  written: boolean;
}

export function eventRecorders(deps: EventRecorderDeps): EventRecorders {
  const { clock, ids, log, signal } = deps;
  const known = new Map<string, Entry>();
  const pending = new Set<Entry>();
  let scheduled = false;

  function record(component: string, type: Entry['type'], about: Subject, reason: string, text: string): void {
    const message = text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE - 1)}…` : text;
    const identity = [component, type, about.kind, about.namespace, about.name, about.uid, reason, message].join(
      '\u0000',
    );
    const now = clock.now();
    let entry = known.get(identity);
    if (entry) Object.assign(entry, { last: now, count: entry.count + 1 });
    else {
      const name = `${about.name}.${ids.suffix(16)}`;
      entry = { name, component, about, type, reason, message, first: now, last: now, count: 1, written: false };
      remember(identity, entry);
    }
    pending.add(entry);
    if (pending.size > MAX_PENDING) pending.delete(first(pending));
    schedule();
  }

  function remember(identity: string, entry: Entry): void {
    known.set(identity, entry);
    if (known.size > MAX_KNOWN) known.delete(first(known.keys()));
  }

  function schedule(): void {
    if (scheduled || signal.aborted) return;
    scheduled = true;
    clock.after(WRITE_EVERY_MS, () => void writeSome());
  }

  async function writeSome(): Promise<void> {
    const batch = [...pending].slice(0, PER_WRITE);
    for (const entry of batch) pending.delete(entry);
    await Promise.all(batch.map(write));
    scheduled = false;
    if (pending.size > 0) schedule();
  }

  async function write(entry: Entry): Promise<void> {
    if (signal.aborted) return;
    const namespace = entry.about.namespace ?? 'default';
    try {
      if (entry.written) {
        const body = { count: entry.count, lastTimestamp: rfc3339(entry.last) };
        await deps.client.patch(EVENT, { namespace, name: entry.name }, { type: 'merge', body });
      } else {
        entry.written = true;
        await deps.client.create(EVENT, eventObject(entry, namespace));
      }
    } catch (error) {
      entry.written = false;
      log.debug('an event could not be written', { error });
    }
  }

  return {
    of: (component) => ({
      normal: (about, reason, message) => record(component, 'Normal', subjectOf(about), reason, message),
      warning: (about, reason, message) => record(component, 'Warning', subjectOf(about), reason, message),
    }),
  };
}

function subjectOf(about: Subject | KubeObject): Subject {
  if (!isWhole(about)) return about;
  const { apiVersion, kind, metadata } = about;
  const { namespace, name, uid, resourceVersion } = metadata;
  return {
    apiVersion,
    kind,
    name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  };
}

function isWhole(about: Subject | KubeObject): about is KubeObject {
  return 'metadata' in about;
}

function eventObject(entry: Entry, namespace: string): KubeObject {
  const { about, type, reason, message, component, count } = entry;
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: entry.name, namespace },
    involvedObject: { ...about },
    type,
    reason,
    message,
    source: { component },
    reportingComponent: component,
    reportingInstance: '',
    firstTimestamp: rfc3339(entry.first),
    lastTimestamp: rfc3339(entry.last),
    eventTime: null,
    count,
  };
}

function first<T>(of: Iterable<T>): T {
  for (const each of of) return each;
  throw new RangeError('nothing is first of nothing');
}
