/** A resource in short, beside its list. */
import { Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ObjectRef } from '../../api/objects.ts';
import { Answer } from '../../parts/problems.tsx';
import { Yaml, yamlOf } from '../../parts/yaml.tsx';
import { PlacedTable } from '../workload/placed-table.tsx';
import { useResource } from './resource-object.ts';

export function ResourcePeek({ of }: { readonly of: ObjectRef }) {
  const { t } = useTranslation();
  const object = useResource(of);
  return (
    <Stack gap="sm">
      <PlacedTable of={of} />
      <Answer of={object}>
        {(data) => <Yaml label={t('resource.yamlOf', { name: of.name })} value={yamlOf(data)} />}
      </Answer>
    </Stack>
  );
}
