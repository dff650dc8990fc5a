import type { Draft } from '#base/json.ts';
import type { Gvk, Gvr } from '#kube/meta/gvk.ts';
import type { KubeObject } from '#kube/meta/object.ts';

/** Who asks, after authentication. */
export interface User {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** A write on its way to the store. */
export interface AdmissionRequest {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE';
  readonly gvr: Gvr;
  readonly gvk: Gvk;
  readonly subresource?: string;
  readonly namespace?: string;
  /** Empty when `generateName` was given and admission runs before the name is made. */
  readonly name: string;
  /** What is about to be stored; mutating plugins may change it. Absent on DELETE. */
  readonly object?: Draft<KubeObject>;
  readonly oldObject?: KubeObject;
  readonly user: User;
  readonly dryRun: boolean;
}

/**
 * A step every write passes, in the process of the API server: what webhooks are for a real one.
 *
 * All plugins mutate first, in order, then all validate. A refusal is a thrown StatusError. A plugin must not wait on
 * the API server it guards for a write.
 */
export interface AdmissionPlugin {
  readonly name: string;
  /** Which requests it wants to see; a cheap test, asked for every write. */
  handles(request: Pick<AdmissionRequest, 'operation' | 'gvr' | 'subresource'>): boolean;
  mutate?(request: AdmissionRequest): void | Promise<void>;
  validate?(request: AdmissionRequest): void | Promise<void>;
}
