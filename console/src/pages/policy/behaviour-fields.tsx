/** How a policy behaves over time: when it takes effect, what it takes along, and what becomes of copies that fail. */
import { Fieldset, Group, MultiSelect, SimpleGrid, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ChoiceField, NumberField, Rows, SwitchField, TextField, WordsField } from '../../parts/fields.tsx';
import type { FormProps } from './policy-form.tsx';
import { type Path, textAt, valueAt } from './policy-text.ts';
import { useClusterNames } from './target-fields.tsx';

export function Behaviour({ instance, object, set }: FormProps) {
  const { t } = useTranslation();
  const of = { object, set };
  return (
    <>
      <Fieldset legend={t('policy.when')}>
        <SimpleGrid cols={2} spacing="sm">
          <SwitchField
            of={of}
            at={['spec', 'activationPreference']}
            label={t('policy.lazy')}
            hint={t('policy.lazyHint')}
            on="Lazy"
          />
          <TextField
            of={of}
            at={['spec', 'schedulerName']}
            label={t('policy.scheduler')}
            placeholder="default-scheduler"
          />
          <PriorityClass instance={instance} object={object} set={set} />
          <WordsField
            of={of}
            at={['spec', 'dependentOverrides']}
            label={t('policy.dependentOverrides')}
            hint={t('policy.dependentHint')}
          />
        </SimpleGrid>
      </Fieldset>
      <Suspension instance={instance} object={object} set={set} />
      <Failover object={object} set={set} instance={instance} />
    </>
  );
}

/** The source has one value so far, and goes with the name. */
function PriorityClass({ object, set }: FormProps) {
  const { t } = useTranslation();
  const at = ['spec', 'schedulePriority'];
  return (
    <TextField
      of={{
        object,
        set: (path, value) =>
          value === undefined
            ? set(at, undefined)
            : textAt(object, [...at, 'priorityClassSource']) === ''
              ? set(at, { priorityClassSource: 'KubePriorityClass', priorityClassName: value })
              : set(path, value),
      }}
      at={[...at, 'priorityClassName']}
      label={t('policy.priorityClass')}
      hint={t('policy.priorityClassHint')}
    />
  );
}

function Suspension({ instance, object, set }: FormProps) {
  const { t } = useTranslation();
  const clusters = useClusterNames(instance);
  const path = ['spec', 'suspension', 'dispatchingOnClusters', 'clusterNames'];
  const found = valueAt(object, path);
  const names = Array.isArray(found) ? found.map(String) : [];
  const all = valueAt(object, ['spec', 'suspension', 'dispatching']) === true;
  return (
    <Fieldset legend={t('policy.suspension')}>
      <Group grow align="flex-start">
        <SwitchField
          of={{ object, set }}
          at={['spec', 'suspension', 'dispatching']}
          label={t('policy.suspend')}
          hint={t('policy.suspendHint')}
        />
        <MultiSelect
          label={t('policy.suspendOn')}
          data={[...new Set([...clusters, ...names])]}
          value={names}
          // One excludes the other.
          disabled={all}
          searchable
          onChange={(next) => set(path, next.length > 0 ? next : undefined)}
        />
      </Group>
    </Fieldset>
  );
}

function Failover({ object, set }: FormProps) {
  const { t } = useTranslation();
  const of = { object, set };
  const application = ['spec', 'failover', 'application'];
  const cluster = ['spec', 'failover', 'cluster'];
  const has = (path: Path) => valueAt(object, path) !== undefined;
  return (
    <Fieldset legend={t('policy.failover')}>
      <Stack gap={10}>
        <SwitchField
          of={{
            object,
            set: (path, on) => {
              set(path, on && { decisionConditions: { tolerationSeconds: 300 }, purgeMode: 'Gracefully' });
              // A copy that moves without what it uses would fail again: the engine refuses that.
              if (on) set(['spec', 'propagateDeps'], true);
            },
          }}
          at={application}
          label={t('policy.failApplication')}
          hint={t('policy.failApplicationHint')}
          isOn={has(application)}
        />
        {has(application) && (
          <>
            <Group grow align="flex-start">
              <NumberField
                of={of}
                at={[...application, 'decisionConditions', 'tolerationSeconds']}
                label={t('policy.unhealthyFor')}
              />
              <Purge of={{ object, set }} at={application} withNever />
              <NumberField of={of} at={[...application, 'gracePeriodSeconds']} label={t('policy.graceSeconds')} />
            </Group>
            <Kept of={{ object, set }} at={application} />
          </>
        )}
        <SwitchField
          of={{ object, set: (path, on) => set(path, on && { purgeMode: 'Gracefully' }) }}
          at={cluster}
          label={t('policy.failCluster')}
          hint={t('policy.failClusterHint')}
          isOn={has(cluster)}
        />
        {has(cluster) && (
          <>
            <Purge of={{ object, set }} at={cluster} />
            <Kept of={{ object, set }} at={cluster} />
          </>
        )}
      </Stack>
    </Fieldset>
  );
}

interface PartProps {
  readonly of: Pick<FormProps, 'object' | 'set'>;
  readonly at: Path;
}

function Purge({ of, at, withNever = false }: PartProps & { readonly withNever?: boolean }) {
  const { t } = useTranslation();
  const modes = ['Gracefully', 'Directly', ...(withNever ? (['Never'] as const) : [])] as const;
  return (
    <ChoiceField
      of={of}
      at={[...at, 'purgeMode']}
      label={t('policy.purge')}
      choices={modes.map((value) => ({ value, label: t(`policy.purgeMode.${value}`) }))}
    />
  );
}

/** Parts of the old copy's status that the new one is told by labels. */
function Kept({ of, at }: PartProps) {
  const { t } = useTranslation();
  return (
    <Rows
      of={of}
      at={[...at, 'statePreservation', 'rules']}
      add={t('policy.addKept')}
      fresh={{ aliasLabelName: 'last-state', jsonPath: '{ .replicas }' }}
    >
      {(row) => (
        <>
          <TextField of={of} at={[...row, 'aliasLabelName']} label={t('policy.keptLabel')} required />
          <TextField of={of} at={[...row, 'jsonPath']} label={t('policy.keptPath')} required />
        </>
      )}
    </Rows>
  );
}
