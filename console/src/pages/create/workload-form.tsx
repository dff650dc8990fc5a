/** A workload that is there, as a form: what the wizard sets, but for what cannot be changed. */
import { Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type Bound, NumberField } from '../../parts/fields.tsx';
import { Containers } from './container-form.tsx';
import type { Place } from './image-field.tsx';
import { Schedule, Settings } from './settings-form.tsx';
import { KINDS, podPath, replicasPath, type WorkloadKind } from './workload-text.ts';

/** The word for a kind that has a form; undefined for one that has none. */
export function formKind(kind: string): WorkloadKind | undefined {
  return KINDS.find((one) => one === kind);
}

interface Props {
  readonly of: Bound;
  readonly kind: WorkloadKind;
  readonly place: Place;
}

export function WorkloadForm({ of, kind, place }: Props) {
  const { t } = useTranslation();
  const replicas = kind === 'Job' ? undefined : replicasPath(kind);
  return (
    <Stack gap="sm">
      {replicas && <NumberField of={of} at={replicas} label={t('field.replicas')} />}
      {kind === 'CronJob' && <Schedule of={of} />}
      <Containers of={of} at={[...podPath(kind), 'spec']} place={place} />
      <Settings of={of} kind={kind} />
    </Stack>
  );
}
