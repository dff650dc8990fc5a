/** The eight things that customisations and webhooks can be asked, and what an answer to each is. */
import type { JsonObject } from '#base/json.ts';
import type { AggregatedStatusItem, Component, Customizations } from '#karmada/apis/index.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import type { DependentObject, Operation, ReplicaInterpretation } from './resource-interpreter.ts';

export interface Answers {
  readonly Retain: KubeObject;
  readonly InterpretReplica: ReplicaInterpretation;
  readonly InterpretComponent: readonly Component[];
  readonly ReviseReplica: KubeObject;
  readonly InterpretStatus: JsonObject;
  readonly AggregateStatus: KubeObject;
  readonly InterpretHealth: boolean;
  readonly InterpretDependency: readonly DependentObject[];
}

/** Everything an operation may need to know. */
export interface Question {
  /** The template, or the member's object for health and status. */
  readonly object: KubeObject;
  /** For Retain: the object as it is in the member. */
  readonly observed?: KubeObject;
  /** For ReviseReplica. */
  readonly replicas?: number;
  /** For AggregateStatus. */
  readonly items?: readonly AggregatedStatusItem[];
}

/** Where a ResourceInterpreterCustomization keeps the script of each operation, in the order Karmada checks them. */
export const SCRIPT_FIELDS = {
  Retain: 'retention',
  InterpretReplica: 'replicaResource',
  InterpretComponent: 'componentResource',
  ReviseReplica: 'replicaRevision',
  InterpretStatus: 'statusReflection',
  AggregateStatus: 'statusAggregation',
  InterpretHealth: 'healthInterpretation',
  InterpretDependency: 'dependencyInterpretation',
} as const satisfies Record<Operation, keyof Customizations>;

export const OPERATIONS = Object.keys(SCRIPT_FIELDS) as readonly Operation[];

/** By name, whatever the case; undefined for what is no operation. */
export function operationNamed(name: string): Operation | undefined {
  return OPERATIONS.find((operation) => operation.toLowerCase() === name.toLowerCase());
}
