/** Home: every instance on one line, and whatever needs somebody. */
import { useQuery } from '@connectrpc/connect-query';
import { Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Instance } from '#gen/proto/kairship/api/instance/v1alpha1/instance_pb.ts';
import { InstanceService } from '#gen/proto/kairship/api/instance/v1alpha1/instance_service_pb.ts';
import { useInstancesLive } from '../api/instances-live.ts';
import { ago } from '../i18n/words.ts';
import { Capacity } from '../parts/capacity.tsx';
import { instanceState } from '../parts/instance-state.ts';
import { LiveChip } from '../parts/live-chip.tsx';
import { Page, Panel } from '../parts/page.tsx';
import { Answer } from '../parts/problems.tsx';
import { Banner, type State, Status } from '../parts/status.tsx';
import { AuditTable } from './audit-table.tsx';
import { hostWord } from './instances/host-word.ts';
import { NoInstances } from './instances/no-instances.tsx';

export function HomePage() {
  const { t } = useTranslation();
  const live = useInstancesLive();
  const asked = useQuery(InstanceService.method.listInstances, { pageSize: 100 });
  return (
    <Page title={t('menu.home')} sub={t('home.sub')} actions={<LiveChip state={live} />}>
      <Answer of={asked}>
        {({ items }) => (
          <Stack gap={14}>
            <Attention instances={items} />
            {items.length === 0 ? (
              <NoInstances action={<Link to="/instances">{t('instance.create')}</Link>} />
            ) : (
              <div className="tiles">
                {items.map((instance) => (
                  <InstanceTile key={instance.metadata?.name} instance={instance} />
                ))}
              </div>
            )}
            <Panel title={t('home.activity')} flush aside={<Link to="/activity">{t('action.all')}</Link>}>
              <AuditTable most={6} />
            </Panel>
          </Stack>
        )}
      </Answer>
    </Page>
  );
}

/** What an instance adds up to: never better than its worst part. */
export function stateOf(instance: Instance): State {
  const state = instanceState(instance);
  if (state !== 'healthy') return state;
  const { clusterSummary, workloadSummary = {} } = instance.status?.summary ?? {};
  const less = (one: { totalNum: number; readyNum: number } | undefined) => (one?.readyNum ?? 0) < (one?.totalNum ?? 0);
  return less(clusterSummary) || Object.values(workloadSummary).some(less) ? 'degraded' : 'healthy';
}

function Attention({ instances }: { readonly instances: readonly Instance[] }) {
  const { t } = useTranslation();
  const troubled = instances.filter((instance) => stateOf(instance) !== 'healthy');
  if (instances.length === 0) return null;
  if (troubled.length === 0)
    return (
      <Banner state="healthy">
        <b>{t('home.calm', { count: instances.length })}</b>
      </Banner>
    );
  return (
    <>
      {troubled.map((instance) => {
        const name = instance.metadata?.name ?? '';
        const { clusterSummary, workloadSummary = {} } = instance.status?.summary ?? {};
        const lost = (clusterSummary?.totalNum ?? 0) - (clusterSummary?.readyNum ?? 0);
        const waiting = Object.values(workloadSummary).reduce((sum, one) => sum + one.totalNum - one.readyNum, 0);
        const running = instanceState(instance);
        return (
          <Banner
            key={name}
            state={stateOf(instance)}
            action={
              <Link to="/i/$instance" params={{ instance: name }}>
                {t('home.look')}
              </Link>
            }
          >
            <b>{name}</b>{' '}
            {running === 'healthy'
              ? `– ${[
                  lost > 0 && t('home.clusters', { count: lost }),
                  waiting > 0 && t('home.workloads', { count: waiting }),
                ]
                  .filter(Boolean)
                  .join(', ')}`
              : t(`instance.sentence.${running}`)}
          </Banner>
        );
      })}
    </>
  );
}

export function InstanceTile({ instance }: { readonly instance: Instance }) {
  const { t } = useTranslation();
  const { metadata, status } = instance;
  const name = metadata?.name ?? '';
  const { clusterSummary, workloadSummary = {}, resourceSummary } = status?.summary ?? {};
  const workloads = Object.values(workloadSummary);
  const lost = (clusterSummary?.readyNum ?? 0) < (clusterSummary?.totalNum ?? 0);
  const sum = (pick: 'totalNum' | 'readyNum') => workloads.reduce((total, one) => total + one[pick], 0);
  return (
    <section className="panel" aria-label={name} data-instance={name}>
      <div className="panel-head">
        <Link to="/i/$instance" params={{ instance: name }} style={{ fontWeight: 600, fontSize: 15 }}>
          {name}
        </Link>
        <Status state={stateOf(instance)} />
      </div>
      <Stack className="panel-body" gap={10}>
        <div className="soft" style={{ fontSize: 13 }}>
          {[
            metadata?.annotations['kairship.io/alias-name'],
            status?.karmadaVersion && `Karmada ${status.karmadaVersion}`,
            t('instance.since', { when: ago(Number(metadata?.creationTimestamp ?? 0)) }),
          ]
            .filter(Boolean)
            .join(' · ')}
          <div>
            {t('instance.host')}: {hostWord(t, instance)}
          </div>
        </div>
        <div style={{ fontSize: 13 }}>
          {t('instance.clusters', { ready: clusterSummary?.readyNum ?? 0, total: clusterSummary?.totalNum ?? 0 })}
          {' · '}
          {t(lost ? 'instance.workloadsHeard' : 'instance.workloads', {
            ready: sum('readyNum'),
            total: sum('totalNum'),
          })}
        </div>
        <Capacity of={resourceSummary} />
      </Stack>
    </section>
  );
}
