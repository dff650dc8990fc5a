/**
 * What becomes of something worth telling: a new Event, one more occurrence of a known one, or nothing.
 *
 * As Kubernetes' recorders do it: the same words about the same object raise a count; more than ten different messages
 * with one reason within ten minutes become one "combined" Event; and an object that is talked about all the time gets
 * 25 at once and then one every five minutes. Remembers a bounded number of things and forgets the oldest.
 */
import type { KubeObject } from '#kube/meta/object.ts';

export interface Occurrence {
  readonly about: Pick<KubeObject, 'apiVersion' | 'kind' | 'metadata'>;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export type Verdict =
  | { readonly kind: 'drop' }
  /** `id` names the Event to all later verdicts; `count` is how often it has happened, this time included. */
  | {
      readonly kind: 'tell';
      readonly id: string;
      readonly message: string;
      readonly count: number;
      readonly since: number;
    };

const REMEMBERED = 4096;
const BURST = 25;
const REFILL_MS = 300_000;
const SIMILAR = 10;
const SIMILAR_WITHIN_MS = 600_000;

export function eventCorrelator(): { judge(occurrence: Occurrence): Verdict; forget(id: string): void } {
  const budgets = bounded<{ tokens: number; at: number }>();
  const similar = bounded<{ readonly messages: Set<string>; at: number }>();
  const told = bounded<{ count: number; readonly since: number }>();

  function isSpam(subject: string, at: number): boolean {
    const budget = budgets.get(subject, () => ({ tokens: BURST, at }));
    budget.tokens = Math.min(BURST, budget.tokens + (at - budget.at) / REFILL_MS);
    budget.at = at;
    if (budget.tokens < 1) return true;
    budget.tokens--;
    return false;
  }

  function combined(topic: string, { message, at }: Occurrence): boolean {
    const seen = similar.get(topic, () => ({ messages: new Set(), at }));
    if (at - seen.at > SIMILAR_WITHIN_MS) seen.messages.clear();
    seen.at = at;
    if (seen.messages.size <= SIMILAR) seen.messages.add(message);
    return seen.messages.size > SIMILAR;
  }

  return {
    judge(occurrence) {
      const { about, type, reason, message, at } = occurrence;
      const { namespace, name, uid } = about.metadata;
      const subject = JSON.stringify([about.apiVersion, about.kind, namespace, name, uid]);
      if (isSpam(subject, at)) return { kind: 'drop' };
      const topic = `${subject} ${type} ${reason}`;
      const many = combined(topic, occurrence);
      const id = many ? `${topic} *` : `${topic} ${message}`;
      const entry = told.get(id, () => ({ count: 0, since: at }));
      entry.count++;
      const text = many ? `(combined from similar events): ${message}` : message;
      return { kind: 'tell', id, message: text, count: entry.count, since: entry.since };
    },
    forget: (id) => told.delete(id),
  };
}

/** A map that forgets what was not asked for in the longest time. */
function bounded<V>() {
  const entries = new Map<string, V>();
  return {
    get(key: string, create: () => V): V {
      const value = entries.get(key) ?? create();
      // Inserted anew, it is the youngest again.
      entries.delete(key);
      entries.set(key, value);
      if (entries.size > REMEMBERED) for (const oldest of entries.keys()) return entries.delete(oldest), value;
      return value;
    },
    delete: (key: string) => void entries.delete(key),
  };
}
