/** Work: the manifest of one object for one cluster, in that cluster's execution namespace. */
import type { JsonObject } from '#base/json.ts';
import type { Condition, KubeObject } from '#kube/meta/object.ts';
import type { ResourceHealth } from './binding.ts';

export interface Work extends KubeObject {
  readonly kind: 'Work';
  readonly spec: WorkSpec;
  readonly status?: WorkStatus;
}

export interface WorkSpec {
  /** One manifest in practice. */
  readonly workload?: { readonly manifests?: readonly KubeObject[] };
  readonly suspendDispatching?: boolean;
  readonly preserveResourcesOnDeletion?: boolean;
}

export interface WorkStatus {
  readonly conditions?: readonly Condition[];
  readonly manifestStatuses?: readonly ManifestStatus[];
}

export interface ManifestStatus {
  readonly identifier: ResourceIdentifier;
  readonly status?: JsonObject;
  readonly health?: ResourceHealth;
}

export interface ResourceIdentifier {
  readonly ordinal: number;
  readonly group?: string;
  readonly version: string;
  readonly kind: string;
  readonly resource: string;
  readonly namespace?: string;
  readonly name: string;
}
