/** The manifest of a job that shall run once more: a job runs once, so what runs again is a new one of its name. */
import type { Job } from '#gen/kube/types.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { template } from '../promotion.ts';

/** What a server writes into the pods of a job so that it finds them: of the old job alone. */
const OF_ONE_JOB = ['controller-uid', 'job-name', 'batch.kubernetes.io/controller-uid', 'batch.kubernetes.io/job-name'];

export function restartedJob(job: KubeObject & Job): KubeObject {
  const plain = template(job);
  if (!job.spec) return plain;
  const { selector, template: pod, ...spec } = job.spec;
  return {
    ...plain,
    metadata: { ...plain.metadata, labels: withoutJob(plain.metadata.labels) },
    spec: {
      ...spec,
      ...(spec.manualSelector ? { selector } : {}),
      template: { ...pod, metadata: { ...pod.metadata, labels: withoutJob(pod.metadata?.labels) } },
    },
  };
}

function withoutJob(labels: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(labels).filter(([key]) => !OF_ONE_JOB.includes(key)));
}
