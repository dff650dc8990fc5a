/**
 * The priority of new pods, from their PriorityClass or from the one that is the default of all.
 *
 * Refused are pods that name a class that does not exist, or a priority that is not that of their class.
 */
import type { Draft } from '#base/json.ts';
import { StatusError } from '#base/status-error.ts';
import type { Pod, PriorityClass } from '#gen/kube/types.ts';
import type { AdmissionPlugin } from '#kube/apiserver/admission.ts';

type Classes = readonly PriorityClass[];

/** `classes` are all that there are. */
export function podPriority(classes: () => Classes | Promise<Classes>): AdmissionPlugin {
  return {
    name: 'pod-priority',
    handles: ({ operation, gvr, subresource }) =>
      operation === 'CREATE' && gvr.group === '' && gvr.resource === 'pods' && subresource === undefined,
    async mutate({ object, name }) {
      const pod = object as Draft<Pod> | undefined;
      if (pod) prioritise((pod.spec ??= { containers: [] }), await classes(), name);
    },
  };
}

type Spec = NonNullable<Draft<Pod>['spec']>;

function prioritise(spec: Spec, classes: Classes, name: string): void {
  const named = spec.priorityClassName;
  const found = named ? classes.find(({ metadata }) => metadata.name === named) : defaultOf(classes);
  if (named && !found) throw refused(name, `no PriorityClass with name ${named} was found`);
  const value = found?.value ?? 0;
  if (spec.priority !== undefined && spec.priority !== value) {
    const rule = `must not be provided in pod spec; priority admission controller computed ${value} from the given PriorityClass name`;
    throw refused(name, `the integer value of priority (${spec.priority}) ${rule}`);
  }
  spec.priority = value;
  if (!found) return;
  spec.priorityClassName = found.metadata.name;
  if (found.preemptionPolicy !== undefined) spec.preemptionPolicy = found.preemptionPolicy;
}

/** Of several defaults, which Kubernetes lets slip through as well, the least. */
function defaultOf(classes: Classes): PriorityClass | undefined {
  const defaults = classes.filter(({ globalDefault }) => globalDefault === true);
  return defaults.toSorted((a, b) => a.value - b.value)[0];
}

function refused(name: string, why: string): StatusError {
  return new StatusError('Forbidden', `pods "${name}" is forbidden: ${why}`, { details: { name, kind: 'pods' } });
}
