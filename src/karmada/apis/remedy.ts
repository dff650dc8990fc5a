/** Remedy: what to do about a cluster in a certain condition. */
import type { KubeObject } from '#kube/meta/object.ts';

export interface Remedy extends KubeObject {
  readonly kind: 'Remedy';
  readonly spec: {
    readonly clusterAffinity?: { readonly clusterNames?: readonly string[] };
    readonly decisionMatches?: readonly {
      readonly clusterConditionMatch?: {
        readonly conditionType: string;
        readonly operator: 'Equal' | 'NotEqual';
        readonly conditionStatus: string;
      };
    }[];
    readonly actions?: readonly string[];
  };
}
