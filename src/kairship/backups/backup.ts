/**
 * The `InstanceBackup` and `InstanceRestore` custom resources of the global cluster: a copy of all that an instance
 * holds, and the wish to put an instance back to one.
 *
 * Who runs an instance fulfils both and writes their status. A backup outlives its instance; a restore goes with it.
 */
import type { Gvr } from '#kube/meta/gvk.ts';
import type { KubeObject, ObjectMeta } from '#kube/meta/object.ts';
import { type KubeClient } from '#kube/client/kube-client.ts';
import { type TypedClient, typed } from '#kube/client/typed-client.ts';
import {
  AGE,
  boolean,
  column,
  type CustomResourceDefinition,
  definition,
  integer,
  kindNames,
  list,
  object,
  oneOf,
  string,
  time,
} from '#kube/crds/index.ts';
import type { RestoreChange } from './restore-preview.ts';

export const BACKUPS: Gvr = { group: 'kairship.io', version: 'v1alpha1', resource: 'instancebackups' };
export const RESTORES: Gvr = { group: 'kairship.io', version: 'v1alpha1', resource: 'instancerestores' };

export type Phase = 'Pending' | 'Completed' | 'Failed';

export interface InstanceBackup extends KubeObject {
  readonly metadata: ObjectMeta;
  readonly spec: { readonly instance: string; readonly note?: string };
  readonly status?: {
    readonly phase: Phase;
    readonly message?: string;
    readonly completedAt?: string;
    readonly bytes?: number;
    readonly objects?: number;
    readonly sha256?: string;
    readonly karmadaVersion?: string;
  };
}

export interface InstanceRestore extends KubeObject {
  readonly metadata: ObjectMeta;
  readonly spec: {
    readonly instance: string;
    readonly backup: string;
    /** Clusters that do not come back, because they are members of another instance now. */
    readonly leaveOut?: readonly string[];
    /** Only what is in these comes back. */
    readonly namespaces?: readonly string[];
    /** Whether to tell what would change, and change nothing. */
    readonly dryRun?: boolean;
  };
  readonly status?: {
    readonly phase: Phase;
    readonly message?: string;
    readonly completedAt?: string;
    /** Of a dry run: the first of what would change, and how much there is of each. */
    readonly changes?: readonly RestoreChange[];
    readonly created?: number;
    readonly changed?: number;
    readonly deleted?: number;
  };
}

/** Held until the file is gone too. */
export const BACKUP_FINALIZER = 'kairship.io/backup-file';

const phase = oneOf(['Pending', 'Completed', 'Failed'], 'How far it is.');
const change = object({
  apiVersion: string(),
  kind: string(),
  namespace: string(),
  name: string(),
  change: oneOf(['created', 'changed', 'deleted']),
});
const outcome = { phase, message: string('Why it failed, or what is to be known.'), completedAt: time() };

export const backupCrd: CustomResourceDefinition = definition({
  names: kindNames(BACKUPS.group, BACKUPS.version, 'InstanceBackup', BACKUPS.resource),
  scope: 'Cluster',
  category: 'kairship',
  description: 'A copy of all that an instance holds.',
  properties: {
    spec: object({ instance: string('Of which instance.'), note: string('What it is for.') }, ['instance'], 'Of what.'),
    status: object(
      {
        ...outcome,
        bytes: integer('How large it is.'),
        objects: integer('How many objects are in it.'),
        sha256: string('The digest of the file.'),
        karmadaVersion: string('The version of the control plane that it is of.'),
      },
      [],
      'What became of it.',
    ),
  },
  columns: [
    column('Instance', '.spec.instance'),
    column('Phase', '.status.phase'),
    column('Objects', '.status.objects', 'integer'),
    AGE,
  ],
  hasStatus: true,
});

export const restoreCrd: CustomResourceDefinition = definition({
  names: kindNames(RESTORES.group, RESTORES.version, 'InstanceRestore', RESTORES.resource),
  scope: 'Cluster',
  category: 'kairship',
  description: 'The wish to put an instance back to a backup.',
  properties: {
    spec: object(
      {
        instance: string('Which instance.'),
        backup: string('To which backup.'),
        leaveOut: list(string(), 'Clusters that do not come back, because they are members of another instance now.'),
        namespaces: list(string(), 'Only what is in these comes back; all of it when absent.'),
        dryRun: boolean('Whether to tell what would change, and change nothing.'),
      },
      ['instance', 'backup'],
      'What, and to what.',
    ),
    status: object(
      {
        ...outcome,
        changes: list(change, 'Of a dry run: the first of what would change.'),
        created: integer('How many objects would be there again.'),
        changed: integer('How many would be as they were.'),
        deleted: integer('How many would be unknown to the instance.'),
      },
      [],
      'What became of it.',
    ),
  },
  columns: [
    column('Instance', '.spec.instance'),
    column('Backup', '.spec.backup'),
    column('Phase', '.status.phase'),
    AGE,
  ],
  hasStatus: true,
});

export const backups = (client: KubeClient): TypedClient<InstanceBackup> =>
  typed<InstanceBackup>(client, { gvr: BACKUPS, kind: 'InstanceBackup', namespaced: false });
export const restores = (client: KubeClient): TypedClient<InstanceRestore> =>
  typed<InstanceRestore>(client, { gvr: RESTORES, kind: 'InstanceRestore', namespaced: false });
