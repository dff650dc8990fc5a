/** `kairship instance backup …`: copies of all that an instance holds, made, listed, put back and deleted. */
import { setTimeout as sleep } from 'node:timers/promises';
import { toJson } from '@bufbuild/protobuf';
import pc from 'picocolors';
import { hasReason } from '#base/status-error.ts';
import {
  type InstanceBackup,
  InstanceBackup_PhaseSchema,
  InstanceBackup_Phase as Phase,
  InstanceBackupSchema,
  InstanceService,
  type RestoredObject,
  RestoredObject_Change as Change,
  type RestoreInstanceResponse,
} from '#gen/proto/kairship/api/instance/v1alpha1/instance_service_pb.ts';
import { connected, type Connection, type ConnectionOptions } from '../cli/connection.ts';
import { enumName } from '../cli/enum-name.ts';
import { CommandFailure, EXIT, usageFailure } from '../cli/failure.ts';
import { follow } from '../cli/follow.ts';
import { type Listed, type ListOptions, stateWord, write } from '../cli/output.ts';
import { confirm } from '../cli/prompt.ts';
import { note, progress, waiting, warn } from '../cli/screen.ts';
import { table } from '../cli/table.ts';
import { ago } from './access-words.ts';
import { untilRunning } from './instances.ts';
import { bytes } from './words.ts';

const phaseOf = ({ phase }: Pick<InstanceBackup, 'phase'>) => enumName(InstanceBackup_PhaseSchema, phase).toLowerCase();
const isComplete = ({ phase }: InstanceBackup) => phase === Phase.Completed;

const BACKUPS: Listed<InstanceBackup> = {
  kind: 'backup',
  name: ({ name }) => name,
  object: (backup) => toJson(InstanceBackupSchema, backup),
  columns: [
    { head: 'NAME', of: ({ name }) => name },
    { head: 'STATE', of: (backup) => stateWord(phaseOf(backup)) },
    { head: 'OBJECTS', of: (backup) => (isComplete(backup) ? String(backup.objects) : '') },
    { head: 'SIZE', of: (backup) => (isComplete(backup) ? bytes(Number(backup.bytes)) : '') },
    { head: 'KARMADA', of: ({ karmadaVersion }) => karmadaVersion },
    { head: 'NOTE', of: ({ note: text, message }) => message || text },
    { head: 'SHA256', of: ({ sha256 }) => sha256, wide: true },
    { head: 'AGE', of: ({ createdAt }) => ago(createdAt) },
  ],
};

/** Runs `work` on the instance that was named, or the only one. */
function onNamed(
  name: string | undefined,
  options: ConnectionOptions,
  work: (on: Connection, instance: string) => Promise<void>,
): Promise<void> {
  return connected({ ...options, ...(name === undefined ? {} : { instance: name }) }, async (on) =>
    work(on, await on.theInstance()),
  );
}

export function listBackups(name: string | undefined, options: ConnectionOptions & ListOptions): Promise<void> {
  return onNamed(name, options, (on, instance) =>
    follow(
      BACKUPS,
      async () => (await on.rpc(InstanceService).listInstanceBackups({ instance })).items,
      options,
      `There are no backups of ${instance}. Make one: kairship instance backup ${instance}`,
    ),
  );
}

export interface BackupOptions extends ConnectionOptions {
  readonly name?: string;
  readonly note?: string;
  readonly wait: boolean;
  readonly timeout: number;
}

export function makeBackup(name: string | undefined, options: BackupOptions): Promise<void> {
  return onNamed(name, options, async (on, instance) => {
    const backup = await copied(on, instance, options);
    requireNoFailure(backup);
    write(`backup/${backup.name}`);
    if (!isComplete(backup)) return note(`It is being made: kairship instance backups ${instance}`);
    note(
      `${backup.objects} objects of ${pc.bold(instance)}, ${bytes(Number(backup.bytes))}: complete, and read again.`,
    );
    note(pc.dim(`  Next: kairship instance restore ${backup.name} ${instance} --dry-run`));
  });
}

async function copied(on: Connection, instance: string, options: BackupOptions): Promise<InstanceBackup> {
  const { name = '', note: text = '', wait, timeout } = options;
  const until = Date.now() + timeout;
  const lines = progress();
  lines.set(instance, `${instance}  ▸ is being copied`);
  try {
    const made = await on.rpc(InstanceService).createInstanceBackup({ instance, backup: name, note: text });
    return wait ? await settled(on, made, until) : made;
  } finally {
    lines.end(false);
  }
}

/** The platform has waited a while before it answered; what takes longer is asked for again. */
async function settled(on: Connection, made: InstanceBackup, until: number): Promise<InstanceBackup> {
  const { instance, name } = made;
  for (let backup = made; ; backup = await on.rpc(InstanceService).getInstanceBackup({ instance, backup: name })) {
    if (backup.phase !== Phase.Pending) return backup;
    if (Date.now() > until)
      throw new CommandFailure(`backup "${name}" is not complete yet`, {
        why: `pending: whoever runs ${instance} has not finished the copy`,
        next: `kairship instance backups ${instance} -w`,
        code: EXIT.timedOut,
      });
    await sleep(300);
  }
}

