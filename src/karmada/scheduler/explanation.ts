/**
 * The reasons of a scheduling decision, in full: what every plugin said of every cluster, what each cluster could
 * hold and who said so, what the spread constraints picked, and the arithmetic behind each replica count.
 *
 * It is plain data: it is stored beside the decision, served by the API and printed by console and CLI, which share
 * the sentences in it. Nothing that the scheduler took into account is missing from it.
 */
import type { ObjectReference } from '#karmada/apis/index.ts';
import type { Outcome } from './decision.ts';

export interface Explanation {
  /** `namespace/name` of the binding, or its bare name. */
  readonly binding: string;
  readonly generation: number;
  readonly resource: ObjectReference;
  /** When it was decided, RFC 3339. */
  readonly decidedAt: string;
  /** Why the binding was scheduled at all; absent when asked for out of turn. */
  readonly because?: string;
  readonly replicas: number;
  readonly strategy: Strategy;
  readonly mode: Mode;
  /** One per affinity group tried, in order; the last one decided. At least one. */
  readonly attempts: readonly Attempt[];
}

/** `Propagated`: not a workload, so there is nothing to divide. */
export type Strategy = 'Propagated' | 'Duplicated' | 'StaticWeight' | 'DynamicWeight' | 'Aggregated';

/** Steady moves as little as it can; Fresh forgets where replicas ran before. */
export type Mode = 'Steady' | 'Fresh';

export interface Attempt {
  /** The affinity group; absent when the placement has none. */
  readonly affinityName?: string;
  readonly outcome: Outcome;
  /** Every cluster of the snapshot, by name. */
  readonly clusters: readonly ClusterExplanation[];
  /** How the feasible clusters were narrowed down, step by step. */
  readonly selection: readonly string[];
  /** How the replicas were shared out, step by step. */
  readonly assignment: readonly string[];
}

export type Verdict = 'placed' | 'notChosen' | 'refused';

export interface ClusterExplanation {
  readonly name: string;
  readonly verdict: Verdict;
  /** One sentence: what decided the verdict, or the share. */
  readonly reason: string;
  /** What it gets now, and what it had before. */
  readonly replicas: number;
  readonly previousReplicas: number;
  /** One per plugin, also after the first refusal. */
  readonly filters: readonly FilterVerdict[];
  /** Absent for a refused cluster, as are capacity and tier. */
  readonly scores?: readonly PluginScore[];
  readonly capacity?: Capacity;
  /** 0 for the affinity itself, 1 and up for its overflow tiers. */
  readonly tier?: number;
  /** Its weight in the division, and how that came to a count: `24/64 of the weight × 8 replicas = 3`. */
  readonly weight?: number;
  readonly arithmetic?: string;
}

export interface FilterVerdict {
  readonly plugin: string;
  readonly pass: boolean;
  /** As Karmada words a refusal, to be counted over clusters: `cluster(s) had untolerated taint {…}`. */
  readonly reason?: string;
  /** What was found on this cluster, or why it passed although the rule says otherwise. */
  readonly detail?: string;
}

export interface PluginScore {
  readonly plugin: string;
  readonly score: number;
  readonly detail?: string;
}

export interface Capacity {
  /** How many more replicas it could take: the least of the estimates. */
  readonly allocatable: number;
  /** That, and those it has already. */
  readonly available: number;
  readonly estimates: readonly Estimate[];
}

export interface Estimate {
  readonly estimator: string;
  /** Absent: the estimator cannot tell for this cluster. */
  readonly replicas?: number;
  /** What limited it: `cpu: 3200m free / 500m per replica`. */
  readonly detail: string;
}
