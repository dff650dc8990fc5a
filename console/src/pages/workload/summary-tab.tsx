/** What a workload is, and where it runs. */
import { Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type ObjectRef, type Thing, useObject } from '../../api/objects.ts';
import { took } from '../../i18n/words.ts';
import { Facts, Panel } from '../../parts/page.tsx';
import { Answer } from '../../parts/problems.tsx';
import { When } from '../../parts/when.tsx';
import { ScheduleWords } from '../create/schedule-text.tsx';
import { textAt } from '../policy/policy-text.ts';
import { Belongings } from './belongings.tsx';
import { PlacedTable } from './placed-table.tsx';

export function SummaryTab({ of }: { readonly of: ObjectRef }) {
  const { t } = useTranslation();
  const object = useObject(of);
  return (
    <div className="two">
      <PlacedTable of={of} />
      <Stack gap={14}>
        <Panel title={t('workload.about')}>
          <Answer of={object}>{(data) => <About object={data} of={of} />}</Answer>
        </Panel>
        <Belongings of={of} />
      </Stack>
    </div>
  );
}

function About({ object, of }: { readonly object: Thing; readonly of: ObjectRef }) {
  const { t } = useTranslation();
  const { metadata, spec } = object;
  const images = containersOf(spec).map(({ image }) => image);
  const replicas = spec?.['replicas'];
  return (
    <Facts
      of={[
        ...runFacts(t, object),
        ...(typeof replicas === 'number' ? [[t('field.replicas'), replicas] as const] : []),
        ...(images.length > 0 ? [[t('field.images'), <Lines key="images" of={images} />] as const] : []),
        [t('workload.placedBy'), <PolicyLink key="policy" object={object} instance={of.instance} />],
        [t('field.created'), <When key="created" full at={Date.parse(metadata.creationTimestamp ?? '')} />],
        [t('field.generation'), metadata.generation ?? '–'],
        [t('field.labels'), <Lines key="labels" of={pairs(metadata.labels)} />],
      ]}
    />
  );
}

/** What is told of something that runs to its end, or again and again. */
function runFacts(t: TFunction, { kind, spec = {}, status = {} }: Thing): readonly (readonly [string, ReactNode])[] {
  const time = (name: string) => Date.parse(textAt(status, [name])) || 0;
  if (kind === 'CronJob') {
    const schedule = textAt(spec, ['schedule']);
    return [
      [
        t('create.schedule'),
        <div key="schedule">
          <span className="mono">{schedule}</span>
          <ScheduleWords rule={schedule} />
        </div>,
      ],
      [t('workload.ran'), <When key="ran" full at={time('lastScheduleTime')} />],
      ...(spec['suspend'] === true ? [[t('field.status'), t('workload.state.Stopped')] as const] : []),
    ];
  }
  if (kind !== 'Job') return [];
  const [began, ended] = [time('startTime'), time('completionTime')];
  const count = (name: string) => Number(status[name] ?? 0);
  return [
    [t('workload.run.began'), <When key="began" full at={began} />],
    [t('workload.run.ended'), <When key="ended" full at={ended} />],
    [t('workload.run.took'), began > 0 && ended > 0 ? took(ended - began) : '–'],
    [
      t('workload.run.pods'),
      t('workload.run.counts', { active: count('active'), good: count('succeeded'), bad: count('failed') }),
    ],
  ];
}

function Lines({ of }: { readonly of: readonly string[] }) {
  return (
    <>
      {of.length === 0 && '–'}
      {of.map((line) => (
        <div key={line} className="mono">
          {line}
        </div>
      ))}
    </>
  );
}

const pairs = (labels: Readonly<Record<string, string>> = {}) =>
  Object.entries(labels)
    .filter(([key]) => !key.includes('karmada.io/'))
    .map(([key, value]) => `${key}=${value}`);

export interface Container {
  readonly name: string;
  readonly image: string;
}

export function containersOf(spec: Thing['spec']): readonly Container[] {
  const template = (spec?.['template'] ??
    (spec?.['jobTemplate'] as { spec?: { template?: unknown } })?.spec?.template) as
    | { spec?: { containers?: readonly Container[] } }
    | undefined;
  return template?.spec?.containers ?? [];
}

export function PolicyLink({ object, instance }: { readonly object: Thing; readonly instance: string }) {
  const { annotations = {} } = object.metadata;
  const own = annotations['propagationpolicy.karmada.io/name'];
  const wide = annotations['clusterpropagationpolicy.karmada.io/name'];
  const name = own ?? wide;
  if (!name) return <>–</>;
  const kind = own ? 'PropagationPolicy' : 'ClusterPropagationPolicy';
  const namespace = own ? (annotations['propagationpolicy.karmada.io/namespace'] ?? '') : '-';
  return (
    <Link to="/i/$instance/policies/$kind/$namespace/$name" params={{ instance, kind, namespace, name }}>
      {kind} {name}
    </Link>
  );
}
