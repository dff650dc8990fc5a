/** Member clusters: how they do, and which could join. */
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Cluster } from '#gen/proto/kairship/api/cluster/v1alpha1/cluster_pb.ts';
import { clusterState, isCordoned, placeOf, useClusters } from '../api/clusters.ts';
import { CLUSTER } from '../api/kinds.ts';
import { useIndexFilled } from '../api/index-filled.ts';
import { useLive } from '../api/live.ts';
import { useMay } from '../api/permissions.ts';
import { ago, percent } from '../i18n/words.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { GuardedButton } from '../parts/guarded.tsx';
import { LiveChip } from '../parts/live-chip.tsx';
import { Page } from '../parts/page.tsx';
import { Answer, Empty } from '../parts/problems.tsx';
import { Status } from '../parts/status.tsx';
import { Capacity } from '../parts/capacity.tsx';
import { JoinCluster } from './clusters/join-cluster.tsx';

export function ClustersPage() {
  const { t } = useTranslation();
  const { instance } = useParams({ from: '/i/$instance' });
  const navigate = useNavigate();
  const live = useLive(instance, [CLUSTER]);
  const clusters = useClusters(instance);
  const columns = useColumns(instance);
  const [joining, setJoining] = useState(false);
  const may = useMay('kairship/cluster/join', { instance });
  const filled = useIndexFilled(instance, clusters.data?.items.length === 0);
  return (
    <Page
      title={t('menu.clusters')}
      sub={t('cluster.listSub')}
      actions={
        <>
          <LiveChip state={live} />
          <GuardedButton may={may} leftSection={<Plus size={14} aria-hidden />} onClick={() => setJoining(true)}>
            {t('cluster.join')}
          </GuardedButton>
        </>
      }
    >
      <Answer of={clusters}>
        {({ items }) => (
          <DataTable
            label={t('menu.clusters')}
            columns={columns}
            rows={items}
            rowId={({ metadata }) => metadata?.name ?? ''}
            onOpen={({ metadata }) =>
              void navigate({
                to: '/i/$instance/clusters/$cluster',
                params: { instance, cluster: metadata?.name ?? '' },
              })
            }
            peekTitle={({ metadata }) => metadata?.name ?? ''}
            peek={({ status }) => <Capacity of={status?.resourceSummary} all />}
            empty={
              filled ? (
                <Empty
                  title={t('cluster.none')}
                  action={
                    <GuardedButton may={may} onClick={() => setJoining(true)}>
                      {t('cluster.join')}
                    </GuardedButton>
                  }
                >
                  {t('cluster.noneHint')}
                </Empty>
              ) : (
                <Empty title={t('overview.notRead')}>{t('overview.notReadHint')}</Empty>
              )
            }
          />
        )}
      </Answer>
      {joining && <JoinCluster instance={instance} onClose={() => setJoining(false)} />}
    </Page>
  );
}

function useColumns(instance: string): readonly Column<Cluster>[] {
  const { t, i18n } = useTranslation();
  return useMemo(
    () => [
      {
        id: 'name',
        header: t('field.name'),
        grow: 1.2,
        cell: ({ metadata }) => (
          <Link
            to="/i/$instance/clusters/$cluster"
            params={{ instance, cluster: metadata?.name ?? '' }}
            style={{ fontWeight: 550 }}
          >
            {metadata?.name}
          </Link>
        ),
      },
      {
        id: 'status',
        header: t('field.status'),
        grow: 1.4,
        cell: (cluster) =>
          isCordoned(cluster) ? (
            <Status state="degraded" word={t('cluster.cordoned')} />
          ) : (
            <Status state={clusterState(cluster)} />
          ),
      },
      { id: 'place', header: t('cluster.place'), grow: 2.8, cell: (cluster) => placeOf(cluster) || '–' },
      {
        id: 'version',
        header: 'Kubernetes',
        grow: 1.2,
        wide: true,
        cell: ({ status }) => status?.kubernetesVersion || '–',
      },
      { id: 'mode', header: t('cluster.mode'), grow: 0.6, wide: true, cell: ({ status }) => status?.proxyMode || '–' },
      { id: 'cpu', header: 'CPU', number: true, grow: 0.6, cell: ({ status }) => percent(status?.cpuUsage ?? 0) },
      {
        id: 'memory',
        header: t('cluster.memory'),
        number: true,
        grow: 0.7,
        cell: ({ status }) => percent(status?.memoryUsage ?? 0),
      },
      {
        id: 'joined',
        header: t('cluster.joined'),
        cell: ({ metadata }) => <span className="soft">{ago(Number(metadata?.creationTimestamp ?? 0))}</span>,
      },
    ],
    [instance, t, i18n.language],
  );
}
