/**
 * What the engine must know about a kind to propagate it: its replicas, its health, what it depends on, which of its
 * fields belong to the member, and how the members' statuses make one.
 *
 * Interpreters are layers: customisations come first, then webhooks, then the built-in knowledge (`nativeInterpreter`).
 * For each operation the first layer that handles the kind answers; {@link chain} puts them together and gives the
 * answer for kinds that nobody handles. A layer may ask somebody else and answer later; the native one never does.
 */
import type { JsonObject } from '#base/json.ts';
import type { AggregatedStatusItem, Component, LabelSelector, ReplicaRequirements } from '#karmada/apis/index.ts';
import type { Gvk } from '#kube/meta/gvk.ts';
import type { KubeObject } from '#kube/meta/object.ts';

/** Named as in a ResourceInterpreterWebhookConfiguration. */
export type Operation =
  | 'InterpretReplica'
  | 'InterpretComponent'
  | 'ReviseReplica'
  | 'Retain'
  | 'AggregateStatus'
  | 'InterpretStatus'
  | 'InterpretHealth'
  | 'InterpretDependency';

export interface ResourceInterpreter {
  /** Whether this layer (or, of a chain, any layer) answers the operation for the kind. */
  handles(kind: Gvk, operation: Operation): boolean;

  /** How many replicas a template asks for, and what each needs. */
  replicas(template: KubeObject): Awaitable<ReplicaInterpretation>;
  /** The pod templates of a workload that has several. */
  components(template: KubeObject): Awaitable<readonly Component[]>;
  /** The template with another number of replicas. */
  reviseReplica(template: KubeObject, replicas: number): Awaitable<KubeObject>;
  /** What is to be applied, with what belongs to the member taken over from the object there. */
  retain(desired: KubeObject, observed: KubeObject): Awaitable<KubeObject>;
  /** The template with a status made of the members'. The same object when nothing changes. */
  aggregateStatus(template: KubeObject, items: readonly AggregatedStatusItem[]): Awaitable<KubeObject>;
  /** What of a member object's status is sent up; undefined when it has none. */
  reflectStatus(observed: KubeObject): Awaitable<JsonObject | undefined>;
  health(observed: KubeObject): Awaitable<'Healthy' | 'Unhealthy'>;
  /** What else must be there for the template to run. */
  dependencies(template: KubeObject): Awaitable<readonly DependentObject[]>;
}

export type Awaitable<T> = T | Promise<T>;

/** An interpreter that always answers at once, and so can be used where nothing may be waited for. */
export type NativeInterpreter = {
  readonly [Method in keyof ResourceInterpreter]: (
    ...args: Parameters<ResourceInterpreter[Method]>
  ) => Awaited<ReturnType<ResourceInterpreter[Method]>>;
};

export interface ReplicaInterpretation {
  readonly replicas: number;
  readonly requirements?: ReplicaRequirements;
}

/** A dependency, by name or by labels. */
export interface DependentObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly labelSelector?: LabelSelector;
}
