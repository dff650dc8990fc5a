/** How a workload of each kind is run: rollouts, jobs, schedules; and what it is called beyond its name. */
import { Accordion, Group, Select, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type Bound, ChoiceField, NumberField, PairsField, SwitchField, TextField } from '../../parts/fields.tsx';
import { type Path, textAt } from '../policy/policy-text.ts';
import { Tolerations } from '../policy/policy-form.tsx';
import { NetworkFields, NodeFields, PodFields } from './pod-fields.tsx';
import { nextRuns } from './schedule.ts';
import { ScheduleWords } from './schedule-text.tsx';
import { podPath, type WorkloadKind } from './workload-text.ts';

interface Props {
  readonly of: Bound;
  readonly kind: WorkloadKind;
}

const JOB: Path = ['spec'];
const JOB_OF_CRON: Path = ['spec', 'jobTemplate', 'spec'];

export function Settings({ of, kind }: Props) {
  const { t } = useTranslation();
  const pod = [...podPath(kind), 'spec'];
  return (
    <Accordion variant="contained" multiple keepMounted={false}>
      {(kind === 'Deployment' || kind === 'StatefulSet' || kind === 'DaemonSet') && (
        <Section value="rollout" label={t('create.part.rollout')}>
          <Rollout of={of} kind={kind} />
        </Section>
      )}
      {(kind === 'Job' || kind === 'CronJob') && (
        <Section value="job" label={t('create.part.job')}>
          <JobFields of={of} at={kind === 'Job' ? JOB : JOB_OF_CRON} pod={pod} />
        </Section>
      )}
      <Section value="pod" label={t('create.part.pod')}>
        <PodFields of={of} at={pod} />
      </Section>
      <Section value="network" label={t('create.part.network')}>
        <NetworkFields of={of} at={pod} />
      </Section>
      <Section value="nodes" label={t('create.part.nodes')}>
        <Stack gap="sm">
          <NodeFields of={of} at={pod} app={textAt(of.object, [...podPath(kind), 'metadata', 'labels', 'app'])} />
          <Tolerations of={of} at={[...pod, 'tolerations']} taint="node.kubernetes.io/unreachable" />
        </Stack>
      </Section>
      <Section value="about" label={t('create.part.about')}>
        <Stack gap="sm">
          <PairsField of={of} at={['metadata', 'labels']} label={t('field.labels')} />
          <PairsField of={of} at={['metadata', 'annotations']} label={t('resource.annotations')} />
          <PairsField of={of} at={[...podPath(kind), 'metadata', 'labels']} label={t('create.podLabels')} />
          <PairsField of={of} at={[...podPath(kind), 'metadata', 'annotations']} label={t('create.podAnnotations')} />
        </Stack>
      </Section>
    </Accordion>
  );
}

function Section({
  value,
  label,
  children,
}: {
  readonly value: string;
  readonly label: string;
  readonly children: ReactNode;
}) {
  return (
    <Accordion.Item value={value}>
      <Accordion.Control>{label}</Accordion.Control>
      <Accordion.Panel>{children}</Accordion.Panel>
    </Accordion.Item>
  );
}

function Rollout({ of, kind }: Props) {
  const { t } = useTranslation();
  const at = kind === 'Deployment' ? 'strategy' : 'updateStrategy';
  const other = kind === 'Deployment' ? 'Recreate' : 'OnDelete';
  const type = textAt(of.object, ['spec', at, 'type'], 'RollingUpdate');
  return (
    <Stack gap="sm">
      <Group grow align="flex-end">
        <Select
          label={t('create.strategy')}
          data={['RollingUpdate', other]}
          value={type}
          allowDeselect={false}
          onChange={(next) => of.set(['spec', at], next === other ? { type: other } : undefined)}
        />
        {type === 'RollingUpdate' && kind !== 'StatefulSet' && (
          <>
            <Share of={of} at={['spec', at, 'rollingUpdate', 'maxUnavailable']} label={t('create.maxUnavailable')} />
            <Share of={of} at={['spec', at, 'rollingUpdate', 'maxSurge']} label={t('create.maxSurge')} />
          </>
        )}
      </Group>
      <Group grow>
        <NumberField
          of={of}
          at={['spec', 'minReadySeconds']}
          label={t('create.minReady')}
          hint={t('create.otherwise', { value: 0 })}
        />
        <NumberField
          of={of}
          at={['spec', 'revisionHistoryLimit']}
          label={t('create.revisions')}
          hint={t('create.otherwise', { value: 10 })}
        />
        {kind === 'Deployment' && (
          <NumberField
            of={of}
            at={['spec', 'progressDeadlineSeconds']}
            label={t('create.deadline')}
            hint={t('create.otherwise', { value: 600 })}
          />
        )}
      </Group>
    </Stack>
  );
}

/** A number of pods, or a share of them: `25%`. */
function Share({ of, at, label }: { readonly of: Bound; readonly at: Path; readonly label: string }) {
  const set = (path: Path, value: unknown) => of.set(path, /^\d+$/.test(String(value)) ? Number(value) : value);
  return <TextField of={{ object: of.object, set }} at={at} label={label} placeholder="25%" />;
}

function JobFields({ of, at, pod }: { readonly of: Bound; readonly at: Path; readonly pod: Path }) {
  const { t } = useTranslation();
  return (
    <Stack gap="sm">
      <Group grow>
        <NumberField of={of} at={[...at, 'parallelism']} label={t('create.parallelism')} />
        <NumberField of={of} at={[...at, 'completions']} label={t('create.completions')} />
        <NumberField of={of} at={[...at, 'backoffLimit']} label={t('create.retries')} />
      </Group>
      <Group grow align="flex-end">
        <NumberField of={of} at={[...at, 'activeDeadlineSeconds']} label={t('create.timeout')} />
        <NumberField of={of} at={[...at, 'ttlSecondsAfterFinished']} label={t('create.keepFor')} />
        <Select
          label={t('create.restart')}
          data={['Never', 'OnFailure']}
          value={textAt(of.object, [...pod, 'restartPolicy'], 'Never')}
          allowDeselect={false}
          onChange={(next) => of.set([...pod, 'restartPolicy'], next)}
        />
      </Group>
    </Stack>
  );
}

/** When a CronJob runs: the rule, and the next times it means. */
export function Schedule({ of }: { readonly of: Bound }) {
  const { t } = useTranslation();
  const schedule = textAt(of.object, ['spec', 'schedule']);
  return (
    <>
      <TextField
        of={of}
        at={['spec', 'schedule']}
        label={t('create.schedule')}
        hint={t('create.scheduleHint')}
        error={schedule !== '' && nextRuns(schedule, Date.now(), 1) === undefined && t('create.badSchedule')}
      />
      <ScheduleWords rule={schedule} />
      <Group grow align="flex-end">
        <ChoiceField
          of={of}
          at={['spec', 'concurrencyPolicy']}
          label={t('create.concurrency')}
          choices={['Allow', 'Forbid', 'Replace']}
        />
        <NumberField of={of} at={['spec', 'successfulJobsHistoryLimit']} label={t('create.keepGood')} />
        <NumberField of={of} at={['spec', 'failedJobsHistoryLimit']} label={t('create.keepBad')} />
      </Group>
      <SwitchField of={of} at={['spec', 'suspend']} label={t('create.suspended')} />
    </>
  );
}
