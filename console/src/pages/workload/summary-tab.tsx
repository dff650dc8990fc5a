/** What a workload is, and where it runs. */
import { Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { type ObjectRef, type Thing, useObject } from '../../api/objects.ts';
import { Facts, Panel } from '../../parts/page.tsx';
import { Answer } from '../../parts/problems.tsx';
import { When } from '../../parts/when.tsx';
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
