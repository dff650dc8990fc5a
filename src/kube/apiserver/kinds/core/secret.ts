import type { Secret } from '#gen/kube/types.ts';
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import { ageColumn, column, nameColumn } from '../columns.ts';
import { kind, type Making } from '../kind.ts';

export const secrets: ResourceDefinition = kind<Secret>(
  { group: '', version: 'v1', kind: 'Secret' },
  {
    defaults: foldStringData,
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
