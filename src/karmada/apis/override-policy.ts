/** OverridePolicy and ClusterOverridePolicy: how an object differs from its template in some clusters. */
import type { Json } from '#base/json.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import type { ClusterAffinity, ResourceSelector } from './selector.ts';

export interface OverridePolicy extends KubeObject {
  readonly kind: 'OverridePolicy';
  readonly spec: OverrideSpec;
}

export interface ClusterOverridePolicy extends KubeObject {
  readonly kind: 'ClusterOverridePolicy';
  readonly spec: OverrideSpec;
}

export type AnyOverridePolicy = OverridePolicy | ClusterOverridePolicy;

export interface OverrideSpec {
  /** Absent: every object. */
  readonly resourceSelectors?: readonly ResourceSelector[];
  readonly overrideRules?: readonly OverrideRule[];
  /** Deprecated, with `overriders`: one rule, used only when `overrideRules` is empty. */
  readonly targetCluster?: ClusterAffinity;
  readonly overriders?: Overriders;
}

export interface OverrideRule {
  /** Absent: every cluster. */
  readonly targetCluster?: ClusterAffinity;
  readonly overriders: Overriders;
}

export interface Overriders {
  readonly plaintext?: readonly PlaintextOverrider[];
  readonly imageOverrider?: readonly ImageOverrider[];
  readonly commandOverrider?: readonly CommandArgsOverrider[];
  readonly argsOverrider?: readonly CommandArgsOverrider[];
  readonly labelsOverrider?: readonly LabelAnnotationOverrider[];
  readonly annotationsOverrider?: readonly LabelAnnotationOverrider[];
  readonly fieldOverrider?: readonly FieldOverrider[];
}

export type OverriderOperator = 'add' | 'remove' | 'replace';

export interface PlaintextOverrider {
  readonly path: string;
  readonly operator: OverriderOperator;
  readonly value?: Json;
}

export interface ImageOverrider {
  readonly predicate?: { readonly path: string };
  readonly component: 'Registry' | 'Repository' | 'Tag';
  readonly operator: OverriderOperator;
  readonly value?: string;
}

export interface CommandArgsOverrider {
  readonly containerName: string;
  readonly operator: 'add' | 'remove';
  readonly value?: readonly string[];
}

export interface LabelAnnotationOverrider {
  readonly operator: OverriderOperator;
  readonly value: Readonly<Record<string, string>>;
}

export interface FieldOverrider {
  /** A JSON pointer to a string that holds a document. */
  readonly fieldPath: string;
  readonly json?: readonly SubPathOperation[];
  readonly yaml?: readonly SubPathOperation[];
}

export interface SubPathOperation {
  readonly subPath: string;
  readonly operator: OverriderOperator;
  readonly value?: Json;
}
