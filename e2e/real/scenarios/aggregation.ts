/** How what members report is put together again. */
import type { KubeObject } from '#kube/meta/object.ts';
import type { Scenario } from '../scenario.ts';
import { DEPLOYMENTS, deployment, divided, podTemplate, policy, to, weights } from './objects.ts';

const aggregated = (name: string, about: string, template: KubeObject, placement: object = {}): Scenario => {
  const { apiVersion, kind } = template;
  return { name, about, given: [template, policy('p', [{ apiVersion, kind }], { ...to('m1', 'm2'), ...placement })] };
};
const workload = { selector: { matchLabels: { app: 'a' } }, template: podTemplate('a') };

export const AGGREGATION: readonly Scenario[] = [
  {
    name: 'status-deployment',
    about: 'replicas of a Deployment are added up',
    given: [
      deployment('web', 3),
      policy('p', DEPLOYMENTS, { ...to('m1', 'm2'), ...divided('Weighted', weights({ m1: 2, m2: 1 })) }),
    ],
  },
  aggregated('status-statefulset', 'replicas of a StatefulSet are added up', {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'a' },
    spec: { replicas: 2, serviceName: 'a', ...workload },
  }),
  aggregated('status-daemonset', 'a DaemonSet counts the nodes of all clusters', {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'a' },
    spec: workload,
  }),
  aggregated('status-job', 'a Job is complete when it is in every cluster', {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'a' },
    spec: { completions: 2, parallelism: 2, template: podTemplate('a', { restartPolicy: 'Never' }) },
  }),
  aggregated(
    'status-job-divided',
    'the completions of a Job are divided',
    {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'a' },
      spec: { completions: 4, parallelism: 4, template: podTemplate('a', { restartPolicy: 'Never' }) },
    },
    divided('Weighted', weights({ m1: 3, m2: 1 })),
  ),
  aggregated('status-cronjob', 'a CronJob is sent and reported', {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'a' },
    spec: {
      schedule: '0 0 1 1 *',
      jobTemplate: { spec: { template: podTemplate('a', { restartPolicy: 'Never' }) } },
    },
  }),
  aggregated('status-service', 'a Service reports the addresses of its load balancers', {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'a' },
    spec: { type: 'LoadBalancer', selector: { app: 'a' }, ports: [{ port: 80 }] },
  }),
  aggregated('status-clusterip', 'a Service keeps the address each cluster gave it', {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'a' },
    spec: { selector: { app: 'a' }, ports: [{ name: 'http', port: 80, targetPort: 8080 }] },
  }),
  aggregated('serviceaccount', 'a ServiceAccount keeps the secrets each cluster gave it', {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 'robot' },
  }),
];
