import type { PersistentVolumeClaim, TypedLocalObjectReference } from '#gen/kube/types.ts';
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import { jsonEqual } from '#base/json.ts';
import { forbidden } from '#kube/meta/field-error.ts';
import { compareQuantities, tryParseQuantity, ZERO } from '#kube/meta/quantity.ts';
import { ageColumn, column, nameColumn, wideColumn } from '../columns.ts';
import { immutable } from '../checks.ts';
import { type Errors, type Given, kind, type Making } from '../kind.ts';
import { specDiff } from '../pod/spec-diff.ts';
import { claimSpec } from './claim-rules.ts';
import { roundResources } from '../pod/container-defaults.ts';
import { accessModesText } from './access-modes.ts';

export const persistentVolumeClaims: ResourceDefinition = kind<PersistentVolumeClaim>(
  { group: '', version: 'v1', kind: 'PersistentVolumeClaim' },
  {
    shortNames: ['pvc'],
    deleteReturnsObject: true,
    defaults: (claim) => {
      defaultClaim(claim);
      (claim.status ??= {}).phase ||= 'Pending';
    },
    validate: ({ spec }) => claimSpec(spec ?? {}, 'spec'),
    validateUpdate: claimUpdate,
    create: (claim) => {
      if (claim.spec && !claim.spec.dataSourceRef && !isKnownSource(claim.spec.dataSource))
        delete claim.spec.dataSource;
      claim.status = { phase: 'Pending' };
    },
    columns: [
      nameColumn,
      column<PersistentVolumeClaim>('Status', 'Its phase.', ({ metadata, status }) =>
        metadata?.deletionTimestamp ? 'Terminating' : (status?.phase ?? ''),
      ),
      column<PersistentVolumeClaim>('Volume', 'The volume it is bound to.', ({ spec }) => spec?.volumeName ?? ''),
      column<PersistentVolumeClaim>('Capacity', 'How much the volume holds.', ({ spec, status }) =>
        spec?.volumeName ? (status?.capacity?.['storage'] ?? '0') : '',
      ),
      column<PersistentVolumeClaim>('Access Modes', 'Who may mount it.', ({ spec, status }) =>
        spec?.volumeName ? accessModesText(status?.accessModes) : '',
      ),
      column<PersistentVolumeClaim>('StorageClass', 'Its storage class.', ({ spec }) => spec?.storageClassName ?? ''),
      column<PersistentVolumeClaim>(
        'VolumeAttributesClass',
        'Its class of attributes.',
        ({ spec }) => spec?.volumeAttributesClassName ?? '<unset>',
      ),
      ageColumn,
      wideColumn<PersistentVolumeClaim>(
        'VolumeMode',
        'File system or block device.',
        ({ spec }) => spec?.volumeMode ?? '<unset>',
      ),
    ],
  },
);

/** What was filled in before other sources came: everything else has always been left out without a word. */
function isKnownSource({ apiGroup, kind }: Given<TypedLocalObjectReference> = {}): boolean {
  return !apiGroup
    ? kind === 'PersistentVolumeClaim'
    : apiGroup === 'snapshot.storage.k8s.io' && kind === 'VolumeSnapshot';
}

export function defaultClaim(claim: Pick<Making<PersistentVolumeClaim>, 'spec'>): void {
  const spec = (claim.spec ??= {});
  spec.volumeMode ??= 'Filesystem';
  roundResources(spec.resources?.limits);
  roundResources(spec.resources?.requests);
}

/** A bound claim may ask for more, and for other attributes; an unbound one waits for its volume's name and class. */
function* claimUpdate(claim: Given<PersistentVolumeClaim>, old: Given<PersistentVolumeClaim>): Errors {
  yield* claimSpec(claim.spec ?? {}, 'spec');
  const [spec, before] = [claim.spec ?? {}, old.spec ?? {}];
  const bound = old.status?.phase === 'Bound';
  const wanted = spec.resources?.requests?.['storage'];
  const had = before.resources?.requests?.['storage'];
  const allowed = {
    ...spec,
    ...(before.volumeName ? {} : { volumeName: before.volumeName }),
    ...(before.storageClassName === undefined ? { storageClassName: undefined } : {}),
    ...(bound
      ? {
          resources: { ...spec.resources, requests: { ...spec.resources?.requests, storage: had } },
          volumeAttributesClassName: before.volumeAttributesClassName,
        }
      : {}),
  };
  if (!jsonEqual(allowed, before)) {
    const rule =
      'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';
    yield forbidden('spec', `${rule}\n${specDiff(before, allowed)}`);
  }
  if (compareQuantities(amountOf(wanted), amountOf(had)) < 0) yield* shrinking(amountOf(wanted), old);
  yield* immutable(spec.volumeMode, before.volumeMode, 'volumeMode');
}

/** A request may be taken back, but not below what the volume already has. */
function* shrinking(wanted: ReturnType<typeof amountOf>, { status }: Given<PersistentVolumeClaim>): Errors {
  if (compareQuantities(wanted, amountOf(status?.capacity?.['storage'])) > 0) return;
  yield forbidden('spec.resources.requests.storage', 'field can not be less than status.capacity');
}

function amountOf(text: string | undefined) {
  return tryParseQuantity(text ?? '0') ?? ZERO;
}
