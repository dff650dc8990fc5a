import type { Secret } from '#gen/kube/types.ts';
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import { invalid, required, tooLong } from '#kube/meta/field-error.ts';
import { ageColumn, column, nameColumn } from '../columns.ts';
import { immutable } from '../checks.ts';
import { type Errors, type Given, kind, type Making } from '../kind.ts';
import { frozen, keyNames, MAX_DATA_BYTES } from './data-rules.ts';

export const secrets: ResourceDefinition = kind<Secret>(
  { group: '', version: 'v1', kind: 'Secret' },
  {
    defaults: foldStringData,
    validate: secretRules,
    validateUpdate: secretUpdate,
    fields: { type: ({ type }) => type ?? '' },
    columns: [
      nameColumn,
      column<Secret>('Type', 'What the secret is for.', ({ type }) => type ?? ''),
      column<Secret>('Data', 'How many keys it holds.', ({ data }) => Object.keys(data ?? {}).length),
      ageColumn,
    ],
  },
);

/** Plain text is for writing only: it is folded into `data`, over what is there, and never read back. */
function foldStringData(secret: Making<Secret>): void {
  secret.type ||= 'Opaque';
  for (const [key, value] of Object.entries(secret.stringData ?? {})) {
    (secret.data ??= {})[key] = Buffer.from(value ?? '').toString('base64');
  }
  delete secret.stringData;
}

const ACCOUNT = 'kubernetes.io/service-account.name';

/** The keys a type of secret cannot do without. */
const REQUIRED_KEYS: Readonly<Record<string, readonly string[] | undefined>> = {
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
};

function* secretRules({ metadata, data = {}, type = '' }: Given<Secret>): Errors {
  yield* keyNames(data, 'data');
  const size = Object.values(data).reduce((sum, value = '') => sum + Buffer.byteLength(value, 'base64'), 0);
  if (size > MAX_DATA_BYTES) yield tooLong('data', MAX_DATA_BYTES);
  if (type === 'kubernetes.io/service-account-token' && !metadata?.annotations?.[ACCOUNT]) {
    yield required(`metadata.annotations[${ACCOUNT}]`);
  }
  if (type === 'kubernetes.io/basic-auth' && data['username'] === undefined && data['password'] === undefined) {
    yield required('data[username]');
    yield required('data[password]');
  }
  for (const key of REQUIRED_KEYS[type] ?? []) {
    if (data[key] === undefined) yield required(`data[${key}]`);
    else if (key.startsWith('.docker')) yield* jsonContent(data[key], `data[${key}]`);
  }
}

/** What a secret holds is never told. */
function* jsonContent(base64: string, path: string): Errors {
  try {
    JSON.parse(Buffer.from(base64, 'base64').toString());
  } catch {
    yield invalid(path, '<secret contents redacted>', 'invalid character in JSON');
  }
}

function* secretUpdate(secret: Given<Secret>, old: Given<Secret>): Errors {
  yield* immutable(secret.type, old.type, 'type');
  yield* frozen(secret, old, ['data']);
  yield* secretRules(secret);
}
