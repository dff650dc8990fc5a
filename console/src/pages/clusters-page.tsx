/** Member clusters: how they do, and which could join. */
import { Group, Select, TextInput } from '@mantine/core';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { Plus, Search } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Cluster } from '#gen/proto/kairship/api/cluster/v1alpha1/cluster_pb.ts';
import { clusterState, useClusters } from '../api/clusters.ts';
import { CLUSTER } from '../api/kinds.ts';
import { useIndexFilled } from '../api/index-filled.ts';
import { useLive } from '../api/live.ts';
import { useMay } from '../api/permissions.ts';
import { percent } from '../i18n/words.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { GuardedButton } from '../parts/guarded.tsx';
import { LiveChip } from '../parts/live-chip.tsx';
import { Page } from '../parts/page.tsx';
import { Answer, Empty } from '../parts/problems.tsx';
import { Status } from '../parts/status.tsx';
import { Capacity } from '../parts/capacity.tsx';
import { When } from '../parts/when.tsx';
import { choicesOf, type ClustersAsked, isMeant, locationOf, phaseOf, providerOf } from './clusters/cluster-facts.ts';
import { Mode, Scheduling } from './clusters/cluster-marks.tsx';
import { JoinCluster } from './clusters/join-cluster.tsx';

const ROUTE = '/i/$instance/clusters';

export function ClustersPage() {
  const { t } = useTranslation();
  const { instance } = useParams({ from: '/i/$instance' });
  const navigate = useNavigate({ from: ROUTE });
  const asked = useSearch({ from: ROUTE });
  const live = useLive(instance, [CLUSTER]);
  const clusters = useClusters(instance);
  const aliased = clusters.data?.items.some(({ spec }) => spec?.aliasName) ?? false;
  const columns = useColumns(instance, aliased);
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
          <>
            {items.length > 0 && <Filters of={items} />}
            <DataTable
              label={t('menu.clusters')}
              list="members"
              columns={columns}
              rows={items.filter(isMeant(asked))}
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
                items.length > 0 ? (
                  <Empty title={t('table.noneMatch')}>{t('table.noneMatchHint')}</Empty>
                ) : filled ? (
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
          </>
        )}
      </Answer>
      {joining && <JoinCluster instance={instance} onClose={() => setJoining(false)} />}
    </Page>
  );
}

/** What is chosen here is in the address. */
function Filters({ of }: { readonly of: readonly Cluster[] }) {
  const { t } = useTranslation();
  const search = useSearch({ from: ROUTE });
  const navigate = useNavigate({ from: ROUTE });
  const set = (part: Partial<ClustersAsked>) =>
    void navigate({ search: (now) => ({ ...now, ...part }), replace: true });
  const choice = (key: 'provider' | 'region' | 'phase', label: string, data: readonly string[]) => (
    <Select
      aria-label={label}
      placeholder={label}
      clearable
      data={data.map((value) => ({ value, label: key === 'phase' ? phaseWord(t, value) : value }))}
      value={search[key] || null}
      onChange={(value) => set({ [key]: value ?? '' })}
      w={170}
    />
  );
  return (
    <Group gap={8} mb={12}>
      <TextInput
        aria-label={t('field.filterByName')}
        placeholder={t('field.filterByName')}
        leftSection={<Search size={13} aria-hidden />}
        value={search.q}
        onChange={(event) => set({ q: event.currentTarget.value })}
      />
      {choice('provider', t('inventory.provider'), choicesOf(of, providerOf))}
      {choice(
        'region',
        t('inventory.region'),
        choicesOf(of, ({ spec }) => spec?.region),
      )}
      {choice('phase', t('field.status'), choicesOf(of, phaseOf))}
    </Group>
  );
}

function phaseWord(t: TFunction, phase: string): string {
  return t(`cluster.phase.${phase as 'RUNNING'}`, { defaultValue: phase });
}

function useColumns(instance: string, aliased: boolean): readonly Column<Cluster>[] {
  const { t, i18n } = useTranslation();
  return useMemo(
    () => [
      {
        id: 'name',
        header: t('field.name'),
        grow: 1.1,
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
        id: 'alias',
        header: t('instance.alias'),
        wide: true,
        // A column of dashes tells nobody anything.
        extra: !aliased,
        cell: ({ spec }) => spec?.aliasName || <span className="soft">–</span>,
      },
      {
        id: 'status',
        header: t('field.status'),
        grow: 1.3,
        cell: (cluster) => <Status state={clusterState(cluster)} />,
      },
      {
        id: 'scheduling',
        header: t('cluster.scheduling.title'),
        grow: 1.6,
        cell: (cluster) => <Scheduling of={cluster} />,
      },
      {
        id: 'provider',
        header: t('inventory.provider'),
        grow: 1.1,
        wide: true,
        cell: (cluster) => providerOf(cluster) || <span className="soft">–</span>,
      },
      { id: 'place', header: t('cluster.place'), grow: 1.6, cell: (cluster) => locationOf(cluster) || '–' },
      {
        id: 'version',
        header: 'Kubernetes',
        grow: 1.2,
        wide: true,
        cell: ({ status }) => status?.kubernetesVersion || '–',
      },
      {
        id: 'cidr',
        header: t('cluster.podCidr'),
        grow: 1.1,
        wide: true,
        cell: ({ status }) => <span className="mono">{status?.podCidr || '–'}</span>,
      },
      { id: 'mode', header: t('cluster.mode'), grow: 0.8, cell: ({ status }) => <Mode of={status?.proxyMode} /> },
      {
        id: 'cpu',
        header: 'CPU',
        number: true,
        extra: true,
        grow: 0.5,
        cell: ({ status }) => percent(status?.cpuUsage ?? 0),
      },
      {
        id: 'memory',
        header: t('cluster.memory'),
        number: true,
        extra: true,
        grow: 0.7,
        cell: ({ status }) => percent(status?.memoryUsage ?? 0),
      },
      {
        id: 'joined',
        grow: 1,
        header: t('cluster.joined'),
        cell: ({ metadata }) => (
          <span className="soft">
            <When at={Number(metadata?.creationTimestamp ?? 0)} />
          </span>
        ),
      },
    ],
    [instance, aliased, t, i18n.language],
  );
}
