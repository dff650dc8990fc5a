/** The pods a Job makes. Pure. */
import type { Container, EnvVar, Job, Pod } from '#gen/kube/types.ts';
import type { Unnamed } from '#kube/client/kube-client.ts';
import { podFromTemplate } from '../workload/pod-template.ts';
import { INDEX } from './indexes.ts';
import type { NewPod } from './job-plan.ts';
import { TRACKING } from './tally.ts';
import { FAILURES } from './verdict.ts';

export function jobPod(job: Job, { index, failures }: NewPod): Unnamed<Pod> {
  const { template } = job.spec ?? {};
  const finalizers = [TRACKING];
  if (index === undefined) return podFromTemplate(job, template, { finalizers });
  const own = { [INDEX]: String(index) };
  return podFromTemplate(job, template, {
    finalizers,
    generateName: `${job.metadata.name}-${index}-`,
    labels: own,
    annotations: { ...own, ...(failures === undefined ? {} : { [FAILURES]: String(failures) }) },
    spec: {
      ...template?.spec,
      hostname: template?.spec?.hostname ?? `${job.metadata.name}-${index}`,
      containers: (template?.spec?.containers ?? []).map(withIndex),
      ...(template?.spec?.initContainers ? { initContainers: template.spec.initContainers.map(withIndex) } : {}),
    },
  });
}

const VARIABLE: EnvVar = {
  name: 'JOB_COMPLETION_INDEX',
  valueFrom: { fieldRef: { fieldPath: `metadata.labels['${INDEX}']` } },
};

function withIndex(container: Container): Container {
  const { env = [] } = container;
  return env.some(({ name }) => name === VARIABLE.name) ? container : { ...container, env: [...env, VARIABLE] };
}
