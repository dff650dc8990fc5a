/** All clusters there are, whichever instance they serve: imported here, with a report on what their credentials may do. */
import { useQuery } from '@connectrpc/connect-query';
import { keepPreviousData } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Cluster } from '#gen/proto/kpanda/api/cluster/v1alpha1/cluster_pb.ts';
import { ClusterService } from '#gen/proto/kpanda/api/cluster/v1alpha1/cluster_service_pb.ts';
import { useMay } from '../../api/permissions.ts';
import { ago, percent } from '../../i18n/words.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { GuardedButton } from '../../parts/guarded.tsx';
import { Page } from '../../parts/page.tsx';
import { Answer, Empty } from '../../parts/problems.tsx';
import { Status } from '../../parts/status.tsx';
import { millis } from '../workload/shared.ts';
import { ImportCluster } from './import-cluster.tsx';
import { inventoryState, placeText, useServed } from './shared.ts';
import { Used } from './usage.tsx';

export function InventoryPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [importing, setImporting] = useState(false);
  const may = useMay('kpanda/cluster/import');
  // Whoever may not list them is shown those of theirs, and there may be none.
  const seesAll = useMay('kpanda/cluster/list');
  const asked = useQuery(
    ClusterService.method.listClusters,
    { pageSize: 200 },
    { placeholderData: keepPreviousData, refetchInterval: 10_000 },
  );
  const columns = useColumns(useServed());
  const open = ({ metadata }: Cluster) =>
    void navigate({ to: '/clusters/$cluster', params: { cluster: metadata?.name ?? '' } });
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
            onOpen={open}
            peekTitle={({ metadata }) => metadata?.name ?? ''}
            peek={(cluster) => <Used of={cluster} />}
            empty={
              seesAll.missing ? (
                <Empty title={t('inventory.noneSeen')}>{t('action.needs', { right: seesAll.missing })}</Empty>
              ) : (
                <Empty title={t('inventory.none')}>{t('inventory.noneHint')}</Empty>
              )
            }
          />
        )}
      </Answer>
      {importing && <ImportCluster onClose={() => setImporting(false)} />}
    </Page>
  );
}

function useColumns(served: ReadonlyMap<string, readonly string[]>): readonly Column<Cluster>[] {
  const { t, i18n } = useTranslation();
  return useMemo(
    () => [
      {
        id: 'name',
        header: t('field.name'),
        grow: 1.2,
        cell: ({ metadata, spec }) => (
          <>
            <Link to="/clusters/$cluster" params={{ cluster: metadata?.name ?? '' }} style={{ fontWeight: 550 }}>
              {metadata?.name}
            </Link>{' '}
            <span className="soft">{spec?.aliasName}</span>
          </>
        ),
      },
      { id: 'status', header: t('field.status'), cell: (cluster) => <Status state={inventoryState(cluster)} /> },
      {
        id: 'serves',
        header: t('inventory.serves'),
        cell: ({ metadata }) =>
          served.get(metadata?.name ?? '')?.map((instance) => (
            <Link key={instance} to="/i/$instance" params={{ instance }} style={{ marginRight: 6 }}>
              {instance}
            </Link>
          )) ?? <span className="soft">{t('inventory.servesNone')}</span>,
      },
      { id: 'place', header: t('cluster.place'), grow: 2.6, cell: (cluster) => placeText(cluster) || '–' },
      {
        id: 'version',
        header: 'Kubernetes',
        grow: 1.3,
        wide: true,
        cell: ({ status }) => status?.kubernetesVersion || '–',
      },
      {
        id: 'nodes',
        header: t('overview.nodes'),
        number: true,
        grow: 0.9,
        cell: ({ status }) => `${status?.nodeSummary?.ready ?? 0}/${status?.nodeSummary?.total ?? 0}`,
      },
      { id: 'cpu', header: 'CPU', number: true, grow: 0.5, cell: ({ status }) => used(status?.cpuUsage) },
      {
        id: 'memory',
        header: t('cluster.memory'),
        number: true,
        grow: 0.6,
        cell: ({ status }) => used(status?.memoryUsage),
      },
      {
        id: 'credential',
        header: t('inventory.credential'),
        grow: 1,
        wide: true,
        cell: ({ status }) => {
          const ends = status?.credential?.expiresAt;
          return [status?.credential?.type, ends && t('inventory.ends', { when: ago(millis(ends)) })]
            .filter(Boolean)
            .join(' · ');
        },
      },
    ],
    // The language is in every header.
    [served, t, i18n.language],
  );
}

/** The platform counts in percent. */
function used(share: number | undefined): string {
  return share === undefined ? '–' : percent(share / 100);
}
