/** What differs from cluster to cluster: rules, each with its clusters and its changes. */
import { Button, Fieldset, Group, Select, Stack, TextInput } from '@mantine/core';
import { X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { AddButton, type Bound, PairsField, Rows, TextField, WordsField } from '../../parts/fields.tsx';
import { textOf, valueOf } from './override-rules.ts';
import type { FormProps } from './policy-form.tsx';
import { type Path, textAt, valueAt } from './policy-text.ts';
import { Selectors } from './selector-fields.tsx';
import { TargetFields } from './target-fields.tsx';

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
        <RuleForm
          key={index}
          instance={instance}
          object={object}
          set={set}
          at={[...path, index]}
          number={index + 1}
          onRemove={() =>
            set(
              path,
              rules.filter((__, position) => position !== index),
            )
          }
        />
      ))}
      <AddButton label={t('override.addRule')} onClick={() => set(path, [...rules, { overriders: {} }])} />
    </>
  );
}

interface RuleProps extends FormProps {
  readonly at: Path;
  readonly number: number;
  readonly onRemove: () => void;
}

function RuleForm({ instance, object, set, at, number, onRemove }: RuleProps) {
  const { t } = useTranslation();
  const of = { object, set };
  const changes = [...at, 'overriders'];
  return (
    <Fieldset legend={t('override.rule', { number })}>
      <Stack gap={8}>
        <TargetFields
          instance={instance}
          object={object}
          set={set}
          at={[...at, 'targetCluster']}
          label={t('override.inClusters')}
        />
        <Images of={of} at={[...changes, 'imageOverrider']} />
        <Values of={of} at={[...changes, 'plaintext']} />
        {(['commandOverrider', 'argsOverrider'] as const).map((kind) => (
          <Commands key={kind} of={of} at={[...changes, kind]} kind={kind} />
        ))}
        {(['labelsOverrider', 'annotationsOverrider'] as const).map((kind) => (
          <Marks key={kind} of={of} at={[...changes, kind]} kind={kind} />
        ))}
        <FieldChanges of={of} at={[...changes, 'fieldOverrider']} />
        <Button
          variant="subtle"
          leftSection={<X size={13} aria-hidden />}
          style={{ alignSelf: 'flex-end' }}
          onClick={onRemove}
        >
          {t('override.removeRule', { number })}
        </Button>
      </Stack>
    </Fieldset>
  );
}

interface Part {
  readonly of: Bound;
  readonly at: Path;
}

const OPERATORS = ['replace', 'add', 'remove'] as const;

function Operator({
  of,
  at,
  without = [],
  clears = false,
}: Part & { readonly without?: readonly string[]; readonly clears?: boolean }) {
  const { t } = useTranslation();
  return (
    <Select
      label={t('override.operator')}
      data={OPERATORS.filter((one) => !without.includes(one))}
      value={textAt(of.object, at, 'replace')}
      allowDeselect={false}
      onChange={(value) => {
        of.set(at, value);
        // What is removed has no value to be given.
        if (value === 'remove' && clears) of.set([...at.slice(0, -1), 'value'], undefined);
      }}
    />
  );
}

const isRemoval = (of: Bound, at: Path) => textAt(of.object, [...at, 'operator']) === 'remove';

function Images({ of, at }: Part) {
  const { t } = useTranslation();
  return (
    <Rows of={of} at={at} add={t('override.addImage')} fresh={{ component: 'Tag', operator: 'replace', value: '' }}>
      {(row) => (
        <>
          <Select
            label={t('override.imagePart')}
            data={['Registry', 'Repository', 'Tag']}
            value={textAt(of.object, [...row, 'component'], 'Tag')}
            allowDeselect={false}
            onChange={(value) => of.set([...row, 'component'], value)}
          />
          <Operator of={of} at={[...row, 'operator']} clears />
          <TextField
            of={of}
            at={[...row, 'value']}
            label={t('override.value')}
            required={!isRemoval(of, row)}
            disabled={isRemoval(of, row)}
          />
          <TextField
            of={of}
            at={[...row, 'predicate', 'path']}
            label={t('override.predicate')}
            placeholder="/spec/template/spec/containers/0/image"
          />
        </>
      )}
    </Rows>
  );
}

