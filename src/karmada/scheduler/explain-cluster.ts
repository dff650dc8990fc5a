/** Puts together what the steps found out about one cluster, and says in one sentence what it came to. */
import type { BindingSpec, TargetCluster } from '#karmada/apis/index.ts';
import type { Assignment, AssignmentFailure } from './assign.ts';
import { assignedReplicas } from './binding-spec.ts';
import type { Candidate } from './candidates.ts';
import type { Outcome } from './decision.ts';
import type { ClusterExplanation, FilterVerdict, Strategy } from './explanation.ts';
import { type FilteredCluster, isDeleting } from './filters.ts';
import type { Selection, SelectionFailure } from './select.ts';

export interface Findings extends FilteredCluster {
  readonly spec: BindingSpec;
  readonly strategy: Strategy;
  readonly candidates: readonly Candidate[];
  readonly selection: Selection | SelectionFailure | undefined;
  readonly assignment: Assignment | AssignmentFailure | undefined;
  readonly outcome: Outcome;
  readonly clusters: readonly TargetCluster[];
}

export function explainCluster(findings: Findings): ClusterExplanation {
  const { name } = findings.cluster.metadata;
  const { filters, spec, candidates, assignment, clusters } = findings;
  const previousReplicas = assignedReplicas(spec, name);
  const base = { name, filters, previousReplicas };
  const candidate = candidates.find((each) => each.name === name);
  if (!candidate) return { ...base, verdict: 'refused', replicas: 0, reason: refusal(findings) };

  const target = clusters.find((each) => each.name === name);
  const share = assignment && 'shares' in assignment ? assignment.shares.get(name) : undefined;
  return {
    ...base,
    verdict: target ? 'placed' : 'notChosen',
    replicas: target?.replicas ?? 0,
    reason: target ? placedReason(candidate, share?.arithmetic) : notChosenReason(findings, name, share?.arithmetic),
    scores: candidate.scores,
    tier: candidate.tier,
    ...(candidate.capacity ? { capacity: candidate.capacity } : {}),
    ...(share?.weight === undefined ? {} : { weight: share.weight }),
    ...(share ? { arithmetic: share.arithmetic } : {}),
  };
}

function refusal({ cluster, filters }: Findings): string {
  if (isDeleting(cluster)) return 'the cluster is being deleted';
  const refusing = filters.filter(({ pass }) => !pass);
  return refusing[0] ? detailOf(refusing[0]) : '';
}

function detailOf({ detail, reason }: FilterVerdict): string {
  return detail ?? reason ?? '';
}

function placedReason({ scores }: Candidate, arithmetic = ''): string {
  const locality = scores.find(({ plugin, score }) => plugin === 'ClusterLocality' && score > 0);
  if (!locality) return arithmetic;
  return `kept: already ran here (ClusterLocality +${locality.score}); ${arithmetic}`;
}

function notChosenReason({ selection, outcome }: Findings, name: string, arithmetic: string | undefined): string {
  if (outcome.type !== 'scheduled') return `would do, but ${outcome.message}`;
  const leftOut = selection && 'leftOut' in selection ? selection.leftOut.get(name) : undefined;
  return leftOut ?? arithmetic ?? 'got no replica';
}
