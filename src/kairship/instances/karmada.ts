/**
 * The community operator's `Karmada` custom resource: what a control plane shall be made of.
 *
 * Whoever reconciles it (our embedded operator, or the community's on a real cluster) fills its status. Only what
 * Kairship itself reads or writes is named here; everything else is carried along untouched.
 */
import {
  AGE,
  anyObject,
  boolean,
  type CustomResourceDefinition,
  column,
  conditionPath,
  definition,
  having,
  kindNames,
  list,
  map,
  object,
  string,
} from '#kube/crds/index.ts';
import type { Condition, KubeObject } from '#kube/meta/object.ts';
import type { Gvr } from '#kube/meta/gvk.ts';

export const KARMADAS: Gvr = { group: 'operator.karmada.io', version: 'v1alpha1', resource: 'karmadas' };

/** The operator's own, kept until everything it made is gone. */
export const KARMADA_FINALIZER = 'operator.karmada.io/karmada';
/** With the value `true`, the control plane outlives its `Karmada`. */
export const DISABLE_CASCADING_DELETION = 'operator.karmada.io/disable-cascading-deletion';
/** The key of the administrator's kubeconfig in the Secret that `status.secretRef` names. */
export const KARMADA_CONFIG_KEY = 'karmada.config';

export interface Karmada extends KubeObject {
  readonly apiVersion: 'operator.karmada.io/v1alpha1';
  readonly kind: 'Karmada';
  readonly spec?: KarmadaSpec;
  readonly status?: {
    readonly observedGeneration?: number;
    readonly secretRef?: SecretRef;
    readonly karmadaVersion?: string;
    readonly kubernetesVersion?: string;
    readonly conditions?: readonly Condition[];
    readonly apiServerService?: { readonly name: string };
  };
}

export interface SecretRef {
  readonly namespace: string;
  readonly name: string;
}

export interface KarmadaSpec {
  readonly hostCluster?: HostCluster;
  readonly featureGates?: Readonly<Record<string, boolean>>;
  readonly suspend?: boolean;
  readonly components?: { readonly [name: string]: Component | undefined };
  readonly [field: string]: unknown;
}

export interface HostCluster {
  readonly apiEndpoint?: string;
  readonly secretRef?: SecretRef;
  readonly networking?: { readonly dnsDomain?: string };
}

export interface Component {
  readonly extraArgs?: Readonly<Record<string, string>>;
  readonly featureGates?: Readonly<Record<string, boolean>>;
  readonly [field: string]: unknown;
}

const secretRef = object({ namespace: string(), name: string() });

/** For a global cluster that has no community operator: its kind, with the fields the operators agree on. */
export const karmadaCrd: CustomResourceDefinition = definition({
  names: kindNames('operator.karmada.io', 'v1alpha1', 'Karmada', 'karmadas'),
  scope: 'Namespaced',
  description: 'A Karmada control plane.',
  properties: {
    spec: having(anyObject(), {
      properties: {
        hostCluster: having(anyObject(), { properties: { apiEndpoint: string(), secretRef } }),
        components: anyObject(),
        featureGates: map(boolean()),
        suspend: boolean(),
      },
    }),
    status: having(anyObject(), { properties: { secretRef, conditions: list(anyObject()) } }),
  },
  required: [],
  columns: [column('Ready', conditionPath('Ready')), AGE],
  hasStatus: true,
});
