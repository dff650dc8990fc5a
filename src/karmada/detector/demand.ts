/** What a template asks for, as the interpreter reads it. */
import type { ResourceInterpreter } from '#karmada/interpreter/resource-interpreter.ts';
import { gvkOf } from '#kube/meta/gvk.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import type { Demand } from './build-binding.ts';

/** Undefined for a kind that has no replicas. `components`: feature gate MultiplePodTemplatesScheduling. */
export async function demandOf(
  interpreter: ResourceInterpreter,
  template: KubeObject,
  components = false,
): Promise<Demand | undefined> {
  const kind = gvkOf(template);
  if (components && interpreter.handles(kind, 'InterpretComponent')) {
    return { components: await interpreter.components(template) };
  }
  if (!interpreter.handles(kind, 'InterpretReplica')) return undefined;
  const { replicas, requirements } = await interpreter.replicas(template);
  return { replicas, ...(requirements ? { replicaRequirements: requirements } : {}) };
}
