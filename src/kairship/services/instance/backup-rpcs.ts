/**
 * Backups of instances as operations: what is asked for is written down in the global cluster, and whoever runs the
 * instance does it. Waited for a while, because it is usually a matter of a second.
 */
import type { ServiceImpl } from '@connectrpc/connect';
import { sleep } from '#base/clock.ts';
import type { Ids } from '#base/ids.ts';
import { notFound, StatusError } from '#base/status-error.ts';
import {
  InstanceBackup_Phase as Phase,
  type InstanceService,
  RestoredObject_Change,
} from '#gen/proto/kairship/api/instance/v1alpha1/instance_service_pb.ts';
import type { TypedClient } from '#kube/client/typed-client.ts';
import { reachOf } from '../../access/authorize.ts';
import { kairshipPermission } from '../../access/kairship-product.ts';
import {
  BACKUPS,
  backups as backupsOf,
  type InstanceBackup,
  type InstanceRestore,
  restores as restoresOf,
} from '../../backups/backup.ts';
import { type ClustersOf, INSTANCES, type Instance } from '../../instances/index.ts';
import { instances as instancesOf } from '../../instances/kinds.ts';
import { callerIn, type ServiceDeps } from '../deps.ts';

export interface BackupRpcsDeps extends ServiceDeps {
  readonly ids: Ids;
  readonly clustersOf: ClustersOf;
}

type BackupRpcs = Pick<
  ServiceImpl<typeof InstanceService>,
  'listInstanceBackups' | 'getInstanceBackup' | 'createInstanceBackup' | 'deleteInstanceBackup' | 'restoreInstance'
>;

/** How long an answer may wait for the work to be done. */
const PATIENCE_MS = 20_000;
const LOOK_EVERY_MS = 100;
const WHY_NOT: Readonly<Record<string, string>> = {
  operator:
    'the community’s operator keeps it in an etcd: use `etcdctl snapshot save` there, or the backup of its volume',
  external: 'somebody else runs it: back its etcd up there',
};

