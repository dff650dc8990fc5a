/** Which columns of a list are shown: chosen once, kept in the browser for that list. */
import { ActionIcon, Button, Checkbox, Popover, Stack } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { Columns3 } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type Choice, chosen, isShown, type Offered } from './columns.ts';

export interface Chosen<T extends Offered> {
  readonly columns: readonly T[];
  readonly choice: Choice;
  readonly choose: (choice: Choice) => void;
}

export function useChosenColumns<T extends Offered>(list: string, all: readonly T[], roomy: boolean): Chosen<T> {
  const [choice, choose] = useLocalStorage<Choice>({
    key: `kairship.columns.${list}`,
    defaultValue: {},
    getInitialValueInEffect: false,
  });
  const columns = useMemo(() => chosen(all, choice, roomy), [all, choice, roomy]);
  return { columns, choice, choose };
}

interface ChooserProps {
  readonly of: readonly (Offered & { readonly header: string })[];
  readonly choice: Choice;
  readonly roomy: boolean;
  readonly onChange: (choice: Choice) => void;
}

export function ColumnChooser({ of: [first, ...rest], choice, roomy, onChange }: ChooserProps) {
  const { t } = useTranslation();
  return (
    <Popover position="bottom-end" shadow="md" withArrow trapFocus returnFocus>
      <Popover.Target>
        <ActionIcon size="sm" aria-label={t('columns.choose')} title={t('columns.choose')}>
          <Columns3 size={14} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('columns.choose')}>
        <Stack gap={8}>
          {first && <Checkbox size="xs" label={first.header} checked disabled />}
          {rest.map((column) => (
            <Checkbox
              key={column.id}
              size="xs"
              label={column.header}
              checked={isShown(column, choice, roomy)}
              onChange={(event) => onChange({ ...choice, [column.id]: event.currentTarget.checked })}
            />
          ))}
          <Button variant="subtle" disabled={Object.keys(choice).length === 0} onClick={() => onChange({})}>
            {t('columns.asUsual')}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
