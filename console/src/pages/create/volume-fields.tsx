/** The volumes of a pod: what each is made of. */
import { Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type Bound, Rows, TextField } from '../../parts/fields.tsx';
import { type Path, textAt, valueAt } from '../policy/policy-text.ts';

/** Each kind of volume: what it begins with, and where it names what it is made of. */
const VOLUMES = {
  emptyDir: { fresh: {}, named: undefined },
  configMap: { fresh: { name: '' }, named: ['name'] },
  secret: { fresh: { secretName: '' }, named: ['secretName'] },
  persistentVolumeClaim: { fresh: { claimName: '' }, named: ['claimName'] },
  hostPath: { fresh: { path: '' }, named: ['path'] },
  downwardAPI: {
    fresh: { items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }] },
    named: ['items', 0, 'fieldRef', 'fieldPath'],
  },
} as const;
type Volume = keyof typeof VOLUMES;
const KINDS = Object.keys(VOLUMES) as readonly Volume[];

export function Volumes({ of, at }: { readonly of: Bound; readonly at: Path }) {
  const { t } = useTranslation();
  return (
    <Rows of={of} at={[...at, 'volumes']} add={t('create.addVolume')} fresh={{ name: 'data', emptyDir: {} }}>
      {(row) => {
        const kind = KINDS.find((one) => valueAt(of.object, [...row, one]) !== undefined) ?? 'emptyDir';
        const { named } = VOLUMES[kind];
        const begin = (next: Volume) =>
          of.set(row, { name: textAt(of.object, [...row, 'name']), [next]: VOLUMES[next].fresh });
        return (
          <>
            <TextField of={of} at={[...row, 'name']} label={t('create.volume')} />
            <Select
              label={t('create.volumeOf')}
              data={KINDS.map((value) => ({ value, label: t(`create.volumeKind.${value}`) }))}
              value={kind}
              allowDeselect={false}
              onChange={(next) => begin(next ?? 'emptyDir')}
            />
            {named && (
              <TextField
                of={of}
                at={[...row, kind, ...named]}
                label={t(kind === 'downwardAPI' ? 'override.path' : 'create.object')}
              />
            )}
            {kind === 'downwardAPI' && (
              <TextField of={of} at={[...row, kind, 'items', 0, 'path']} label={t('create.fileName')} />
            )}
          </>
        );
      }}
    </Rows>
  );
}
