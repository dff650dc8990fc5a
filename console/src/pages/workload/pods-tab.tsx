/** The pods of a workload, in every cluster it runs in. */
import { useQuery } from '@connectrpc/connect-query';
import { keepPreviousData } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  CoreService,
  ListPodsForMemberClusterRequest_Kind as PodKind,
} from '#gen/proto/kairship/api/core/v1alpha1/core_service_pb.ts';
import {
  type Pod,
  PodStatus_Phase as Phase,
  PodStatus_PhaseSchema,
} from '#gen/proto/kairship/api/core/v1alpha1/pod_pb.ts';
import { useLost } from '../../api/clusters.ts';
import type { ObjectRef } from '../../api/objects.ts';
import { wordOf } from '../../api/words.ts';
import { Fresh } from '../../parts/fresh.tsx';
import { Answer } from '../../parts/problems.tsx';
import { type State, Status } from '../../parts/status.tsx';
import { When } from '../../parts/when.tsx';
import { ClusterGroup, type GroupColumn, GroupTable, LOOK_AGAIN_MS, PerCluster, ROWS } from './cluster-group.tsx';

export function PodsTab({ of }: { readonly of: ObjectRef }) {
  return <PerCluster of={of}>{(cluster) => <PodsIn key={cluster} of={of} cluster={cluster} />}</PerCluster>;
}

function PodsIn({ of, cluster }: { readonly of: ObjectRef; readonly cluster: string }) {
  const { t } = useTranslation();
  const [page, setPage] = useState(1);
  const { instance, kind, namespace, name } = of;
  const silent = useLost(instance).has(cluster);
  const asked = useQuery(
    CoreService.method.listPodsForMemberCluster,
    {
      instance,
      cluster,
      namespace,
      kind: PodKind[kind.kind as keyof typeof PodKind] ?? PodKind.KIND_UNSPECIFIED,
      kindName: name,
      page,
      pageSize: ROWS,
    },
    // What a workload counts is told by its stream; a restart, or another node, is not.
    { placeholderData: keepPreviousData, refetchInterval: LOOK_AGAIN_MS },
  );
  const total = asked.data?.pagination?.total ?? asked.data?.items.length ?? 0;
  return (
    <ClusterGroup
      instance={instance}
      name={cluster}
      count={t('pod.count', { count: total })}
      aside={<Fresh at={asked.dataUpdatedAt} everyMs={LOOK_AGAIN_MS} />}
      page={{ number: page, pages: asked.data?.pagination?.pages ?? 1, onChange: setPage }}
    >
      <Answer of={asked}>
        {({ items }) => (
          <GroupTable
            columns={columnsOf(t, { instance, cluster, silent })}
            rows={items}
            rowId={({ metadata }) => metadata?.uid ?? ''}
            empty={t('pod.none')}
          />
        )}
      </Answer>
    </ClusterGroup>
  );
}

const STATES: Readonly<Record<number, State>> = {
  [Phase.PHASE_UNSPECIFIED]: 'unknown',
  [Phase.Unknown]: 'unknown',
  [Phase.Pending]: 'progressing',
  [Phase.Running]: 'healthy',
  [Phase.Succeeded]: 'healthy',
  [Phase.Failed]: 'blocked',
};

interface Where {
  readonly instance: string;
  readonly cluster: string;
  readonly silent: boolean;
}

function columnsOf(t: TFunction, { instance, cluster, silent }: Where): readonly GroupColumn<Pod>[] {
  const lastSaid = (word: string) => (silent ? t('cluster.last', { word }) : word);
  return [
    { header: t('field.name'), width: 23, cell: ({ metadata }) => <span className="mono">{metadata?.name}</span> },
    {
      header: t('field.status'),
      width: 12,
      cell: ({ status }) => (
        <Status
          state={silent ? 'unknown' : (STATES[status?.phase ?? 0] ?? 'unknown')}
          word={lastSaid(wordOf(PodStatus_PhaseSchema, status?.phase ?? 0))}
        />
      ),
    },
    {
      header: t('field.images'),
      width: 18,
      cell: ({ spec }) => <span className="mono">{spec?.containers.map(({ image }) => image).join(', ')}</span>,
    },
    { header: t('pod.node'), width: 14, cell: ({ spec }) => spec?.nodeName || '–' },
    { header: t('pod.ip'), width: 9, cell: ({ status }) => <span className="mono">{status?.podIp || '–'}</span> },
    { header: t('pod.restarts'), width: 7, number: true, cell: ({ status }) => status?.restartCount ?? 0 },
    {
      header: t('field.created'),
      width: 9,
      cell: ({ metadata }) => <When at={Number(metadata?.creationTimestamp ?? 0)} />,
    },
    {
      header: t('menu.terminal'),
      width: 8,
      cell: ({ metadata }) => (
        <Link
          to="/i/$instance/terminal"
          params={{ instance }}
          search={{ cluster, ns: metadata?.namespace ?? '', pod: metadata?.name ?? '' }}
          aria-label={t('terminal.of', { name: metadata?.name ?? '' })}
        >
          {t('menu.terminal')}
        </Link>
      ),
    },
  ];
}
