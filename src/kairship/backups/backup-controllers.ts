/**
 * Makes the backups that are asked for, puts instances back to them, and removes the files of those that are gone.
 *
 * Neither can be done twice: a second copy would not be the one whose digest was told, and a second restore would undo
 * what was written since. So what is to be done is read from the server, never from what was heard of it last.
 */
import { type Clock, rfc3339 } from '#base/clock.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { type Controller, done, type Informers, type Outcome, type Reconcile } from '#kube/runtime/index.ts';
import { KARMADA_VERSION } from '#karmada/apis/index.ts';
import {
  BACKUP_FINALIZER,
  BACKUPS,
  backups,
  type InstanceBackup,
  type InstanceRestore,
  RESTORES,
  restores,
} from './backup.ts';
import type { BackupKeeper } from './backup-keeper.ts';
import type { RestoreChange } from './restore-preview.ts';
import { saidOf } from './what-comes-back.ts';

export interface BackupControllersDeps {
  readonly client: KubeClient;
  readonly informers: Informers;
  readonly clock: Clock;
  readonly keeper: BackupKeeper;
}

export function backupControllers(deps: BackupControllersDeps): readonly Controller[] {
  return [backupController(deps), restoreController(deps)];
}

function backupController({ client, informers, clock, keeper }: BackupControllersDeps): Controller {
  const known = informers<InstanceBackup>(BACKUPS);
  const own = backups(client);

  async function reconcile({ key }: Reconcile): Promise<Outcome> {
    if (!known.get(key)) return done;
    const backup = await own.find(key);
    if (!backup) return done;
    const { name, deletionTimestamp } = backup.metadata;
    if (deletionTimestamp !== undefined) {
      await keeper.remove(name);
      await own.dropFinalizer(backup, BACKUP_FINALIZER);
      return done;
    }
    if (isSettled(backup)) return done;
    const held = await own.addFinalizer(backup, BACKUP_FINALIZER);
    const completedAt = rfc3339(clock.now());
    try {
      const facts = await keeper.make(name, held.spec.instance);
      await own.updateStatus(held, { phase: 'Completed', completedAt, ...facts, karmadaVersion: KARMADA_VERSION });
    } catch (error) {
      await own.updateStatus(held, { phase: 'Failed', completedAt, message: messageOf(error) });
    }
    return done;
  }

  return { name: 'instance-backup', watches: [{ gvr: BACKUPS }], concurrency: 2, reconcile };
}

function restoreController({ client, informers, clock, keeper }: BackupControllersDeps): Controller {
  const known = informers<InstanceRestore>(RESTORES);
  const [own, copies] = [restores(client), backups(client)];

  /** Answers what is to be known of it. */
  async function attempt({ spec }: InstanceRestore): Promise<Omit<Told, 'phase' | 'completedAt'>> {
    const { instance, leaveOut = [], namespaces = [], dryRun = false } = spec;
    const copy = await copies.get(spec.backup);
    const restore = { instance, source: copy.spec.instance, leaveOut, namespaces };
    const sha256 = copy.status?.sha256 ?? '';
    if (dryRun) return counted(await keeper.preview(spec.backup, sha256, restore));
    await keeper.restore(spec.backup, sha256, restore);
    return { message: saidOf(restore) };
  }

  async function reconcile({ key }: Reconcile): Promise<Outcome> {
    if (!known.get(key)) return done;
    const restore = await own.find(key);
    if (!restore || restore.metadata.deletionTimestamp !== undefined || isSettled(restore)) return done;
    const completedAt = () => rfc3339(clock.now());
    try {
      const told = await attempt(restore);
      await own.updateStatus(restore, { phase: 'Completed', completedAt: completedAt(), ...told });
    } catch (error) {
      await own.updateStatus(restore, { phase: 'Failed', completedAt: completedAt(), message: messageOf(error) });
    }
    return done;
  }

  return { name: 'instance-restore', watches: [{ gvr: RESTORES }], reconcile };
}

type Told = NonNullable<InstanceRestore['status']>;

/** More than anybody reads, and little enough for a status. */
const MOST_TOLD = 500;

function counted(changes: readonly RestoreChange[]): Omit<Told, 'phase'> {
  const count = (change: RestoreChange['change']) => changes.filter((one) => one.change === change).length;
  return {
    changes: changes.slice(0, MOST_TOLD),
    created: count('created'),
    changed: count('changed'),
    deleted: count('deleted'),
  };
}

function isSettled({ status }: InstanceBackup | InstanceRestore): boolean {
  return status?.phase === 'Completed' || status?.phase === 'Failed';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
