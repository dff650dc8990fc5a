/** An instance at a glance: one sentence, what runs where, what it can still take, what happened. */
import { useQuery } from '@connectrpc/connect-query';
import { Stack } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { CoreService } from '#gen/proto/kairship/api/core/v1alpha1/core_service_pb.ts';
import type { Instance } from '#gen/proto/kairship/api/instance/v1alpha1/instance_pb.ts';
import { InstanceService } from '#gen/proto/kairship/api/instance/v1alpha1/instance_service_pb.ts';
import { BINDING, CLUSTER, POLICIES } from '../api/kinds.ts';
import { useIndexFilled } from '../api/index-filled.ts';
import { useLive } from '../api/live.ts';
import { moment } from '../i18n/words.ts';
import { Capacity } from '../parts/capacity.tsx';
import { EventTable } from '../parts/event-table.tsx';
import { instanceState } from '../parts/instance-state.ts';
import { LiveChip } from '../parts/live-chip.tsx';
import { Facts, Page, Panel } from '../parts/page.tsx';
import { Answer } from '../parts/problems.tsx';
import { Banner } from '../parts/status.tsx';
import { ClusterStrips } from './overview/cluster-strips.tsx';
import { Decisions } from './overview/decisions.tsx';
import { PlacementMap } from './placement-map.tsx';

type PolicyKind = 'PropagationPolicy' | 'ClusterPropagationPolicy' | 'OverridePolicy' | 'ClusterOverridePolicy';

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
              </Stack>
              <Stack gap={14}>
                <Panel title={t('overview.capacity')}>
                  <Capacity of={data.status?.summary?.resourceSummary} />
                </Panel>
                <ClusterStrips instance={instance} />
                <Panel title={t('overview.inside')}>
                  <Inside of={data} />
                </Panel>
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
  const clusters = summary?.clusterSummary;
  const workloads = Object.values(summary?.workloadSummary ?? {});
  const total = workloads.reduce((sum, { totalNum }) => sum + totalNum, 0);
  const ready = workloads.reduce((sum, { readyNum }) => sum + readyNum, 0);
  const [joined, up] = [clusters?.totalNum ?? 0, clusters?.readyNum ?? 0];
  const running = instanceState(of);
  const filled = useIndexFilled(of.metadata?.name ?? '', running === 'healthy' && joined === 0);
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
  return (
    <Banner state={state}>
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

function Inside({ of }: { readonly of: Instance }) {
  const { t } = useTranslation();
  const { metadata, status } = of;
  const instance = metadata?.name ?? '';
  const { resourceTotalNum = {}, policyTotalNum = {}, nodeSummary } = status?.summary ?? {};
  return (
    <Facts
      of={[
        ['Karmada', status?.karmadaVersion || '–'],
        ['Kubernetes', status?.kubernetesVersion || '–'],
        [t('overview.nodes'), `${nodeSummary?.readyNum ?? 0}/${nodeSummary?.totalNum ?? 0}`],
        [
          t('menu.policies'),
          <Fragment key="policies">
            {POLICIES.map(({ kind }) => (
              <Link
                key={kind}
                to="/i/$instance/policies"
                params={{ instance }}
                search={{ kind }}
                style={{ marginRight: 10, whiteSpace: 'nowrap' }}
              >
                {policyTotalNum[kind] ?? 0} {t(`policy.kind.${kind as PolicyKind}`)}
              </Link>
            ))}
          </Fragment>,
        ],
        [t('overview.namespaces'), resourceTotalNum['namespaces'] ?? 0],
        [t('overview.services'), (resourceTotalNum['services'] ?? 0) + (resourceTotalNum['ingresses'] ?? 0)],
        [t('overview.config'), (resourceTotalNum['configmaps'] ?? 0) + (resourceTotalNum['secrets'] ?? 0)],
        [t('field.created'), moment(Number(metadata?.creationTimestamp ?? 0))],
      ]}
    />
  );
}
