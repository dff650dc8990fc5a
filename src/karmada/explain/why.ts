/**
 * An explanation as people read it: one row per cluster, and everything about one cluster when asked.
 *
 * Data, not output: the CLI prints it and the console lays it out, in the same words. Rows are ordered as a reader
 * looks for them: where it runs, where it could have run, where it could not.
 */
import type { Attempt, ClusterExplanation, Explanation, Outcome, Verdict } from '#karmada/scheduler/index.ts';

export interface Why {
  readonly rows: readonly WhyRow[];
  readonly outcome: Outcome;
  /** On how many clusters it runs, of how many. */
  readonly placedOn: number;
  readonly clusters: number;
  /** Replicas placed, and asked for. */
  readonly placedReplicas: number;
  readonly replicas: number;
  readonly decidedAt: string;
  readonly generation: number;
  readonly because?: string;
  /** Affinity groups that were tried before, and how that ended. */
  readonly passedOver: readonly { readonly affinityName: string; readonly message: string }[];
  readonly affinityName?: string;
}

/** A row of CLUSTER, VERDICT, REPLICAS, CAPACITY, REASON. */
export interface WhyRow {
  readonly cluster: string;
  readonly verdict: 'placed' | 'not chosen' | 'refused';
  /** Absent where nothing was placed, or where there is nothing to count. */
  readonly replicas?: number;
  /** How many it could hold in all, those it has among them; absent where nobody estimated. */
  readonly capacity?: number;
  readonly reason: string;
  /** Other plugins refuse it, too. */
  readonly moreReasons: readonly string[];
}

const WORDS = { placed: 'placed', notChosen: 'not chosen', refused: 'refused' } as const satisfies Record<
  Verdict,
  string
>;
const ORDER: readonly Verdict[] = ['placed', 'notChosen', 'refused'];

export function why(explanation: Explanation): Why {
  const last = lastAttempt(explanation);
  const placed = last.clusters.filter(({ verdict }) => verdict === 'placed');
  const { because } = explanation;
  return {
    rows: last.clusters.toSorted(byInterest).map(rowOf),
    outcome: last.outcome,
    placedOn: placed.length,
    clusters: last.clusters.length,
    placedReplicas: placed.reduce((sum, { replicas }) => sum + replicas, 0),
    replicas: explanation.replicas,
    decidedAt: explanation.decidedAt,
    generation: explanation.generation,
    ...(because === undefined ? {} : { because }),
    passedOver: explanation.attempts
      .slice(0, -1)
      .map(({ affinityName = '', outcome }) => ({ affinityName, message: outcome.message })),
    ...(last.affinityName === undefined ? {} : { affinityName: last.affinityName }),
  };
}

const NOTHING_TRIED: Attempt = {
  outcome: { type: 'error', message: 'nothing was tried' },
  clusters: [],
  selection: [],
  assignment: [],
};

function lastAttempt({ attempts }: Explanation): Attempt {
  return attempts.at(-1) ?? NOTHING_TRIED;
}

function byInterest(a: ClusterExplanation, b: ClusterExplanation): number {
  return (
    ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict) ||
    b.replicas - a.replicas ||
    (b.capacity?.available ?? 0) - (a.capacity?.available ?? 0) ||
    (a.name < b.name ? -1 : 1)
  );
}

function rowOf({ name, verdict, replicas, capacity, reason, filters }: ClusterExplanation): WhyRow {
  const refusals = filters.filter(({ pass }) => !pass).map(({ detail, reason: counted }) => detail ?? counted ?? '');
  return {
    cluster: name,
    verdict: WORDS[verdict],
    ...(replicas > 0 ? { replicas } : {}),
    ...(capacity ? { capacity: capacity.available } : {}),
    reason,
    moreReasons: refusals.filter((refusal) => refusal !== reason),
  };
}

/** Everything that was looked at for one cluster, in the order it was. */
export interface WhyCluster {
  readonly row: WhyRow;
  readonly steps: readonly WhyStep[];
}

export interface WhyStep {
  /** Which step, or which plugin. */
  readonly name: string;
  readonly mark: 'pass' | 'refuse' | 'note';
  readonly text: string;
}

/** Undefined for a cluster that was not in the snapshot. */
export function whyCluster(explanation: Explanation, name: string): WhyCluster | undefined {
  const { clusters, selection, assignment } = lastAttempt(explanation);
  const found = clusters.find((each) => each.name === name);
  if (!found) return undefined;
  const later = found.verdict === 'refused' ? [] : [...notes('select', selection), ...notes('assign', assignment)];
  return { row: rowOf(found), steps: [...filterSteps(found), ...scoreSteps(found), ...capacitySteps(found), ...later] };
}

function notes(name: string, texts: readonly string[]): readonly WhyStep[] {
  return texts.map((text) => ({ name, mark: 'note', text }));
}

function filterSteps({ filters }: ClusterExplanation): readonly WhyStep[] {
  return filters.map(({ plugin, pass, detail, reason }) => ({
    name: plugin,
    mark: pass ? 'pass' : 'refuse',
    text: detail ?? reason ?? 'passed',
  }));
}

function scoreSteps({ scores = [] }: ClusterExplanation): readonly WhyStep[] {
  return scores.map(({ plugin, score, detail }) => ({
    name: plugin,
    mark: 'note',
    text: detail === undefined ? `score ${score}` : `score ${score}: ${detail}`,
  }));
}

function capacitySteps({ capacity }: ClusterExplanation): readonly WhyStep[] {
  return (capacity?.estimates ?? []).map(({ estimator, replicas, detail }) => ({
    name: estimator,
    mark: 'note',
    text: replicas === undefined ? detail : `${replicas} more: ${detail}`,
  }));
}