function requireNoFailure({ instance, name, phase, message }: InstanceBackup): void {
  if (phase !== Phase.Failed) return;
  throw new CommandFailure(`backup "${name}" failed`, {
    why: message || 'no reason was given',
    next: `kairship instance delete-backup ${name} ${instance}; kairship doctor`,
  });
}

export interface RestoreOptions extends ConnectionOptions {
  /** The instance it is a backup of, when that is another. */
  readonly from?: string;
  readonly namespaces: readonly string[];
  readonly dryRun: boolean;
  readonly yes?: boolean;
  readonly timeout: number;
}

export function restoreBackup(backup: string, name: string | undefined, options: RestoreOptions): Promise<void> {
  return onNamed(name, options, async (on, instance) => {
    await requireBackup(on, backup, options.from ?? instance, '; restore one of another instance with --from INSTANCE');
    const wanted = { instance, backup, namespaces: [...options.namespaces] };
    const preview = await waiting(
      `comparing ${backup} with ${instance}`,
      on.rpc(InstanceService).restoreInstance({ ...wanted, dryRun: true }),
    );
    const next = `kairship instance backups ${options.from ?? instance}; kairship doctor`;
    requireDone(preview, `backup "${backup}" was not compared with ${instance}`, next, options.dryRun);
    tell(preview, options.dryRun ? write : note);
    if (options.dryRun) return;
    if (!(await confirm(questionOf(backup, instance, options.namespaces), options.yes)))
      throw usageFailure(`instance "${instance}" stays as it is`, 'the answer was no', next);
    const done = await waiting(
      `putting ${instance} back to ${backup}`,
      on.rpc(InstanceService).restoreInstance(wanted),
    );
    requireDone(done, `instance "${instance}" was not put back`, `kairship instance get ${instance}`, true);
    if (done.message !== '') note(done.message);
    await untilRunning(on, instance, options.timeout);
    const part = options.namespaces.length === 0 ? '' : `${options.namespaces.join(', ')} of `;
    note(`${part}instance/${pc.bold(instance)} is back to ${backup}.`);
  });
}

/** The objects where they were asked for, and the sum for people. */
function tell(preview: RestoreInstanceResponse, print: (text: string) => void): void {
  if (preview.phase === Phase.Pending) return warn('comparing takes long: what would change is not known');
  if (preview.changes.length > 0) print(changesOf(preview));
  note(sumOf(preview));
}

/** A name alone may mean the backup of another instance: that is said, not guessed. */
async function requireBackup(on: Connection, backup: string, instance: string, or = ''): Promise<InstanceBackup> {
  try {
    return await on.rpc(InstanceService).getInstanceBackup({ instance, backup });
  } catch (error) {
    if (!hasReason(error, 'NotFound')) throw error;
    throw new CommandFailure(`there is no backup "${backup}" of ${instance}`, {
      why: 'there is nothing of that name, it is of another instance, or you may not see it',
      next: `kairship instance backups ${instance}${or}`,
      code: EXIT.notFound,
      cause: error,
    });
  }
}

function requireDone({ phase, message }: RestoreInstanceResponse, what: string, next: string, isLast: boolean): void {
  if (phase === Phase.Completed || (phase === Phase.Pending && !isLast)) return;
  if (phase === Phase.Pending)
    throw new CommandFailure(`${what} yet`, { why: 'pending: it takes long', next, code: EXIT.timedOut });
  throw new CommandFailure(what, { why: message || 'no reason was given', next });
}

const WORDS: Readonly<Record<number, string>> = {
  [Change.created]: pc.green('comes back'),
  [Change.changed]: pc.yellow('changes back'),
  [Change.deleted]: pc.red('is forgotten'),
};

function changesOf({ changes }: RestoreInstanceResponse): string {
  const row = ({ kind, namespace, name, change }: RestoredObject) => [
    WORDS[change] ?? '',
    kind,
    namespace || '–',
    name,
  ];
  return table(['CHANGE', 'KIND', 'NAMESPACE', 'NAME'], changes.map(row));
}

function sumOf({ changes, created, changed, deleted }: RestoreInstanceResponse): string {
  const total = created + changed + deleted;
  if (total === 0) return 'Nothing that people wrote would change.';
  const more = total > changes.length ? ` The first ${changes.length} are shown.` : '';
  return `${created} would come back, ${changed} change back, ${deleted} be forgotten.${more}`;
}

function questionOf(backup: string, instance: string, namespaces: readonly string[]): string {
  return namespaces.length > 0
    ? `Put ${namespaces.join(', ')} of ${instance} back to ${backup}? Nothing that came since goes.`
    : `Put ${instance} back to ${backup}? It stops for a moment; members keep what was created since, unmanaged.`;
}

export function deleteBackup(
  backup: string,
  name: string | undefined,
  options: ConnectionOptions & { readonly yes?: boolean },
): Promise<void> {
  return onNamed(name, options, async (on, instance) => {
    const { createdAt } = await requireBackup(on, backup, instance);
    if (!(await confirm(`Delete ${backup}, made ${ago(createdAt)} ago? Nothing brings it back.`, options.yes)))
      throw usageFailure(`backup "${backup}" stays`, 'the answer was no', `kairship instance backups ${instance}`);
    await on.rpc(InstanceService).deleteInstanceBackup({ instance, backup });
    note(`backup/${backup} deleted`);
  });
}
