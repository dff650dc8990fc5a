/** The first text of a workload, and where its parts are. */
import { stringify } from 'yaml';
import { alsoFor, type Path } from '../policy/policy-text.ts';

export const KINDS = ['Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob'] as const;
export type WorkloadKind = (typeof KINDS)[number];

/** Where the pod's description is. */
export function podPath(kind: WorkloadKind): Path {
  return kind === 'CronJob' ? ['spec', 'jobTemplate', 'spec', 'template'] : ['spec', 'template'];
}

/** Where the number of replicas is; absent for kinds that have none. */
export function replicasPath(kind: WorkloadKind): Path | undefined {
  if (kind === 'Deployment' || kind === 'StatefulSet') return ['spec', 'replicas'];
  return kind === 'Job' ? ['spec', 'parallelism'] : undefined;
}

export interface NewWorkload {
  readonly kind: WorkloadKind;
  readonly name: string;
  readonly namespace: string;
}

export function newWorkloadText({ kind, name, namespace }: NewWorkload): string {
  const object = {
    apiVersion: apiVersionOf(kind),
    kind,
    metadata: { name, namespace, labels: { app: name } },
    spec: specOf(kind, name),
  };
  // Labels are told twice, not once with a reference: forms change single values.
  return stringify(object, { aliasDuplicateObjects: false });
}

/** As much as it may use is what it asks for, until somebody says otherwise. */
export function newContainer(name: string): object {
  const enough = { cpu: '250m', memory: '512Mi' };
  return { name, image: '', resources: { requests: enough, limits: { ...enough } } };
}

function specOf(kind: WorkloadKind, name: string): object {
  const labels = { app: name };
  const container = newContainer('main');
  const batch = kind === 'Job' || kind === 'CronJob';
  const template = {
    metadata: { labels },
    spec: { ...(batch ? { restartPolicy: 'Never' } : {}), containers: [container] },
  };
  const selector = { matchLabels: labels };
  switch (kind) {
    case 'Deployment':
      return { replicas: 2, selector, template };
    case 'StatefulSet':
      return { replicas: 2, serviceName: name, selector, template };
    case 'DaemonSet':
      return { selector, template };
    case 'Job':
      return { parallelism: 1, completions: 1, backoffLimit: 6, template };
    case 'CronJob':
      return {
        schedule: '0 3 * * *',
        concurrencyPolicy: 'Forbid',
        jobTemplate: { spec: { backoffLimit: 6, template } },
      };
  }
}

/** A policy's text that is for one more workload. */
export function withSelector(policy: string, kind: WorkloadKind, name: string): string {
  return alsoFor(policy, { apiVersion: apiVersionOf(kind), kind, name });
}

export function apiVersionOf(kind: WorkloadKind): string {
  return kind === 'Job' || kind === 'CronJob' ? 'batch/v1' : 'apps/v1';
}

/** Names of objects, as Kubernetes wants them. */
export function isName(text: string): boolean {
  return /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(text);
}
