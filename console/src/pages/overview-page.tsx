/** An instance at a glance: one sentence, what runs where, what it can still take, what happened. */
import { useQuery } from '@connectrpc/connect-query';
import { Stack } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { CoreService } from '#gen/proto/kairship/api/core/v1alpha1/core_service_pb.ts';
import type { Instance } from '#gen/proto/kairship/api/instance/v1alpha1/instance_pb.ts';
import { InstanceService } from '#gen/proto/kairship/api/instance/v1alpha1/instance_service_pb.ts';
import { useReady } from '../api/clusters.ts';
import { BINDING, CLUSTER } from '../api/kinds.ts';
import { useIndexFilled } from '../api/index-filled.ts';
import { useLive } from '../api/live.ts';
import { Capacity } from '../parts/capacity.tsx';
import { EventTable } from '../parts/event-table.tsx';
import { instanceState } from '../parts/instance-state.ts';
import { LiveChip } from '../parts/live-chip.tsx';
import { Page, Panel } from '../parts/page.tsx';
import { Answer } from '../parts/problems.tsx';
import { Banner } from '../parts/status.tsx';
import { ClusterStrips } from './overview/cluster-strips.tsx';
import { Decisions } from './overview/decisions.tsx';
import { About, Inside } from './overview/inside.tsx';
import { PlacementMap } from './placement-map.tsx';

export function OverviewPage() {
  const { t } = useTranslation();
  const { instance } = useParams({ from: '/i/$instance' });
  const live = useLive(instance, [BINDING, CLUSTER]);
  const asked = useQuery(InstanceService.method.getInstance, { name: instance });
  const events = useQuery(CoreService.method.listMemberEvents, {
    instance,
    cluster: '-',
    withoutEngine: true,
    pageSize: 12,
  });
  return (
    <Page title={instance} sub={t('overview.sub')} actions={<LiveChip state={live} />}>
      <Answer of={asked}>
        {(data) => (
          <Stack gap={14}>
            <Sentence of={data} />
            <div className="two">
              <Stack gap={14}>
                <PlacementMap instance={instance} />
                <Decisions instance={instance} />
                <Inside of={data} />
              </Stack>
              <Stack gap={14}>
                <About of={data} />
                <Panel title={t('overview.capacity')}>
                  <Capacity of={data.status?.summary?.resourceSummary} />
                </Panel>
                <ClusterStrips instance={instance} />
              </Stack>
            </div>
            <Panel
              title={t('overview.events')}
              aside={
                <Link to="/i/$instance/events" params={{ instance }}>
                  {t('events.all')}
                </Link>
              }
              flush
            >
              <Answer of={events}>
                {({ items }) => <EventTable events={items.flatMap(({ event }) => event ?? [])} about />}
              </Answer>
            </Panel>
          </Stack>
        )}
      </Answer>
    </Page>
  );
}

function Sentence({ of }: { readonly of: Instance }) {
  const { t } = useTranslation();
  const summary = of.status?.summary;
  const workloads = Object.values(summary?.workloadSummary ?? {});
  const total = workloads.reduce((sum, { totalNum }) => sum + totalNum, 0);
  const ready = workloads.reduce((sum, { readyNum }) => sum + readyNum, 0);
  const instance = of.metadata?.name ?? '';
  const { totalNum: joined, readyNum: up } = useReady(instance, summary?.clusterSummary);
  const running = instanceState(of);
  const filled = useIndexFilled(instance, running === 'healthy' && joined === 0);
  const state =
    running !== 'healthy'
      ? running
      : !filled
        ? 'progressing'
        : joined === 0
          ? 'unknown'
          : up < joined || ready < total
            ? 'degraded'
            : 'healthy';
  const next =
    state === 'unknown' && running === 'healthy' ? (
      <Link to="/i/$instance/clusters" params={{ instance }}>
        {t('cluster.join')}
      </Link>
    ) : (
      state === 'healthy' &&
      total === 0 && (
        <Link to="/i/$instance/workloads/new" params={{ instance }}>
          {t('workload.create')}
        </Link>
      )
    );
  return (
    <Banner state={running === 'healthy' && state === 'unknown' ? 'off' : state} action={next}>
      <b>
        {running !== 'healthy'
          ? t(`instance.sentence.${running}`)
          : joined === 0
            ? t(filled ? 'overview.noClusters' : 'overview.notRead')
            : up === joined
              ? t('overview.allClusters', { count: joined })
              : t('overview.someClusters', { up, joined })}
      </b>{' '}
      {running === 'healthy' &&
        joined > 0 &&
        (total === 0
          ? t('overview.nothingRuns')
          : t(up < joined ? 'overview.workloadsHeard' : 'overview.workloads', { ready, total }))}
    </Banner>
  );
}
