/** What a form says of an instance, and what is sent for it. Pure. */
export const MODES = ['embedded', 'operator', 'external'] as const;
export type Mode = (typeof MODES)[number];

export const STORAGES = ['default', 'emptyDir', 'hostPath', 'pvc'] as const;
export type StorageType = (typeof STORAGES)[number];

export interface Wanted {
  readonly mode: Mode;
  readonly name: string;
  readonly alias: string;
  readonly labels: readonly string[];
  readonly annotations: readonly Entry[];
  readonly release: boolean;
  /** The cluster an operator runs it in; empty is where the platform is. */
  readonly host: string;
  readonly kubeconfig: string;
  readonly failover: boolean;
  readonly descheduler: boolean;
  readonly metricsAdapter: boolean;
  readonly storage: StorageType;
  readonly path: string;
  readonly size: string;
  readonly storageClass: string;
}

export const NOTHING: Wanted = {
  mode: 'embedded',
  name: '',
  alias: '',
  labels: [],
  annotations: [],
  release: true,
  host: '',
  kubeconfig: '',
  failover: false,
  descheduler: false,
  metricsAdapter: false,
  storage: 'default',
  path: '',
  size: '10Gi',
  storageClass: '',
};

const NAME = /^[a-z0-9]([a-z0-9-]{0,48}[a-z0-9])?$/;

export function isName(text: string): boolean {
  return NAME.test(text);
}

/** As the resource that keeps it may be called. */
export function isBackupName(text: string): boolean {
  return /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/.test(text);
}

/** Who runs an instance, as its message tells. */
export function modeOf(annotations: Readonly<Record<string, string>> = {}): Mode {
  return MODES.find((one) => one === annotations['kairship.io/mode']) ?? 'embedded';
}

/** A key and its value. */
export type Entry = readonly [key: string, value: string];

const INTERNAL = ['kairship.io', 'shadow.clusterpedia.io', 'kubectl.kubernetes.io'];

/** Labels and annotations by which programs know an instance: they are not people's to change. */
export function isInternal(key: string): boolean {
  const [prefix = ''] = key.split('/');
  return key.includes('/') && INTERNAL.some((own) => prefix === own || prefix.endsWith(`.${own}`));
}

/** Those that people may see and change. */
export function ownEntries(of: Readonly<Record<string, string>>): readonly Entry[] {
  return Object.entries(of).filter(([key]) => !isInternal(key));
}

/** What was written, with what nobody may write as it was. */
export function withInternal(of: Readonly<Record<string, string>>, written: readonly Entry[]): Record<string, string> {
  const internal = Object.entries(of).filter(([key]) => isInternal(key));
  return Object.fromEntries([...written.filter(([key]) => key !== '' && !isInternal(key)), ...internal]);
}

/** The cluster that a control plane runs in, by the name of the Secret that opens it; empty is where the platform is. */
export function hostOf(secret = ''): string {
  return secret.replace(/^cluster-/, '');
}

/** The published message has no place for these but annotations. */
export function annotationsOf({
  mode,
  alias,
  release,
}: Pick<Wanted, 'mode' | 'alias' | 'release'>): Record<string, string> {
  return {
    'kairship.io/mode': mode,
    'kairship.io/release-on-delete': String(release),
    ...(alias ? { 'kairship.io/alias-name': alias } : {}),
  };
}

/** Settings beyond the first: only what differs from what holds anyway. */
export function settingsOf(wanted: Wanted): Record<string, unknown> {
  if (wanted.mode === 'external') return {};
  return {
    ...(wanted.failover ? { failover: { enabled: true } } : {}),
    ...(wanted.descheduler ? { descheduler: { enabled: true } } : {}),
    ...(wanted.metricsAdapter ? { metricsAdapter: { enabled: true } } : {}),
    ...(wanted.mode === 'operator' && wanted.storage !== 'default' ? { storage: storageOf(wanted) } : {}),
  };
}

function storageOf({ storage, path, size, storageClass }: Wanted): Record<string, string> {
  if (storage === 'hostPath') return { type: storage, path };
  if (storage === 'pvc') return { type: storage, size, ...(storageClass ? { storageClass } : {}) };
  return { type: storage };
}

/** What the command line takes of it. */
export function commandOf({ name, alias }: Pick<Wanted, 'name' | 'alias'>): string {
  return `kairship instance create ${name || 'NAME'}${alias ? ` --alias ${JSON.stringify(alias)}` : ''}`;
}

/** What the command line takes to make, put back and delete a copy. */
export const backupCommands = {
  make: (instance: string, backup: string, note: string) =>
    `kairship instance backup ${instance}${backup ? ` --name ${backup}` : ''}${note ? ` --note ${JSON.stringify(note)}` : ''}`,
  restore: (backup: string, source: string, into: string, namespaces: readonly string[]) =>
    [
      `kairship instance restore ${backup} ${into}`,
      ...(source === into ? [] : [`--from ${source}`]),
      ...(namespaces.length === 0 ? [] : [`--namespaces ${namespaces.join(',')}`]),
    ].join(' '),
  remove: (instance: string, backup: string) => `kairship instance delete-backup ${backup} ${instance}`,
} as const;
