/**
 * How controllers say what they have just done for a template: one call a hop, which never waits and never throws.
 *
 * What becomes of it is `trace.ts` (which run of which template) and `trace-store.ts` (where it is kept).
 */
import type { KubeObject } from '#kube/meta/object.ts';

/** The hops a change of a template takes, in their order. `ready` follows from what `collected` reports. */
export const STEPS = [
  'written',
  'matched',
  'bound',
  'scheduled',
  'rendered',
  'applied',
  'collected',
  'ready',
  'aggregated',
] as const;
export type Step = (typeof STEPS)[number];

/** The template a hop was made for; without a generation it is the newest one known. */
export interface Traced {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly uid?: string;
  readonly generation?: number;
}

export interface Hop {
  readonly step: Exclude<Step, 'written' | 'ready'>;
  readonly template: Traced;
  /** For the hops that each cluster takes by itself. */
  readonly cluster?: string;
  /** A few words of what was done: which policy, where to, how healthy. */
  readonly detail?: string;
  /** Of `scheduled`: where it goes from now on. */
  readonly targets?: readonly { readonly name: string; readonly replicas?: number }[];
  /** Of `matched` and `bound`: nothing is asked for that was not before, unless the template's generation says so. */
  readonly repeats?: boolean;
  /** It was tried and failed; it will be tried again. */
  readonly error?: unknown;
}

export interface Tracer {
  /** A change of a template was heard of; it becomes part of a trace when something is done about it. */
  written(template: KubeObject): void;
  hop(hop: Hop): void;
  /** The template is gone. */
  gone(template: KubeObject): void;
}

/** For whoever is not interested. */
export const untraced: Tracer = { written: () => undefined, hop: () => undefined, gone: () => undefined };

export function tracedOf({ apiVersion, kind, metadata }: KubeObject): Traced {
  const { namespace, name, uid, generation } = metadata;
  return {
    apiVersion,
    kind,
    name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(uid === undefined ? {} : { uid }),
    ...(generation === undefined ? {} : { generation }),
  };
}
