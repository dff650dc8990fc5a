/** Several interpreters as one: for each operation the first layer that handles the kind answers. */
import { type Gvk, gvkOf } from '#kube/meta/gvk.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import type { Operation, ResourceInterpreter } from './resource-interpreter.ts';

/**
 * In order of precedence: customisations, webhooks, third-party knowledge, native.
 *
 * Where no layer handles a kind, the answers are harmless: no replicas, nothing to retain or depend on, the template
 * as it is, and healthy, since nobody can tell otherwise.
 */
export function chain(...layers: readonly ResourceInterpreter[]): ResourceInterpreter {
  const layerFor = (object: KubeObject, operation: Operation): ResourceInterpreter | undefined => {
    const kind = gvkOf(object);
    return layers.find((layer) => layer.handles(kind, operation));
  };
  return {
    handles: (kind: Gvk, operation) => layers.some((layer) => layer.handles(kind, operation)),
    replicas: (template) => layerFor(template, 'InterpretReplica')?.replicas(template) ?? { replicas: 0 },
    components: (template) => layerFor(template, 'InterpretComponent')?.components(template) ?? [],
    reviseReplica: (template, replicas) =>
      layerFor(template, 'ReviseReplica')?.reviseReplica(template, replicas) ?? template,
    retain: (desired, observed) => layerFor(desired, 'Retain')?.retain(desired, observed) ?? desired,
    aggregateStatus: (template, items) =>
      layerFor(template, 'AggregateStatus')?.aggregateStatus(template, items) ?? template,
    reflectStatus: (observed) => layerFor(observed, 'InterpretStatus')?.reflectStatus(observed),
    health: (observed) => layerFor(observed, 'InterpretHealth')?.health(observed) ?? 'Healthy',
    dependencies: (template) => layerFor(template, 'InterpretDependency')?.dependencies(template) ?? [],
  };
}
