/**
 * Fields of a form that is another view of a text: each shows the value at a path and writes it there.
 *
 * What is empty is taken out of the text, with whatever it leaves empty.
 */
import {
  ActionIcon,
  Button,
  Group,
  NumberInput,
  Select,
  Stack,
  Switch,
  TagsInput,
  TextInput,
  type TextInputProps,
} from '@mantine/core';
import { Plus, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { mapOf, pairsOf } from '../api/pairs.ts';
import { type Path, textAt, valueAt } from '../pages/policy/policy-text.ts';

/** What was read of the text, and how a value of it is changed. */
export interface Bound {
  readonly object: unknown;
  readonly set: (path: Path, value: unknown) => void;
}

interface FieldProps {
  readonly of: Bound;
  readonly at: Path;
  readonly label: string;
  readonly hint?: string;
}

export function TextField({
  of: { object, set },
  at,
  label,
  hint,
  ...more
}: FieldProps & Pick<TextInputProps, 'placeholder' | 'required' | 'disabled' | 'error'>) {
  return (
    <TextInput
      label={label}
      description={hint}
      value={textAt(object, at)}
      onChange={(event) => set(at, event.currentTarget.value || undefined)}
      {...more}
    />
  );
}

export function NumberField({
  of: { object, set },
  at,
  label,
  hint,
  min = 0,
  max,
  placeholder,
}: FieldProps & { readonly min?: number; readonly max?: number; readonly placeholder?: string }) {
  const value = valueAt(object, at);
  return (
    <NumberInput
      label={label}
      description={hint}
      min={min}
      {...(max === undefined ? {} : { max })}
      {...(placeholder === undefined ? {} : { placeholder })}
      value={typeof value === 'number' ? value : ''}
      onChange={(next) => set(at, typeof next === 'number' ? next : undefined)}
    />
  );
}

/** On is `on`, off is nothing at all. */
export function SwitchField({
  of: { object, set },
  at,
  label,
  hint,
  on = true,
  isOn = valueAt(object, at) === on,
}: FieldProps & {
  readonly on?: string | boolean;
  /** Where more than one value is on. */
  readonly isOn?: boolean;
}) {
  return (
    <Switch
      label={label}
      description={hint}
      checked={isOn}
      onChange={(event) => set(at, event.currentTarget.checked ? on : undefined)}
    />
  );
}

/** The first choice is what holds when nothing is said. */
export function ChoiceField({
  of: { object, set },
  at,
  label,
  hint,
  choices,
  disabled = false,
}: FieldProps & {
  readonly choices: readonly (string | { readonly value: string; readonly label: string })[];
  readonly disabled?: boolean;
}) {
  const [first] = choices;
  const otherwise = typeof first === 'object' ? first.value : (first ?? '');
  return (
    <Select
      label={label}
      description={hint}
      data={[...choices]}
      value={textAt(object, at, otherwise)}
      allowDeselect={false}
      disabled={disabled}
      onChange={(next) => set(at, next === otherwise ? undefined : next)}
    />
  );
}

/** `key=value` for each entry of a map. */
export function PairsField({
  of: { object, set },
  at,
  label,
  hint,
  placeholder = 'tier=prod',
}: FieldProps & { readonly placeholder?: string }) {
  const pairs = pairsOf((valueAt(object, at) ?? {}) as Readonly<Record<string, string>>);
  return (
    <TagsInput
      label={label}
      description={hint}
      placeholder={pairs.length === 0 ? placeholder : ''}
      value={pairs}
      onChange={(next) => set(at, next.length > 0 ? mapOf(next) : undefined)}
    />
  );
}

/** Words of a list, each as it is: no character in them separates. */
export function WordsField({
  of: { object, set },
  at,
  label,
  hint,
  placeholder = '',
  suggested = [],
}: FieldProps & { readonly placeholder?: string; readonly suggested?: readonly string[] }) {
  const found = valueAt(object, at);
  const words = Array.isArray(found) ? found.map(String) : [];
  return (
    <TagsInput
      label={label}
      description={hint}
      placeholder={words.length === 0 ? placeholder : ''}
      data={[...suggested]}
      splitChars={[]}
      allowDuplicates
      acceptValueOnBlur
      value={words}
      onChange={(next) => set(at, next.length > 0 ? next : undefined)}
    />
  );
}

export function AddButton({ label, onClick }: { readonly label: string; readonly onClick: () => void }) {
  return (
    <Button
      variant="subtle"
      leftSection={<Plus size={13} aria-hidden />}
      style={{ alignSelf: 'flex-start' }}
      onClick={onClick}
    >
      {label}
    </Button>
  );
}

/** A list of things, a row each; an empty list is none. */
export function Rows({
  of: { object, set },
  at,
  add,
  fresh,
  children,
}: {
  readonly of: Bound;
  readonly at: Path;
  /** What the button that adds one says. */
  readonly add: string;
  /** What a new one begins with. */
  readonly fresh: unknown;
  readonly children: (at: Path, index: number) => ReactNode;
}) {
  const { t } = useTranslation();
  const found = valueAt(object, at);
  const rows = Array.isArray(found) ? (found as readonly unknown[]) : [];
  const without = (index: number) => rows.filter((_, position) => position !== index);
  return (
    <Stack gap={6}>
      {rows.map((_, index) => (
        <Group key={index} gap={6} wrap="nowrap" align="flex-end">
          <Group gap={6} grow wrap="nowrap" align="flex-end" style={{ flex: 1 }}>
            {children([...at, index], index)}
          </Group>
          <ActionIcon
            aria-label={t('action.remove')}
            mb={4}
            onClick={() => set(at, rows.length > 1 ? without(index) : undefined)}
          >
            <X size={14} />
          </ActionIcon>
        </Group>
      ))}
      <AddButton label={add} onClick={() => set(at, [...rows, fresh])} />
    </Stack>
  );
}
