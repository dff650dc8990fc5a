/** How many replicas a template asks for, and how to ask for another number. */
import type { KubeObject } from '#kube/meta/object.ts';
import { fieldAt, numberAt, withField } from './fields.ts';
import { podSpecOf } from './pod-template.ts';
import { requirementsOf } from './requirements.ts';
import type { ReplicaInterpretation } from './resource-interpreter.ts';

type CountReplicas = (template: KubeObject) => number;

const specReplicas: CountReplicas = (template) => numberAt(template, 'spec', 'replicas') ?? 0;

/** Pods beyond what is left to complete never run. */
const jobReplicas: CountReplicas = (template) => {
  const parallelism = numberAt(template, 'spec', 'parallelism') ?? 0;
  return Math.min(parallelism, numberAt(template, 'spec', 'completions') ?? parallelism);
};

export const REPLICAS: Readonly<Record<string, CountReplicas>> = {
  'apps/v1/Deployment': specReplicas,
  'apps/v1/ReplicaSet': specReplicas,
  'apps/v1/StatefulSet': specReplicas,
  'batch/v1/Job': jobReplicas,
  'v1/Pod': () => 1,
};

export function interpretReplicas(template: KubeObject, count: CountReplicas): ReplicaInterpretation {
  const requirements = requirementsOf(podSpecOf(template));
  return { replicas: count(template), ...(requirements ? { requirements } : {}) };
}

type ReviseReplicas = (template: KubeObject, replicas: number) => KubeObject;

/** Only where the template has the field: one that leaves it to the cluster keeps doing so. */
function revise(field: string): ReviseReplicas {
  return (template, replicas) =>
    fieldAt(template, 'spec', field) === undefined ? template : withField(template, ['spec', field], replicas);
}

export const REVISE_REPLICA: Readonly<Record<string, ReviseReplicas>> = {
  'apps/v1/Deployment': revise('replicas'),
  'apps/v1/ReplicaSet': revise('replicas'),
  'apps/v1/StatefulSet': revise('replicas'),
  'batch/v1/Job': revise('parallelism'),
};
