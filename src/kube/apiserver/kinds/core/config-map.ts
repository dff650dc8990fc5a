import type { ConfigMap } from '#gen/kube/types.ts';
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import { invalid, tooLong } from '#kube/meta/field-error.ts';
import { ageColumn, column, nameColumn } from '../columns.ts';
import { type Errors, type Given, kind } from '../kind.ts';
import { frozen, keyNames, MAX_DATA_BYTES } from './data-rules.ts';

export const configMaps: ResourceDefinition = kind<ConfigMap>(
  { group: '', version: 'v1', kind: 'ConfigMap' },
  {
    shortNames: ['cm'],
    validate: configMapRules,
    validateUpdate: configMapUpdate,
    columns: [
      nameColumn,
      column<ConfigMap>(
        'Data',
        'How many keys it holds.',
        ({ data, binaryData }) => Object.keys(data ?? {}).length + Object.keys(binaryData ?? {}).length,
      ),
      ageColumn,
    ],
  },
);

function* configMapRules({ data = {}, binaryData = {} }: Given<ConfigMap>): Errors {
  yield* keyNames(data, 'data');
  for (const key of Object.keys(data)) {
    if (Object.hasOwn(binaryData, key)) yield invalid(`data[${key}]`, key, 'duplicate of key present in binaryData');
  }
  yield* keyNames(binaryData, 'binaryData');
  const text = Object.values(data).reduce((sum, value = '') => sum + Buffer.byteLength(value), 0);
  const binary = Object.values(binaryData).reduce((sum, value = '') => sum + Buffer.byteLength(value, 'base64'), 0);
  // The whole object is too long, not one of its fields: Kubernetes writes the empty path so.
  if (text + binary > MAX_DATA_BYTES) yield tooLong('[]', MAX_DATA_BYTES);
}

function* configMapUpdate(configMap: Given<ConfigMap>, old: Given<ConfigMap>): Errors {
  yield* frozen(configMap, old, ['data', 'binaryData']);
  yield* configMapRules(configMap);
}
