/** A propagation policy as a form; each field writes into the text beside it, which may say more than any form. */
import { Fieldset, Group, NumberInput, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type Bound, ChoiceField, NumberField, Rows, SwitchField, TextField } from '../../parts/fields.tsx';
import { AffinityFields } from './affinity-fields.tsx';
import { Behaviour } from './behaviour-fields.tsx';
import { DivisionFields } from './division-fields.tsx';
import { type Path, valueAt } from './policy-text.ts';
import { Selectors } from './selector-fields.tsx';

export interface FormProps extends Bound {
  readonly instance: string;
}

export function PolicyForm(props: FormProps) {
  return (
    <Stack gap="sm">
      <Selectors {...props} />
      <PlacementForm {...props} at={['spec', 'placement']} />
      <Rest {...props} />
      <Behaviour {...props} />
    </Stack>
  );
}

/** Which clusters, how replicas are divided, and over how many groups they are spread. */
export function PlacementForm({ instance, object, set, at }: FormProps & { readonly at: Path }) {
  const { t } = useTranslation();
  return (
    <>
      <AffinityFields instance={instance} object={object} set={set} at={at} />
      <DivisionFields instance={instance} of={{ object, set }} at={at} />
      <Fieldset legend={t('policy.tolerations')}>
        <Tolerations of={{ object, set }} at={[...at, 'clusterTolerations']} />
      </Fieldset>
    </>
  );
}

const EFFECTS = ['NoExecute', 'NoSchedule'] as const;
const SECONDS = 300;

/** Taints that do not keep it away, or only after a while. */
export function Tolerations({
  of,
  at,
  taint = 'cluster.karmada.io/not-ready',
}: {
  readonly of: Bound;
  readonly at: Path;
  /** What a new one begins with. */
  readonly taint?: string;
}) {
  const { t } = useTranslation();
  return (
    <Rows
      of={of}
      at={at}
      add={t('policy.addToleration')}
      fresh={{
        key: taint,
        operator: 'Exists',
        effect: 'NoExecute',
        tolerationSeconds: SECONDS,
      }}
    >
      {(row) => (
        <>
          <TextField of={of} at={[...row, 'key']} label={t('policy.taintKey')} />
          <ChoiceField of={of} at={[...row, 'operator']} label={t('override.operator')} choices={['Equal', 'Exists']} />
          <TextField
            of={of}
            at={[...row, 'value']}
            label={t('override.value')}
            disabled={valueAt(of.object, [...row, 'operator']) === 'Exists'}
          />
          <ChoiceField
            of={of}
            at={[...row, 'effect']}
            label={t('policy.taintEffect')}
            choices={[{ value: '', label: t('action.all') }, ...EFFECTS]}
          />
          <NumberField of={of} at={[...row, 'tolerationSeconds']} label={t('policy.seconds')} />
        </>
      )}
    </Rows>
  );
}

export function Rest({ object, set }: Bound) {
  const { t } = useTranslation();
  const of = { object, set };
  return (
    <Fieldset legend={t('policy.rest')}>
      <Group gap="lg" align="flex-end">
        <NumberInput
          label={t('policy.priority')}
          value={Number(valueAt(object, ['spec', 'priority']) ?? 0)}
          onChange={(value) => set(['spec', 'priority'], Number(value) === 0 ? undefined : Number(value))}
          w={110}
        />
        <SwitchField of={of} at={['spec', 'propagateDeps']} label={t('policy.deps')} />
        <SwitchField of={of} at={['spec', 'preemption']} label={t('policy.preempt')} on="Always" />
        <SwitchField of={of} at={['spec', 'conflictResolution']} label={t('policy.overwrite')} on="Overwrite" />
        <SwitchField of={of} at={['spec', 'preserveResourcesOnDeletion']} label={t('policy.preserve')} />
      </Group>
    </Fieldset>
  );
}
