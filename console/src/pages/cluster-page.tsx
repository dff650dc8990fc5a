/** One member: what it is, and what runs there. */
import { Stack } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Cluster } from '#gen/proto/kairship/api/cluster/v1alpha1/cluster_pb.ts';
import { clusterState, isCordoned, isLost, placeOf, taintText, useClusters, useSilentSince } from '../api/clusters.ts';
import { BINDING, CLUSTER } from '../api/kinds.ts';
import { useLive } from '../api/live.ts';
import { moment } from '../i18n/words.ts';
import { Capacity } from '../parts/capacity.tsx';
import { LiveChip } from '../parts/live-chip.tsx';
import { Facts, Page, Panel } from '../parts/page.tsx';
import { Answer, Empty } from '../parts/problems.tsx';
import { Banner } from '../parts/status.tsx';
import { When } from '../parts/when.tsx';
import { ClusterActions } from './clusters/cluster-actions.tsx';
import { Mode, Scheduling } from './clusters/cluster-marks.tsx';
import { PlacementMap } from './placement-map.tsx';

export function ClusterPage() {
  const { t } = useTranslation();
  const { instance, cluster: name } = useParams({ from: '/i/$instance/clusters/$cluster' });
  const live = useLive(instance, [CLUSTER, BINDING]);
  const clusters = useClusters(instance);
  const cluster = clusters.data?.items.find(({ metadata }) => metadata?.name === name);
  return (
    <Page
      title={name}
      sub={cluster && placeOf(cluster)}
      actions={
        <>
          <LiveChip state={live} />
          {cluster && <ClusterActions instance={instance} cluster={cluster} />}
        </>
      }
    >
      <Answer of={clusters}>
        {() =>
          cluster ? <Detail instance={instance} cluster={cluster} /> : <Empty title={t('cluster.gone', { name })} />
        }
      </Answer>
    </Page>
  );
}

function Detail({ instance, cluster }: { readonly instance: string; readonly cluster: Cluster }) {
  const { t } = useTranslation();
  const { metadata, spec, status } = cluster;
  const state = isCordoned(cluster) ? 'degraded' : clusterState(cluster);
  const name = metadata?.name ?? '';
  const lost = isLost(cluster);
  const since = useSilentSince(instance, lost ? name : undefined);
  return (
    <Stack gap={14}>
      <Banner
        state={state}
        action={
          lost && (
            <Link to="/i/$instance/resilience" params={{ instance }} search={{ lose: [name], how: 'lose' }}>
              {t('workload.silent.rehearse')}
            </Link>
          )
        }
      >
        <b>{t(isCordoned(cluster) ? 'cluster.sentence.cordoned' : `cluster.sentence.${clusterState(cluster)}`)}</b>{' '}
        {lost && since > 0 && t('workload.silent.since', { since: moment(since) })}
      </Banner>
      <div className="two">
        <PlacementMap instance={instance} only={name} />
        <Stack gap={14}>
          <Panel title={t('overview.capacity')}>
            <Capacity of={status?.resourceSummary} all />
          </Panel>
          <Panel title={t('workload.about')}>
            <Facts
              of={[
                [t('cluster.scheduling.title'), <Scheduling key="scheduling" of={cluster} />],
                [t('instance.alias'), spec?.aliasName || '–'],
                ['Kubernetes', status?.kubernetesVersion || '–'],
                [t('cluster.mode'), <Mode key="mode" of={status?.proxyMode} />],
                [
                  t('cluster.endpoint'),
                  <span key="at" className="mono">
                    {spec?.apiEndpoint || '–'}
                  </span>,
                ],
                [
                  t('cluster.podCidr'),
                  <span key="cidr" className="mono">
                    {status?.podCidr || '–'}
                  </span>,
                ],
                [
                  t('field.labels'),
                  Object.entries(metadata?.labels ?? {})
                    .map(([key, value]) => `${key}=${value}`)
                    .join(', ') || '–',
                ],
                [t('cluster.taints'), spec?.taints.map(taintText).join(', ') || '–'],
                [t('cluster.joined'), <When key="when" full at={Number(metadata?.creationTimestamp ?? 0)} />],
              ]}
            />
          </Panel>
        </Stack>
      </div>
    </Stack>
  );
}
