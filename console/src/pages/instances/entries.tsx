/** The entries of a map, a row each: keys and values may hold any character. */
import { ActionIcon, Button, Group, Input, Stack, TextInput } from '@mantine/core';
import { Plus, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Entry } from './wanted.ts';

interface EntriesProps {
  readonly label: string;
  readonly hint?: string;
  readonly add: string;
  readonly value: readonly Entry[];
  readonly onChange: (entries: readonly Entry[]) => void;
}

export function Entries({ label, hint, add, value, onChange }: EntriesProps) {
  const { t } = useTranslation();
  const put = (index: number, entry: Entry) => onChange(value.map((one, at) => (at === index ? entry : one)));
  return (
    <Input.Wrapper label={label} description={hint} labelElement="div">
      <Stack gap={6} mt={4}>
        {value.map(([key, text], index) => (
          <Group key={index} gap={6} wrap="nowrap">
            <TextInput
              aria-label={t('instance.keyOf', { label })}
              placeholder="team.example.com/owner"
              value={key}
              onChange={(event) => put(index, [event.currentTarget.value, text])}
              style={{ flex: 1 }}
            />
            <TextInput
              aria-label={t('instance.valueOf', { label, key })}
              value={text}
              onChange={(event) => put(index, [key, event.currentTarget.value])}
              style={{ flex: 1.4 }}
            />
            <ActionIcon
              aria-label={t('action.remove')}
              onClick={() => onChange(value.filter((_, position) => position !== index))}
            >
              <X size={14} />
            </ActionIcon>
          </Group>
        ))}
        <Button
          variant="subtle"
          leftSection={<Plus size={13} aria-hidden />}
          style={{ alignSelf: 'flex-start' }}
          onClick={() => onChange([...value, ['', '']])}
        >
          {add}
        </Button>
      </Stack>
    </Input.Wrapper>
  );
}
