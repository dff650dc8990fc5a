/** ClusterTaintPolicy: taints clusters by their conditions. */
import type { KubeObject } from '#kube/meta/object.ts';
import type { ClusterAffinity, Taint } from './selector.ts';

export interface ClusterTaintPolicy extends KubeObject {
  readonly kind: 'ClusterTaintPolicy';
  readonly spec: {
    /** Absent: all clusters. */
    readonly targetClusters?: ClusterAffinity;
    /** The taints are added when all hold; never when empty. */
    readonly addOnConditions?: readonly MatchCondition[];
    /** The taints are removed when all hold; never when empty. */
    readonly removeOnConditions?: readonly MatchCondition[];
    readonly taints: readonly Pick<Taint, 'key' | 'value' | 'effect'>[];
  };
}

export interface MatchCondition {
  readonly conditionType: string;
  readonly operator: 'In' | 'NotIn';
  readonly statusValues: readonly string[];
}
