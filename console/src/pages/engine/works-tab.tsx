/** Works: what was sent to each cluster, whether it arrived, and what the cluster said if it did not. */
import { Group, Select } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFoundObjects } from '../../api/found.ts';
import { WORK } from '../../api/kinds.ts';
import type { Thing } from '../../api/objects.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Answer, Empty } from '../../parts/problems.tsx';
import { type State, Status } from '../../parts/status.tsx';
import { Yaml, yamlOf } from '../../parts/yaml.tsx';
import { When } from '../../parts/when.tsx';
import { useClusterNames } from '../policy/target-fields.tsx';
import { clusterOf, workState } from '../topology/graph.ts';
import { NameFilter, OwnSwitch, useLeftOut } from './filter.tsx';

const ROUTE = '/i/$instance/engine';

export function WorksTab({ instance }: { readonly instance: string }) {
  const { t } = useTranslation();
  const search = useSearch({ from: ROUTE });
  const navigate = useNavigate({ from: ROUTE });
  const clusters = useClusterNames(instance);
  const found = useFoundObjects({
    instance,
    kind: WORK,
    namespace: search.cluster ? `karmada-es-${search.cluster}` : '',
    text: search.q,
    without: useLeftOut(),
    page: search.page,
  });
  const columns = useColumns();
  return (
    <>
      <Group gap={8} mb={10}>
        <Select
          aria-label={t('field.cluster')}
          placeholder={t('engine.everyCluster')}
          data={[...new Set([...clusters, search.cluster].filter(Boolean))]}
          value={search.cluster || null}
          clearable
          searchable
          w={180}
          onChange={(cluster) => void navigate({ search: (now) => ({ ...now, cluster: cluster ?? '', page: 1 }) })}
        />
        <NameFilter />
        <OwnSwitch />
      </Group>
      <Answer of={found}>
        {({ rows, total, pages }) => (
          <DataTable
            label={t('engine.tab.works')}
            columns={columns}
            rows={rows}
            rowId={({ metadata }) => `${metadata.namespace ?? ''}/${metadata.name}`}
            peekTitle={({ metadata }) => metadata.name}
            peek={(object) => (
              <Yaml label={t('resource.yamlOf', { name: object.metadata.name })} value={yamlOf(object)} height="80vh" />
            )}
            page={{ number: search.page, pages, total }}
            onPage={(page) => void navigate({ search: (now) => ({ ...now, page }) })}
            empty={<Empty title={t('engine.noWorks')}>{t('engine.noWorksHint')}</Empty>}
          />
        )}
      </Answer>
    </>
  );
}

function manifestsOf({ spec }: Thing): string {
  const { manifests = [] } = (spec?.['workload'] ?? {}) as { readonly manifests?: readonly Thing[] };
  return manifests
    .map(({ kind, metadata }) => `${kind} ${[metadata.namespace, metadata.name].filter(Boolean).join('/')}`)
    .join(', ');
}

function healthOf({ status }: Thing): string {
  const statuses = (status?.['manifestStatuses'] ?? []) as readonly { readonly health?: string }[];
  return statuses
    .map(({ health }) => health)
    .filter(Boolean)
    .join(', ');
}

const HEALTH: Readonly<Record<string, State>> = { Healthy: 'healthy', Unhealthy: 'degraded', Unknown: 'unknown' };

function useColumns(): readonly Column<Thing>[] {
  const { t, i18n } = useTranslation();
  return useMemo(
    () => [
      { id: 'cluster', header: t('field.cluster'), cell: clusterOf },
      {
        id: 'manifests',
        header: t('engine.manifests'),
        grow: 2.4,
        cell: (work) => <span style={{ fontWeight: 550 }}>{manifestsOf(work)}</span>,
      },
      {
        id: 'name',
        header: t('field.name'),
        grow: 1.8,
        wide: true,
        cell: ({ metadata }) => <span className="mono">{metadata.name}</span>,
      },
      {
        id: 'applied',
        header: t('engine.applied'),
        cell: (work) => {
          const { state } = workState(work);
          return <Status state={state} word={t(state === 'healthy' ? 'engine.isApplied' : `state.${state}`)} />;
        },
      },
      {
        id: 'health',
        header: t('engine.health'),
        cell: (work) => {
          const health = healthOf(work);
          return health ? (
            <Status
              state={HEALTH[health] ?? 'degraded'}
              word={t(`engine.healths.${health}` as 'engine.healths.Healthy', { defaultValue: health })}
            />
          ) : (
            '–'
          );
        },
      },
      {
        id: 'error',
        header: t('engine.lastError'),
        grow: 2,
        cell: (work) => {
          const { note } = workState(work);
          return note ? <span title={note}>{note}</span> : '–';
        },
      },
      {
        id: 'at',
        header: t('topology.since'),
        cell: (work) => (
          <span className="soft">
            <When at={workState(work).at} />
          </span>
        ),
      },
    ],
    [t, i18n.language],
  );
}
