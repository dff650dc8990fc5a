/** The selectors, tolerations and quantities that several kinds embed; shapes of Kubernetes' own. */

export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly LabelSelectorRequirement[];
}

export interface LabelSelectorRequirement {
  readonly key: string;
  /** In, NotIn, Exists or DoesNotExist. */
  readonly operator: string;
  readonly values?: readonly string[];
}

/** `provider`, `region` and `zone` of a cluster, each with In or NotIn. */
export interface FieldSelector {
  readonly matchExpressions?: readonly NodeSelectorRequirement[];
}

export interface NodeSelectorRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

export interface NodeSelectorTerm {
  readonly matchExpressions?: readonly NodeSelectorRequirement[];
  readonly matchFields?: readonly NodeSelectorRequirement[];
}

export interface NodeSelector {
  readonly nodeSelectorTerms: readonly NodeSelectorTerm[];
}

export interface Toleration {
  readonly key?: string;
  /** Equal when absent; Exists. */
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
  readonly tolerationSeconds?: number;
}

export type TaintEffect = 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';

export interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: TaintEffect;
  readonly timeAdded?: string;
}

/** Quantities by resource name, as Kubernetes writes them: `{cpu: "500m", memory: "1Gi"}`. */
export type ResourceList = Readonly<Record<string, string | number>>;

/** Which clusters; exclusion wins, the other three must all agree, what is absent agrees with every cluster. */
export interface ClusterAffinity {
  readonly labelSelector?: LabelSelector;
  readonly fieldSelector?: FieldSelector;
  readonly clusterNames?: readonly string[];
  readonly exclude?: readonly string[];
}

/** Which resource templates. A name set makes the label selector moot. */
export interface ResourceSelector {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly labelSelector?: LabelSelector;
}
