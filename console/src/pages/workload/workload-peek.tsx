/** A workload in short, beside its list. */
import { Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { ObjectRef } from '../../api/objects.ts';
import { Sentence } from './sentence.tsx';
import { PlacedTable } from './placed-table.tsx';

export function WorkloadPeek({ of }: { readonly of: ObjectRef }) {
  const { t } = useTranslation();
  const { instance, kind, namespace, name } = of;
  return (
    <Stack gap="sm">
      <Sentence of={of} />
      <PlacedTable of={of} />
      <Link
        to="/i/$instance/workloads/$kind/$namespace/$name/{-$tab}"
        params={{ instance, kind: kind.kind, namespace, name, tab: 'placement' }}
      >
        {t('workload.why')}
      </Link>
    </Stack>
  );
}
