/**
 * Tells people what the engine does, as Kubernetes Events, without getting in its way.
 *
 * The runtime's recorder decides what is worth an Event; here the writes of all components together are paced, because a
 * policy that moves five thousand templates would otherwise write more Events than objects. What waits too long is
 * dropped by the recorder.
 */
import { type Clock, sleep } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import type { EventReason } from '#karmada/apis/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { eventRecorder } from '#kube/runtime/index.ts';

/** What an event is about, when only a reference to it is at hand. */
export interface Subject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly uid?: string;
}

export interface EventRecorder {
  normal(about: Subject | KubeObject, reason: EventReason, message: string): void;
  warning(about: Subject | KubeObject, reason: EventReason, message: string): void;
}

export interface EventRecorders {
  /** The recorder of one component, by the name events carry. */
  of(component: string): EventRecorder;
}

export interface EventRecordersDeps {
  readonly client: Pick<KubeClient, 'create' | 'patch'>;
  readonly clock: Clock;
  readonly log: Log;
  /** What waits when it aborts is dropped, or it would keep the program for as long as it takes to tell. */
  readonly signal?: AbortSignal;
}

const PACE = { burst: 25, perSecond: 25 };

export function eventRecorders({ client, clock, log, signal }: EventRecordersDeps): EventRecorders {
  const turn = paced(clock, PACE, signal);
  const slowly: Pick<KubeClient, 'create' | 'patch'> = {
    create: async (...write) => turn().then(() => client.create(...write)),
    patch: async (...write) => turn().then(() => client.patch(...write)),
  };
  return {
    of(component) {
      const recorder = eventRecorder({ client: slowly, component, clock, log });
      return {
        normal: (about, reason, message) => recorder.event(subjectOf(about), 'Normal', reason, message),
        warning: (about, reason, message) => recorder.event(subjectOf(about), 'Warning', reason, message),
      };
    },
  };
}

function subjectOf(about: Subject | KubeObject): Pick<KubeObject, 'apiVersion' | 'kind' | 'metadata'> {
  if (isObject(about)) return about;
  const { apiVersion, kind, ...metadata } = about;
  return { apiVersion, kind, metadata };
}

function isObject(about: Subject | KubeObject): about is KubeObject {
  return 'metadata' in about;
}

/** Resolves at once while there is some of the burst left, and then so many times a second; rejects once aborted. */
export function paced(
  clock: Clock,
  { burst, perSecond }: typeof PACE,
  signal: AbortSignal = new AbortController().signal,
): () => Promise<void> {
  let tokens = burst;
  let at = clock.now();
  let last = Promise.resolve();

  async function take(): Promise<void> {
    signal.throwIfAborted();
    const now = clock.now();
    tokens = Math.min(burst, tokens + ((now - at) * perSecond) / 1000);
    at = now;
    tokens--;
    if (tokens < 0) await sleep(clock, (-tokens * 1000) / perSecond, signal);
  }

  return () => (last = last.then(take));
}
