/** Where a policy stands: for each template it describes, the ladder it is a rung of. */
import { Select, Stack, Text } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { kindNamed } from '../../api/kinds.ts';
import type { ObjectRef, Thing } from '../../api/objects.ts';
import { useDescribed } from './described.ts';
import { PrecedenceLadder } from './precedence-ladder.tsx';

const ROUTE = '/i/$instance/policies/$kind/$namespace/$name';

export function PolicyPrecedence({ of, policy }: { readonly of: ObjectRef; readonly policy: Thing }) {
  const { t } = useTranslation();
  const { of: chosen } = useSearch({ from: ROUTE });
  const navigate = useNavigate({ from: ROUTE });
  const { instance, name } = of;
  const described = useDescribed(of, policy);
  const templates = described.map((object) => ({
    value: `${object.kind}/${object.metadata.namespace ?? ''}/${object.metadata.name}`,
    label: `${object.kind} ${object.metadata.name}`,
    object,
  }));
  const one = templates.find(({ value }) => value === chosen) ?? templates[0];
  const kind = one && kindNamed(one.object.apiVersion, one.object.kind);
  if (!one || !kind)
    return (
      <Text size="sm" c="dimmed">
        {t('ladder.describesNothing')}
      </Text>
    );
  return (
    <Stack gap={10}>
      <Select
        label={t('ladder.of')}
        data={templates.map(({ value, label }) => ({ value, label }))}
        value={one.value}
        allowDeselect={false}
        searchable
        w={320}
        onChange={(next) => void navigate({ search: (now) => ({ ...now, of: next ?? '' }), replace: true })}
      />
      <PrecedenceLadder
        of={{
          instance,
          kind,
          namespace: one.object.metadata.namespace ?? '',
          name: one.object.metadata.name,
        }}
        highlight={name}
      />
    </Stack>
  );
}
