/** The layer of customisations: every operation is asked of the script for it. */
import { jsonEqual } from '#base/json.ts';
import { StatusError } from '#base/status-error.ts';
import { apiVersionOf, type Gvk } from '#kube/meta/gvk.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import type { Answers, Question } from '../operations.ts';
import type { Awaitable, DependentObject, Operation, ResourceInterpreter } from '../resource-interpreter.ts';
import { askScript, type CallScript, type NamedScript } from './ask-script.ts';
import type { CustomizedScripts } from './customized-scripts.ts';

/** `scripts` is asked each time: what it gives may change under a running engine. */
export function luaInterpreter(scripts: () => CustomizedScripts, call: CallScript): ResourceInterpreter {
  const scriptsFor = ({ apiVersion, kind }: Pick<KubeObject, 'apiVersion' | 'kind'>, operation: Operation) =>
    scripts().get(`${apiVersion}/${kind}`)?.get(operation) ?? [];

  function ask<O extends Operation>(operation: O, question: Question): Awaitable<Answers[O]> {
    const [script] = scriptsFor(question.object, operation);
    if (!script) throw unhandled(operation, question.object);
    return askScript({ ...script, operation }, question, call);
  }

  /** Every script is asked, since each may know of dependencies the others do not. */
  function dependencies(object: KubeObject): Awaitable<readonly DependentObject[]> {
    const all = scriptsFor(object, 'InterpretDependency');
    if (all.length === 0) throw unhandled('InterpretDependency', object);
    const answers = all.map((script) => askScript(aboutDependencies(script), { object }, call));
    return after(together(answers), (lists) => distinct(lists.flat()));
  }

  return {
    handles: (kind: Gvk, operation) =>
      scriptsFor({ apiVersion: apiVersionOf(kind), kind: kind.kind }, operation).length > 0,
    replicas: (object) => ask('InterpretReplica', { object }),
    components: (object) => ask('InterpretComponent', { object }),
    reviseReplica: (object, replicas) => ask('ReviseReplica', { object, replicas }),
    retain: (object, observed) => ask('Retain', { object, observed }),
    aggregateStatus(object, items) {
      // Where Karmada reads it from the binding, a list that says nothing is absent, and so nil for the script.
      const question = items.length === 0 ? { object } : { object, items };
      return after(ask('AggregateStatus', question), (aggregated) => withStatusOf(object, aggregated));
    },
    reflectStatus: (object) => ask('InterpretStatus', { object }),
    health: (object) => after(ask('InterpretHealth', { object }), (healthy) => (healthy ? 'Healthy' : 'Unhealthy')),
    dependencies,
  };
}

function aboutDependencies(script: NamedScript) {
  return { ...script, operation: 'InterpretDependency' as const };
}

/** Asking for what `handles` denies is the caller's mistake. */
function unhandled(operation: Operation, { apiVersion, kind }: KubeObject): StatusError {
  return new StatusError('NotImplemented', `no customization has ${operation} for ${apiVersion} ${kind}`);
}

/** The template with the status of another object: nothing else of an aggregation is ever written. */
function withStatusOf(template: KubeObject, { status }: KubeObject): KubeObject {
  if (jsonEqual(template['status'], status)) return template;
  const { status: _, ...rest } = template;
  return status === undefined ? rest : { ...rest, status };
}

/** Each once (but those by labels, which may differ though they look alike), in the order Karmada gives them. */
export function distinct(dependencies: readonly DependentObject[]): readonly DependentObject[] {
  const named = new Map<string, DependentObject>();
  for (const dependency of dependencies) {
    named.set(dependency.labelSelector ? `#${named.size}` : JSON.stringify(placeOf(dependency)), dependency);
  }
  return [...named.values()].sort((a, b) => (placeOf(a).join('\0') < placeOf(b).join('\0') ? -1 : 1));
}

function placeOf({ apiVersion, kind, namespace = '', name = '' }: DependentObject): readonly string[] {
  return [apiVersion, kind, namespace, name];
}

export function after<T, U>(value: Awaitable<T>, then: (value: T) => U): Awaitable<U> {
  return value instanceof Promise ? value.then(then) : then(value);
}

function together<T>(values: readonly Awaitable<T>[]): Awaitable<readonly T[]> {
  const settled = values.filter((value): value is T => !(value instanceof Promise));
  return settled.length === values.length ? settled : Promise.all(values);
}
