/** What differs from cluster to cluster: rules, each with its clusters and its changes. */
import { ActionIcon, Button, Fieldset, Group, MultiSelect, Select, Stack, TextInput } from '@mantine/core';
import { Plus, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { type FormProps, Selectors, useClusterNames } from './policy-form.tsx';
import { type Path, valueAt } from './policy-text.ts';

interface Rule {
  readonly targetCluster?: { readonly clusterNames?: readonly string[] };
  readonly overriders?: object;
}

export function OverrideForm(props: FormProps) {
  return (
    <Stack gap="sm">
      <Selectors {...props} />
      <Rules {...props} />
    </Stack>
  );
}

export function Rules({ instance, object, set }: FormProps) {
  const { t } = useTranslation();
  const path = ['spec', 'overrideRules'];
  const found = valueAt(object, path);
  const rules = (Array.isArray(found) ? found : []) as readonly Rule[];
  return (
    <>
      {rules.map((_, index) => (
        <RuleForm key={index} instance={instance} object={object} set={set} at={[...path, index]} number={index + 1} />
      ))}
      <Button
        variant="subtle"
        leftSection={<Plus size={13} aria-hidden />}
        style={{ alignSelf: 'flex-start' }}
        onClick={() => set(path, [...rules, { overriders: {} }])}
      >
        {t('override.addRule')}
      </Button>
    </>
  );
}

function RuleForm({ instance, object, set, at, number }: FormProps & { readonly at: Path; readonly number: number }) {
  const { t } = useTranslation();
  const clusters = useClusterNames(instance);
  const names = valueAt(object, [...at, 'targetCluster', 'clusterNames']);
  const chosen = Array.isArray(names) ? names.map(String) : [];
  return (
    <Fieldset legend={t('override.rule', { number })}>
      <Stack gap={8}>
        <MultiSelect
          label={t('override.inClusters')}
          placeholder={chosen.length === 0 ? t('policy.everyCluster') : ''}
          data={[...new Set([...clusters, ...chosen])]}
          value={chosen}
          onChange={(next) => set([...at, 'targetCluster', 'clusterNames'], next.length > 0 ? next : undefined)}
        />
        <Images object={object} set={set} at={[...at, 'overriders', 'imageOverrider']} />
        <Values object={object} set={set} at={[...at, 'overriders', 'plaintext']} />
      </Stack>
    </Fieldset>
  );
}

type Part = Pick<FormProps, 'object' | 'set'> & { readonly at: Path };

interface ImageChange {
  readonly component?: string;
  readonly operator?: string;
  readonly value?: string;
}

function Images({ object, set, at }: Part) {
  const { t } = useTranslation();
  const found = valueAt(object, at);
  const changes = (Array.isArray(found) ? found : []) as readonly ImageChange[];
  return (
    <Stack gap={4}>
      {changes.map((change, index) => (
        <Group key={index} gap={6} wrap="nowrap">
          <Select
            aria-label={t('override.imagePart')}
            data={['Registry', 'Repository', 'Tag']}
            value={change.component ?? 'Tag'}
            allowDeselect={false}
            onChange={(value) => set([...at, index, 'component'], value)}
            w={120}
          />
          <Select
            aria-label={t('override.operator')}
            data={['add', 'replace', 'remove']}
            value={change.operator ?? 'replace'}
            allowDeselect={false}
            onChange={(value) => set([...at, index, 'operator'], value)}
            w={100}
          />
          <TextInput
            aria-label={t('override.value')}
            disabled={change.operator === 'remove'}
            value={change.value ?? ''}
            onChange={(event) => set([...at, index, 'value'], event.currentTarget.value)}
            style={{ flex: 1 }}
          />
          <Drop onClick={() => set(at, without(changes, index))} />
        </Group>
      ))}
      <Add
        label={t('override.addImage')}
        onClick={() => set(at, [...changes, { component: 'Tag', operator: 'replace', value: '' }])}
      />
    </Stack>
  );
}

interface ValueChange {
  readonly path?: string;
  readonly operator?: string;
  readonly value?: unknown;
}

function Values({ object, set, at }: Part) {
  const { t } = useTranslation();
  const found = valueAt(object, at);
  const changes = (Array.isArray(found) ? found : []) as readonly ValueChange[];
  return (
    <Stack gap={4}>
      {changes.map((change, index) => (
        <Group key={index} gap={6} wrap="nowrap">
          <TextInput
            aria-label={t('override.path')}
            placeholder="/spec/replicas"
            value={change.path ?? ''}
            onChange={(event) => set([...at, index, 'path'], event.currentTarget.value)}
            style={{ flex: 1 }}
          />
          <Select
            aria-label={t('override.operator')}
            data={['add', 'replace', 'remove']}
            value={change.operator ?? 'replace'}
            allowDeselect={false}
            onChange={(value) => set([...at, index, 'operator'], value)}
            w={100}
          />
          <TextInput
            aria-label={t('override.value')}
            disabled={change.operator === 'remove'}
            value={typeof change.value === 'string' ? change.value : JSON.stringify(change.value ?? '')}
            onChange={(event) => set([...at, index, 'value'], valueOf(event.currentTarget.value))}
            style={{ flex: 1 }}
          />
          <Drop onClick={() => set(at, without(changes, index))} />
        </Group>
      ))}
      <Add
        label={t('override.addValue')}
        onClick={() => set(at, [...changes, { path: '/spec/replicas', operator: 'replace', value: 1 }])}
      />
    </Stack>
  );
}

/** `3` is a number, `true` a truth, `{"a":1}` an object; anything else is text. */
function valueOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function without<T>(list: readonly T[], index: number): readonly T[] | undefined {
  const left = list.filter((_, at) => at !== index);
  return left.length > 0 ? left : undefined;
}

function Drop({ onClick }: { readonly onClick: () => void }) {
  const { t } = useTranslation();
  return (
    <ActionIcon aria-label={t('action.remove')} onClick={onClick}>
      <X size={14} />
    </ActionIcon>
  );
}

function Add({ label, onClick }: { readonly label: string; readonly onClick: () => void }) {
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
