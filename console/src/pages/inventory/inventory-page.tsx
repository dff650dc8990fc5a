/** All clusters there are, whichever instance they serve: imported here, with a report on what their credentials may do. */
import { useQuery } from '@connectrpc/connect-query';
import { keepPreviousData } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Cluster, ClusterStatus_Phase as Phase } from '#gen/proto/kpanda/api/cluster/v1alpha1/cluster_pb.ts';
import { ClusterService } from '#gen/proto/kpanda/api/cluster/v1alpha1/cluster_service_pb.ts';
import { useMay } from '../../api/permissions.ts';
import { ago } from '../../i18n/words.ts';
import { Capacity } from '../../parts/capacity.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { GuardedButton } from '../../parts/guarded.tsx';
import { Page } from '../../parts/page.tsx';
import { Answer, Empty } from '../../parts/problems.tsx';
import { type State, Status } from '../../parts/status.tsx';
import { millis } from '../workload/shared.ts';
import { ImportCluster } from './import-cluster.tsx';

const STATES: Readonly<Record<number, State>> = {
  [Phase.Pending]: 'progressing',
  [Phase.Running]: 'healthy',
  [Phase.Unknown]: 'unknown',
  [Phase.Deleting]: 'progressing',
};

export function InventoryPage() {
  const { t } = useTranslation();
  const [importing, setImporting] = useState(false);
  const may = useMay('kpanda/cluster/import');
  const asked = useQuery(
    ClusterService.method.listClusters,
    { pageSize: 200 },
    { placeholderData: keepPreviousData, refetchInterval: 10_000 },
  );
  const columns = useColumns();
  return (
    <Page
      title={t('menu.inventory')}
      sub={t('inventory.sub')}
      actions={
        <GuardedButton may={may} leftSection={<Plus size={14} aria-hidden />} onClick={() => setImporting(true)}>
          {t('inventory.import')}
        </GuardedButton>
      }
    >
      <Answer of={asked}>
        {({ items }) => (
          <DataTable
            label={t('menu.inventory')}
            columns={columns}
            rows={items}
            rowId={({ metadata }) => metadata?.name ?? ''}
            peekTitle={({ metadata }) => metadata?.name ?? ''}
            peek={({ status }) => (
              <Capacity
                all
                of={
                  status?.resourceSummary && {
                    allocatable: status.resourceSummary.allocatable,
                    allocated: status.resourceSummary.used,
                  }
                }
              />
            )}
            empty={<Empty title={t('inventory.none')}>{t('inventory.noneHint')}</Empty>}
          />
        )}
      </Answer>
      {importing && <ImportCluster onClose={() => setImporting(false)} />}
    </Page>
  );
}

function useColumns(): readonly Column<Cluster>[] {
  const { t, i18n } = useTranslation();
  return useMemo(
    () => [
      {
        id: 'name',
        header: t('field.name'),
        grow: 1.4,
        cell: ({ metadata, spec }) => (
          <>
            <b>{metadata?.name}</b> <span className="soft">{spec?.aliasName}</span>
          </>
        ),
      },
      {
        id: 'status',
        header: t('field.status'),
        cell: ({ status }) => <Status state={STATES[status?.phase ?? 0] ?? 'unknown'} />,
      },
      {
        id: 'place',
        header: t('cluster.place'),
        grow: 1.8,
        cell: ({ spec }) => [spec?.provider, spec?.region, spec?.zone].filter(Boolean).join(' · ') || '–',
      },
      { id: 'version', header: 'Kubernetes', cell: ({ status }) => status?.kubernetesVersion || '–' },
      {
        id: 'nodes',
        header: t('overview.nodes'),
        number: true,
        cell: ({ status }) => `${status?.nodeSummary?.ready ?? 0}/${status?.nodeSummary?.total ?? 0}`,
      },
      {
        id: 'credential',
        header: t('inventory.credential'),
        grow: 1.3,
        cell: ({ status }) => {
          const ends = status?.credential?.expiresAt;
          return [status?.credential?.type, ends && t('inventory.ends', { when: ago(millis(ends)) })]
            .filter(Boolean)
            .join(' · ');
        },
      },
    ],
    // The language is in every header.
    [t, i18n.language],
  );
}