export function backupRpcs(deps: BackupRpcsDeps): BackupRpcs {
  const { clock, ids } = deps;
  const [instances, backups, restores] = [instancesOf(deps.global), backupsOf(deps.global), restoresOf(deps.global)];

  async function embedded(name: string): Promise<Instance> {
    const found = await instances.find(name);
    if (!found) throw notFound('instances', name, INSTANCES.group);
    const why = WHY_NOT[found.spec.mode];
    if (why !== undefined)
      throw new StatusError('Conflict', `instance "${name}" cannot be backed up from here: ${why}`);
    return found;
  }

  async function find(instance: string, name: string): Promise<InstanceBackup> {
    const found = await backups.find(name);
    if (found?.spec.instance !== instance) throw notFound(BACKUPS.resource, name, BACKUPS.group);
    return found;
  }

  /** Until it is settled, or for as long as a caller may wait. */
  async function settled<T extends InstanceBackup | InstanceRestore>(
    all: TypedClient<T>,
    made: T,
    signal: AbortSignal,
  ): Promise<T> {
    const until = clock.now() + PATIENCE_MS;
    let latest = made;
    while (phaseOf(latest) === Phase.Pending && clock.now() < until) {
      await sleep(clock, LOOK_EVERY_MS, signal);
      latest = (await all.find(made.metadata)) ?? latest;
    }
    return latest;
  }

  /** Two control planes with the same members would undo each other's work, unless somebody has joined them to both. */
  async function takenByOthers(instance: string): Promise<readonly string[]> {
    const others = (await instances.list()).map(({ metadata }) => metadata.name).filter((name) => name !== instance);
    const own = new Set((await deps.clustersOf(instance)).names);
    const theirs = (await Promise.all(others.map(deps.clustersOf))).flatMap(({ names }) => names);
    return [...new Set(theirs)].filter((name) => !own.has(name)).toSorted();
  }

  return {
    async listInstanceBackups({ instance }) {
      const own = (await backups.list()).filter(({ spec }) => spec.instance === instance);
      if (own.length === 0 && !(await instances.find(instance))) throw notFound('instances', instance, INSTANCES.group);
      return { items: own.map(told).toSorted((a, b) => Number(b.createdAt - a.createdAt)) };
    },
    getInstanceBackup: async ({ instance, backup }) => told(await find(instance, backup)),
    async createInstanceBackup({ instance, backup, note }, { signal }) {
      await embedded(instance);
      const name = backup === '' ? `${instance}-${ids.suffix(8)}` : backup;
      const made = await backups.create({ metadata: { name }, spec: { instance, ...(note === '' ? {} : { note }) } });
      return told(await settled(backups, made, signal));
    },
    async deleteInstanceBackup({ instance, backup }) {
      await backups.remove((await find(instance, backup)).metadata);
      return {};
    },
    async restoreInstance({ instance, backup, namespaces, dryRun }, context) {
      const { metadata } = await embedded(instance);
      const copy = await backups.find(backup);
      // Of an instance that the caller has no say in, nothing is told, not even that it is there.
      if (!copy || !mayRestore(deps, callerIn(context), copy.spec.instance))
        throw notFound(BACKUPS.resource, backup, BACKUPS.group);
      if (phaseOf(copy) !== Phase.Completed)
        throw new StatusError(
          'Conflict',
          `backup "${backup}" is not complete: ${copy.status?.message ?? 'it is pending'}`,
        );
      const leaveOut = copy.spec.instance === instance ? await takenByOthers(instance) : [];
      const owner = { apiVersion: 'kairship.io/v1alpha1', kind: 'Instance', name: instance, uid: metadata.uid ?? '' };
      const made = await restores.create({
        metadata: { name: `${instance}-${ids.suffix(8)}`, ownerReferences: [owner] },
        spec: {
          instance,
          backup,
          ...(leaveOut.length === 0 ? {} : { leaveOut }),
          ...(namespaces.length === 0 ? {} : { namespaces }),
          ...(dryRun ? { dryRun } : {}),
        },
      });
      const restore = await settled(restores, made, context.signal);
      // Nothing came of it that anybody would want to look up.
      if (dryRun) await restores.remove(restore.metadata);
      return restoreTold(restore);
    },
  };
}

function mayRestore({ access }: ServiceDeps, caller: ReturnType<typeof callerIn>, source: string): boolean {
  const { all, instances } = reachOf(access, caller, kairshipPermission('instance', 'restore'), source);
  return all || instances.includes(source);
}

function phaseOf({ status }: Pick<InstanceBackup | InstanceRestore, 'status'>): Phase {
  return status?.phase === undefined ? Phase.Pending : Phase[status.phase];
}

function restoreTold(restore: InstanceRestore) {
  const { message = '', changes = [], created = 0, changed = 0, deleted = 0 } = restore.status ?? {};
  return {
    phase: phaseOf(restore),
    message,
    created,
    changed,
    deleted,
    changes: changes.map((one) => ({ ...one, change: RestoredObject_Change[one.change] })),
  };
}

function told(backup: InstanceBackup) {
  const { metadata, spec, status = { phase: 'Pending' as const } } = backup;
  return {
    name: metadata.name,
    instance: spec.instance,
    note: spec.note ?? '',
    phase: phaseOf(backup),
    message: status.message ?? '',
    createdAt: BigInt(Date.parse(metadata.creationTimestamp ?? '') || 0),
    completedAt: BigInt(status.completedAt === undefined ? 0 : Date.parse(status.completedAt)),
    bytes: BigInt(status.bytes ?? 0),
    objects: BigInt(status.objects ?? 0),
    karmadaVersion: status.karmadaVersion ?? '',
    sha256: status.sha256 ?? '',
  };
}