function Values({ of, at }: Part) {
  const { t } = useTranslation();
  return (
    <Rows
      of={of}
      at={at}
      add={t('override.addValue')}
      fresh={{ path: '/spec/replicas', operator: 'replace', value: 1 }}
    >
      {(row) => (
        <>
          <TextField of={of} at={[...row, 'path']} label={t('override.path')} placeholder="/spec/replicas" required />
          <Operator of={of} at={[...row, 'operator']} clears />
          <AnyValue of={of} at={row} />
        </>
      )}
    </Rows>
  );
}

/** Of any type: what can be read as JSON is taken as that. */
function AnyValue({ of, at }: Part) {
  const { t } = useTranslation();
  const value = valueAt(of.object, [...at, 'value']);
  const removed = isRemoval(of, at);
  return (
    <TextInput
      label={t('override.value')}
      required={!removed}
      disabled={removed}
      value={textOf(value)}
      onChange={(event) => of.set([...at, 'value'], valueOf(event.currentTarget.value))}
    />
  );
}

const FORMATS = ['yaml', 'json'] as const;

/** Changes within a document that is the value of a field, as config maps keep them. */
function FieldChanges({ of, at }: Part) {
  const { t } = useTranslation();
  return (
    <Rows
      of={of}
      at={at}
      add={t('override.addField')}
      fresh={{ fieldPath: '/data/settings.yaml', yaml: [{ subPath: '/key', operator: 'replace', value: 'value' }] }}
    >
      {(row) => {
        const format = FORMATS.find((one) => valueAt(of.object, [...row, one]) !== undefined) ?? 'yaml';
        const choose = (next: string | null) => {
          const { [format]: changes, ...rest } = (valueAt(of.object, row) ?? {}) as Readonly<Record<string, unknown>>;
          if (next) of.set(row, { ...rest, [next]: changes ?? [] });
        };
        return (
          <Stack gap={6}>
            <Group grow gap={6}>
              <TextField of={of} at={[...row, 'fieldPath']} label={t('override.fieldPath')} required />
              <Select
                label={t('override.format')}
                data={[...FORMATS]}
                value={format}
                allowDeselect={false}
                onChange={choose}
              />
            </Group>
            <Rows
              of={of}
              at={[...row, format]}
              add={t('override.addSubPath')}
              fresh={{ subPath: '/key', operator: 'replace', value: 'value' }}
            >
              {(inner) => (
                <>
                  <TextField of={of} at={[...inner, 'subPath']} label={t('override.subPath')} required />
                  <Operator of={of} at={[...inner, 'operator']} clears />
                  <AnyValue of={of} at={inner} />
                </>
              )}
            </Rows>
          </Stack>
        );
      }}
    </Rows>
  );
}

function Commands({ of, at, kind }: Part & { readonly kind: 'commandOverrider' | 'argsOverrider' }) {
  const { t } = useTranslation();
  return (
    <Rows of={of} at={at} add={t(`override.add.${kind}`)} fresh={{ containerName: 'main', operator: 'add', value: [] }}>
      {(row) => (
        <>
          <TextField of={of} at={[...row, 'containerName']} label={t('override.container')} required />
          <Operator of={of} at={[...row, 'operator']} without={['replace']} />
          <WordsField of={of} at={[...row, 'value']} label={t(`override.words.${kind}`)} placeholder="--verbose" />
        </>
      )}
    </Rows>
  );
}

function Marks({ of, at, kind }: Part & { readonly kind: 'labelsOverrider' | 'annotationsOverrider' }) {
  const { t } = useTranslation();
  return (
    <Rows of={of} at={at} add={t(`override.add.${kind}`)} fresh={{ operator: 'add', value: { tier: 'prod' } }}>
      {(row) => (
        <>
          <Operator of={of} at={[...row, 'operator']} />
          <PairsField of={of} at={[...row, 'value']} label={t(`override.words.${kind}`)} />
        </>
      )}
    </Rows>
  );
}
