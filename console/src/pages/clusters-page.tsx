/** Member clusters: how they do, and which could join. */
import { useQuery } from '@connectrpc/connect-query';
import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Cluster } from '#gen/proto/kairship/api/cluster/v1alpha1/cluster_pb.ts';
import { ClusterService } from '#gen/proto/kairship/api/cluster/v1alpha1/cluster_service_pb.ts';
import { clustersApi, clusterState, isCordoned, placeOf, useClusters } from '../api/clusters.ts';
import { CLUSTER } from '../api/kinds.ts';
import { useLive } from '../api/live.ts';
import { useMay } from '../api/permissions.ts';
import { problemOf } from '../api/problem.ts';
import { ago, percent } from '../i18n/words.ts';
import { CommandLine } from '../parts/command.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { GuardedButton } from '../parts/guarded.tsx';
import { LiveChip } from '../parts/live-chip.tsx';
import { Facts, Page } from '../parts/page.tsx';
import { Answer, Empty } from '../parts/problems.tsx';
import { Banner, Status } from '../parts/status.tsx';
import { Capacity } from '../parts/capacity.tsx';

export function ClustersPage() {
  const { t } = useTranslation();
  const { instance } = useParams({ from: '/i/$instance' });
  const navigate = useNavigate();
  const live = useLive(instance, [CLUSTER]);
  const clusters = useClusters(instance);
  const columns = useColumns(instance);
  const [joining, setJoining] = useState(false);
  const may = useMay('kairship/cluster/join', { instance });
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
            }
          />
        )}
      </Answer>
      {joining && <Join instance={instance} onClose={() => setJoining(false)} />}
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
        grow: 1.4,
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
      { id: 'place', header: t('cluster.place'), grow: 2.2, cell: (cluster) => placeOf(cluster) || '–' },
      { id: 'version', header: 'Kubernetes', cell: ({ status }) => status?.kubernetesVersion || '–' },
      { id: 'mode', header: t('cluster.mode'), grow: 0.6, cell: ({ status }) => status?.proxyMode || '–' },
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

/** Candidates are clusters of the inventory that are in no instance yet. */
function Join({ instance, onClose }: { readonly instance: string; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const cache = useQueryClient();
  const [name, setName] = useState<string | null>(null);
  const candidates = useQuery(ClusterService.method.listClusters, { instance, allCluster: true });
  const join = useMutation({
    mutationFn: () => clustersApi.joinCluster({ instance, name: name ?? '' }),
    onSuccess: async () => {
      onClose();
      await cache.invalidateQueries();
    },
  });
  return (
    <Modal opened onClose={onClose} title={t('cluster.join')} closeButtonProps={{ 'aria-label': t('action.close') }}>
      <Answer of={candidates}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title={t('cluster.noCandidates')}>{t('cluster.noCandidatesHint')}</Empty>
          ) : (
            <Stack gap="sm">
              <Select
                label={t('cluster.candidate')}
                data={items.map((cluster) => ({
                  value: cluster.metadata?.name ?? '',
                  label: [cluster.metadata?.name, placeOf(cluster)].filter(Boolean).join(' · '),
                }))}
                value={name}
                onChange={setName}
              />
              {items
                .filter(({ metadata }) => metadata?.name === name)
                .map((cluster) => (
                  <Facts
                    key={name}
                    of={[
                      [t('field.status'), <Status key="state" state={clusterState(cluster)} />],
                      ['Kubernetes', cluster.status?.kubernetesVersion || '–'],
                      [t('overview.capacity'), <Capacity key="capacity" of={cluster.status?.resourceSummary} />],
                    ]}
                  />
                ))}
              <Banner state="degraded">{t('cluster.takeOver')}</Banner>
              {name !== null && <CommandLine line={`kairship cluster join ${name} --instance ${instance}`} />}
              <Text size="xs" c="dimmed">
                {t('cluster.joinHint')}
              </Text>
              {join.error && <Banner state="blocked">{problemOf(join.error).message}</Banner>}
              <Group justify="flex-end">
                <Button disabled={name === null} loading={join.isPending} onClick={() => join.mutate()}>
                  {t('cluster.join')}
                </Button>
              </Group>
            </Stack>
          )
        }
      </Answer>
    </Modal>
  );
}
