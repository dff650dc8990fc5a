/** What is done with workloads, each kind through the service that knows it, and the right that it takes. */
import { createClient } from '@connectrpc/connect';
import { AppsService } from '#gen/proto/kairship/api/apps/v1alpha1/apps_service_pb.ts';
import { BatchService } from '#gen/proto/kairship/api/batch/v1alpha1/batch_service_pb.ts';
import { WorkloadService } from '#gen/proto/kairship/api/workload/v1alpha1/workload_service_pb.ts';
import { CRON_JOB, DAEMON_SET, DEPLOYMENT, JOB, type Kind, STATEFUL_SET } from './kinds.ts';
import { type ObjectRef, replaceObject } from './objects.ts';
import { type May, useMay } from './permissions.ts';
import { transport } from './transport.ts';

const apps = createClient(AppsService, transport);
const batch = createClient(BatchService, transport);
const workloads = createClient(WorkloadService, transport);

export type Rollout = 'restart' | 'pause' | 'resume';

/** What can be done with the pods of each kind. */
export const ROLLED: readonly Kind[] = [DEPLOYMENT, STATEFUL_SET, DAEMON_SET];
export const SCALED: readonly Kind[] = [DEPLOYMENT, STATEFUL_SET];
export const PAUSED: readonly Kind[] = [DEPLOYMENT, CRON_JOB];
export const RESTARTED: readonly Kind[] = [...ROLLED, JOB];

export interface WorkloadRights {
  /** To replace it by another manifest. */
  readonly edit: May;
  /** To scale, pause, restart it or roll it back. */
  readonly update: May;
  readonly remove: May;
}

export function useWorkloadRights({ instance, kind, namespace }: ObjectRef): WorkloadRights {
  const where = { instance, namespace };
  const update = useMay('kairship/workload/update', where);
  const remove = useMay('kairship/workload/delete', where);
  // The published API has no way to replace a job but the one for every kind.
  const other = useMay('kairship/custom-resource/update', where);
  return { edit: kind.kind === JOB.kind ? other : update, update, remove };
}

export async function saveWorkload(of: ObjectRef, data: string): Promise<unknown> {
  const at = { ...addressed(of), data };
  switch (of.kind.kind) {
    case DEPLOYMENT.kind:
      return apps.updateDeployment(at);
    case STATEFUL_SET.kind:
      return apps.updateStatefulSet(at);
    case DAEMON_SET.kind:
      return apps.updateDaemonSet(at);
    case CRON_JOB.kind:
      return batch.updateCronJob(at);
    default:
      return replaceObject(of, data);
  }
}

export async function deleteWorkload(of: ObjectRef): Promise<unknown> {
  const at = addressed(of);
  switch (of.kind.kind) {
    case DEPLOYMENT.kind:
      return apps.deleteDeployment(at);
    case STATEFUL_SET.kind:
      return apps.deleteStatefulSet(at);
    case DAEMON_SET.kind:
      return apps.deleteDaemonSet(at);
    case CRON_JOB.kind:
      return batch.deleteCronJob(at);
    default:
      return batch.deleteJob(at);
  }
}

export async function scaleWorkload(of: ObjectRef, replicas: number): Promise<unknown> {
  return workloads.scaleWorkload({ ...addressed(of), kind: of.kind.resource, replicas });
}

export async function roll(of: ObjectRef, action: Rollout, resourceVersion: string): Promise<unknown> {
  const at = addressed(of);
  if (of.kind.kind === JOB.kind) return batch.restartJob({ ...at, resourceVersion });
  if (of.kind.kind === CRON_JOB.kind)
    return action === 'pause'
      ? batch.pauseCronJob({ ...at, paused: true })
      : batch.resumeCronJob({ ...at, paused: false });
  const one = { ...at, kind: of.kind.resource };
  if (action === 'restart') return workloads.restartWorkload(one);
  return action === 'pause' ? workloads.pauseWorkload(one) : workloads.resumeWorkload(one);
}

function addressed({ instance, namespace, name }: ObjectRef) {
  return { instance, namespace, name };
}
