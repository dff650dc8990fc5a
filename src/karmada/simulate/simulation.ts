/**
 * What is asked of a simulation, and what it answers: the `spec` and `status` of
 * `placement.kairship.io/v1alpha1 Simulation`. Everything in a spec is optional; an empty one asks for nothing.
 */
import type { ObjectReference, Taint, TargetCluster } from '#karmada/apis/index.ts';
import type { Explanation, Move } from '#karmada/scheduler/index.ts';
import type { KubeObject } from '#kube/meta/object.ts';

export interface SimulationSpec {
  /** Policies, override policies and templates as they would be: new ones, or in place of those of the same name. */
  readonly apply?: readonly KubeObject[];
  readonly remove?: readonly ObjectReference[];
  readonly replicas?: readonly (ObjectReference & { readonly replicas: number })[];
  readonly taints?: readonly TaintChange[];
  readonly cordon?: readonly string[];
  readonly uncordon?: readonly string[];
  /** Clusters that are lost at once with all that runs there, as if everything had been evicted from them. */
  readonly lose?: readonly string[];
  /** Clusters that leave the instance in good order. */
  readonly unjoin?: readonly string[];
  readonly join?: readonly JoiningCluster[];
  /** Answers with bindings that stay as they are, too. */
  readonly includeUnchanged?: boolean;
}

export interface TaintChange {
  readonly cluster: string;
  readonly add?: readonly Taint[];
  readonly remove?: readonly { readonly key: string; readonly effect?: Taint['effect'] }[];
}

export interface JoiningCluster {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly provider?: string;
  readonly region?: string;
  readonly zones?: readonly string[];
  readonly taints?: readonly Taint[];
  /** What its nodes have in all: `{ cpu: "16", memory: 64Gi, pods: "110" }`. */
  readonly capacity?: Readonly<Record<string, string>>;
}

export interface SimulationStatus {
  readonly simulatedAt: string;
  readonly summary: Summary;
  /** Bindings of which something would change. */
  readonly bindings: readonly BindingEffect[];
  readonly conflicts: readonly Conflict[];
  readonly unschedulable: readonly { readonly binding: string; readonly message: string }[];
  /** The answer would have been too large: this many bindings have no explanation and no list of paths. */
  readonly abridged?: number;
}

export interface Summary {
  /** How many were looked at, and how many would change. */
  readonly bindings: number;
  readonly changed: number;
  /** Replicas. */
  readonly moved: number;
  readonly started: number;
  readonly stopped: number;
  readonly restarted: number;
  readonly unschedulable: number;
  readonly conflicts: number;
}

/** `nowhere`: it ran somewhere and would run nowhere; `stuck`: it cannot be placed as it asks, and stays as it is. */
export type Verdict = 'unchanged' | 'changed' | 'moved' | 'created' | 'removed' | 'nowhere' | 'stuck';

export interface BindingEffect {
  /** `namespace/name`, or the bare name. */
  readonly binding: string;
  readonly template: ObjectReference;
  readonly verdict: Verdict;
  /** Why it would be scheduled, or why not. */
  readonly because: string;
  readonly policy: { readonly before?: string; readonly after?: string };
  readonly before: readonly TargetCluster[];
  readonly after: readonly TargetCluster[];
  readonly moves: readonly Move[];
  readonly evictions: readonly EvictionEffect[];
  readonly manifests: readonly ManifestEffect[];
  readonly disruption?: Disruption;
  /** Absent when it would not be scheduled anew. */
  readonly explanation?: Explanation;
}

export interface EvictionEffect {
  readonly cluster: string;
  readonly when: 'now' | 'later' | 'postponed';
  readonly afterSeconds?: number;
  readonly because: string;
}

/** What happens to the object in one cluster. */
export interface ManifestEffect {
  readonly cluster: string;
  readonly change: 'created' | 'deleted' | 'modified' | 'released' | 'failed';
  readonly paths?: readonly PathChange[];
  readonly message?: string;
}

/** A JSON pointer into the manifest; `old` is absent for what is new, `new` for what is gone. */
export interface PathChange {
  readonly path: string;
  readonly old?: unknown;
  readonly new?: unknown;
}

export interface Disruption {
  /** Asked for, before and after. */
  readonly replicas: { readonly before: number; readonly after: number };
  readonly started: number;
  readonly stopped: number;
  /** They stay where they are, but their pods are made anew. */
  readonly restarted: number;
  /** The fewest that run at any moment on the way, if all go well that can. */
  readonly minimumAvailable: number;
}

export interface Conflict {
  readonly type: 'ObjectExists' | 'ClaimTaken' | 'OverrideFails';
  readonly binding: string;
  readonly cluster?: string;
  readonly message: string;
}
