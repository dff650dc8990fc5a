import type { StorageClass, VolumeAttributesClass } from '#gen/kube/types.ts';
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import { jsonEqual } from '#base/json.ts';
import { duplicate, forbidden, invalid, invalidAll, required, tooLong } from '#kube/meta/field-error.ts';
import { qualifiedNameProblems } from '#kube/meta/names.ts';
import { ageColumn, column, nameColumn } from '../columns.ts';
import { immutable, oneOf } from '../checks.ts';
import { type Errors, type Given, kind } from '../kind.ts';

const GROUP = { group: 'storage.k8s.io', version: 'v1' } as const;

export const storageClasses: ResourceDefinition = kind<StorageClass>(
  { ...GROUP, kind: 'StorageClass' },
  {
    shortNames: ['sc'],
    validate: storageClassRules,
    validateUpdate: storageClassUpdate,
    deleteReturnsObject: true,
    defaults: (storageClass) => {
      storageClass.reclaimPolicy ??= 'Delete';
      storageClass.volumeBindingMode ??= 'Immediate';
    },
    columns: [
      {
        ...nameColumn,
        cell: (object) => `${object.metadata.name}${isDefault(object as Given<StorageClass>) ? ' (default)' : ''}`,
      },
      column<StorageClass>('Provisioner', 'Who makes its volumes.', ({ provisioner }) => provisioner ?? ''),
      column<StorageClass>(
        'ReclaimPolicy',
        'What happens to volumes without their claim.',
        ({ reclaimPolicy }) => reclaimPolicy ?? 'Delete',
      ),
      column<StorageClass>(
        'VolumeBindingMode',
        'When a volume is made.',
        ({ volumeBindingMode }) => volumeBindingMode ?? 'Immediate',
      ),
      column<StorageClass>(
        'AllowVolumeExpansion',
        'Whether volumes may grow.',
        ({ allowVolumeExpansion }) => allowVolumeExpansion ?? false,
      ),
      ageColumn,
    ],
  },
);

function isDefault({ metadata }: Given<StorageClass>): boolean {
  return ['storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class'].some(
    (annotation) => metadata?.annotations?.[annotation] === 'true',
  );
}

export const volumeAttributesClasses: ResourceDefinition = kind<VolumeAttributesClass>(
  { ...GROUP, kind: 'VolumeAttributesClass' },
  {
    shortNames: ['vac'],
    validate: attributesClassRules,
    validateUpdate: attributesClassUpdate,
    deleteReturnsObject: true,
    columns: [
      nameColumn,
      column<VolumeAttributesClass>(
        'DriverName',
        'The driver that understands it.',
        ({ driverName }) => driverName ?? '',
      ),
      ageColumn,
    ],
  },
);

const MAX_PARAMETERS = 512;
const MAX_PARAMETER_BYTES = 256 * 1024;

function* storageClassRules(storageClass: Given<StorageClass>): Errors {
  const { provisioner = '', parameters = {}, reclaimPolicy, volumeBindingMode } = storageClass;
  if (provisioner === '') yield required('provisioner');
  else yield* invalidAll('provisioner', provisioner.toLowerCase(), qualifiedNameProblems(provisioner.toLowerCase()));
  yield* parameterRules(parameters);
  yield* oneOf(reclaimPolicy, ['Delete', 'Retain'], 'reclaimPolicy');
  yield* oneOf(volumeBindingMode, ['Immediate', 'WaitForFirstConsumer'], 'volumeBindingMode');
  yield* topologyRules(storageClass.allowedTopologies ?? []);
}

type Term = NonNullable<Given<StorageClass>['allowedTopologies']>[number];

function* topologyRules(terms: readonly Term[]): Errors {
  // Kubernetes compares each term with as many empty ones as there are terms, and with those before it.
  const seen = terms.map(() => '');
  for (const [at, { matchLabelExpressions: expressions = [] }] of terms.entries()) {
    const path = `allowedTopologies[${at}].matchLabelExpressions`;
    const keys = expressions.map(({ key = '' }) => key);
    for (const [index, { key = '', values = [] }] of expressions.entries()) {
      const own = `${path}[${index}]`;
      if (values.length === 0) yield required(`${own}.values`);
      for (const [place, value] of values.entries()) {
        if (values.indexOf(value) < place) yield duplicate(`${own}.values[${place}]`, value);
      }
      yield* invalidAll(`${own}.key`, key, qualifiedNameProblems(key));
      if (keys.indexOf(key) < index) yield duplicate(`${own}.key`, key);
    }
    const said = termText(expressions);
    for (const other of seen) if (other === said) yield duplicate(path, '');
    seen.push(said);
  }
}

/** The same for terms that say the same. */
function termText(expressions: NonNullable<Term['matchLabelExpressions']>): string {
  const byKey = new Map(expressions.map(({ key = '', values = [] }) => [key, [...new Set(values)].sort()]));
  const sorted = [...byKey].sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.length === 0 ? '' : JSON.stringify(sorted);
}

function* parameterRules(parameters: Given<Record<string, string>>): Errors {
  const entries = Object.entries(parameters);
  if (entries.length > MAX_PARAMETERS) return yield tooLong('parameters', MAX_PARAMETERS);
  if (Object.hasOwn(parameters, '')) yield invalid('parameters', '', 'field can not be empty.');
  const bytes = entries.reduce((sum, [key, value = '']) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0);
  if (bytes > MAX_PARAMETER_BYTES) yield tooLong('parameters', MAX_PARAMETER_BYTES);
}

/** Volumes were made by it: what made them does not change. */
function* storageClassUpdate(storageClass: Given<StorageClass>, old: Given<StorageClass>): Errors {
  yield* storageClassRules(storageClass);
  for (const field of ['parameters', 'provisioner', 'reclaimPolicy'] as const) {
    if (!jsonEqual(storageClass[field], old[field])) yield forbidden(field, `updates to ${field} are forbidden.`);
  }
  yield* immutable(storageClass.volumeBindingMode, old.volumeBindingMode, 'volumeBindingMode');
}

function* attributesClassRules({ driverName, parameters = {} }: Given<VolumeAttributesClass>): Errors {
  if (!driverName) yield required('driverName');
  else yield* invalidAll('driverName', driverName.toLowerCase(), qualifiedNameProblems(driverName.toLowerCase()));
  yield* parameterRules(parameters);
  if (Object.keys(parameters).length === 0) yield required('parameters', 'must contain at least one key/value pair');
}

function* attributesClassUpdate(attributes: Given<VolumeAttributesClass>, old: Given<VolumeAttributesClass>): Errors {
  for (const field of ['driverName', 'parameters'] as const) {
    if (!jsonEqual(attributes[field], old[field])) yield forbidden(field, `updates to ${field} are forbidden.`);
  }
  yield* attributesClassRules(attributes);
}
