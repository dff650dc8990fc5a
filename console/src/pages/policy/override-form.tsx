/** What differs from cluster to cluster: rules, each with its clusters and its changes. */
import { Button, Fieldset, Select, Stack, TextInput } from '@mantine/core';
import { Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { type Bound, PairsField, Rows, TextField, WordsField } from '../../parts/fields.tsx';
import { type FormProps, Selectors } from './policy-form.tsx';
import { type Path, textAt, valueAt } from './policy-text.ts';
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
      </Stack>
    </Fieldset>
  );
}

interface Part {
  readonly of: Bound;
  readonly at: Path;
}

const OPERATORS = ['replace', 'add', 'remove'] as const;

function Operator({ of, at, without = [] }: Part & { readonly without?: readonly string[] }) {
  const { t } = useTranslation();
  return (
    <Select
      label={t('override.operator')}
      data={OPERATORS.filter((one) => !without.includes(one))}
      value={textAt(of.object, at, 'replace')}
      allowDeselect={false}
      onChange={(value) => of.set(at, value)}
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
          <Operator of={of} at={[...row, 'operator']} />
          <TextField of={of} at={[...row, 'value']} label={t('override.value')} disabled={isRemoval(of, row)} />
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
      {(row) => {
        const value = valueAt(of.object, [...row, 'value']);
        return (
          <>
            <TextField of={of} at={[...row, 'path']} label={t('override.path')} placeholder="/spec/replicas" />
            <Operator of={of} at={[...row, 'operator']} />
            <TextInput
              label={t('override.value')}
              disabled={isRemoval(of, row)}
              value={typeof value === 'string' ? value : JSON.stringify(value ?? '')}
              onChange={(event) => of.set([...row, 'value'], valueOf(event.currentTarget.value))}
            />
          </>
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

/** `3` is a number, `true` a truth, `{"a":1}` an object; anything else is text. */
function valueOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
