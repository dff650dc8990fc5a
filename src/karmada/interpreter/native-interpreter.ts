/**
 * What the engine knows by itself about the kinds of Kubernetes; the last layer, behind every customisation.
 *
 * One table per operation, from `apiVersion/Kind` to a pure function; as karmada v1.18
 * pkg/resourceinterpreter/default/native. To teach it a kind, add it to the tables that concern it.
 */
import { StatusError } from '#base/status-error.ts';
import { apiVersionOf, type Gvk } from '#kube/meta/gvk.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { AGGREGATE_STATUS } from './aggregate-status.ts';
import { DEPENDENCIES } from './dependencies.ts';
import { HEALTH } from './health.ts';
import { REFLECT_STATUS, wholeStatus } from './reflect-status.ts';
import { interpretReplicas, REPLICAS, REVISE_REPLICA } from './replicas.ts';
import type { NativeInterpreter, Operation } from './resource-interpreter.ts';
import { RETAIN } from './retain.ts';

const TABLES: Readonly<Record<Operation, Readonly<Record<string, unknown>>>> = {
  InterpretReplica: REPLICAS,
  InterpretComponent: {},
  ReviseReplica: REVISE_REPLICA,
  Retain: RETAIN,
  AggregateStatus: AGGREGATE_STATUS,
  InterpretStatus: REFLECT_STATUS,
  InterpretHealth: HEALTH,
  InterpretDependency: DEPENDENCIES,
};

export const nativeInterpreter: NativeInterpreter = {
  // Of a kind without a rule the whole status is sent up, so every kind has an answer.
  handles: (kind, operation) => operation === 'InterpretStatus' || Object.hasOwn(TABLES[operation], keyOfKind(kind)),
  replicas: (template) => interpretReplicas(template, rule(REPLICAS, template, 'InterpretReplica')),
  components: (template) => rule<() => readonly []>({}, template, 'InterpretComponent')(),
  reviseReplica: (template, replicas) => rule(REVISE_REPLICA, template, 'ReviseReplica')(template, replicas),
  retain: (desired, observed) => rule(RETAIN, desired, 'Retain')(desired, observed),
  aggregateStatus: (template, items) => rule(AGGREGATE_STATUS, template, 'AggregateStatus')(template, items),
  reflectStatus: (observed) => (REFLECT_STATUS[keyOfObject(observed)] ?? wholeStatus)(observed),
  health: (observed) => (rule(HEALTH, observed, 'InterpretHealth')(observed) ? 'Healthy' : 'Unhealthy'),
  dependencies: (template) => rule(DEPENDENCIES, template, 'InterpretDependency')(template),
};

function keyOfKind(kind: Gvk): string {
  return `${apiVersionOf(kind)}/${kind.kind}`;
}

function keyOfObject({ apiVersion, kind }: KubeObject): string {
  return `${apiVersion}/${kind}`;
}

/** Asking for what `handles` denies is the caller's mistake. */
function rule<Rule>(table: Readonly<Record<string, Rule>>, object: KubeObject, operation: Operation): Rule {
  const found = table[keyOfObject(object)];
  if (found) return found;
  throw new StatusError('NotImplemented', `no native ${operation} for ${object.apiVersion} ${object.kind}`);
}
