/** One workload of any kind: how it is, why there, how far, where it differs, and what happened before. */
import { Tabs } from '@mantine/core';
import { useNavigate, useParams } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { BINDING, CRON_JOB, DEPLOYMENT, type Kind, kindOf } from '../../api/kinds.ts';
import { useLive } from '../../api/live.ts';
import { type ObjectRef, useObject } from '../../api/objects.ts';
import { ROLLED } from '../../api/workloads.ts';
import { LiveChip } from '../../parts/live-chip.tsx';
import { Page } from '../../parts/page.tsx';
import { Problem, Waiting } from '../../parts/problems.tsx';
import { Sentence } from './sentence.tsx';
import { SummaryTab } from './summary-tab.tsx';
import { WorkloadActions } from './workload-actions.tsx';

const PlacementTab = lazy(async () => ({ default: (await import('./placement-tab.tsx')).PlacementTab }));
const TraceTab = lazy(async () => ({ default: (await import('./trace-tab.tsx')).TraceTab }));
const TopologyTab = lazy(async () => ({ default: (await import('../topology/topology-tab.tsx')).TopologyTab }));
const ClustersTab = lazy(async () => ({ default: (await import('./clusters-tab.tsx')).ClustersTab }));
const PodsTab = lazy(async () => ({ default: (await import('./pods-tab.tsx')).PodsTab }));
const ServicesTab = lazy(async () => ({ default: (await import('./services-tab.tsx')).ServicesTab }));
const JobsTab = lazy(async () => ({ default: (await import('./jobs-tab.tsx')).JobsTab }));
const LogsTab = lazy(async () => ({ default: (await import('./logs-tab.tsx')).LogsTab }));
const EventsTab = lazy(async () => ({ default: (await import('./events-tab.tsx')).EventsTab }));
const HistoryTab = lazy(async () => ({ default: (await import('./history-tab.tsx')).HistoryTab }));

const TABS = {
  summary: SummaryTab,
  placement: PlacementTab,
  trace: TraceTab,
  topology: TopologyTab,
  clusters: ClustersTab,
  jobs: JobsTab,
  pods: PodsTab,
  services: ServicesTab,
  logs: LogsTab,
  events: EventsTab,
  history: HistoryTab,
} as const;
type Tab = keyof typeof TABS;

/** Services lead to what runs on; jobs are begun by cron jobs alone. */
function tabsOf(kind: Kind): readonly Tab[] {
  const isFor: Partial<Record<Tab, boolean>> = { services: ROLLED.includes(kind), jobs: kind === CRON_JOB };
  return (Object.keys(TABS) as Tab[]).filter((tab) => isFor[tab] ?? true);
}

export function WorkloadPage() {
  const { t } = useTranslation();
  const params = useParams({ from: '/i/$instance/workloads/$kind/$namespace/$name/{-$tab}' });
  const navigate = useNavigate();
  const { instance, namespace, name } = params;
  const kind = kindOf(params.kind) ?? DEPLOYMENT;
  const of: ObjectRef = { instance, kind, namespace, name };
  const tabs = tabsOf(kind);
  const tab: Tab = tabs.find((one) => one === params.tab) ?? 'summary';
  // Where it runs is told by its binding, which may change without the template and the other way round.
  const live = useLive(instance, [
    { apiVersion: kind.apiVersion, kind: kind.kind, namespace },
    { apiVersion: BINDING.apiVersion, kind: BINDING.kind, namespace },
  ]);
  const object = useObject(of);
  const Content = TABS[tab];
  return (
    <Page
      title={name}
      sub={`${kind.kind} · ${namespace}`}
      actions={
        <>
          <LiveChip state={live} />
          {object.data && <WorkloadActions of={of} object={object.data} />}
        </>
      }
    >
      {object.error && !object.data ? (
        <Problem error={object.error} retry={() => void object.refetch()} />
      ) : (
        <>
          <Sentence of={of} />
          <Tabs
            mt={12}
            value={tab}
            keepMounted={false}
            onChange={(next) =>
              void navigate({
                to: '/i/$instance/workloads/$kind/$namespace/$name/{-$tab}',
                params: { ...params, tab: next === 'summary' ? undefined : (next ?? undefined) },
              })
            }
          >
            <Tabs.List mb={14}>
              {tabs.map((one) => (
                <Tabs.Tab key={one} value={one}>
                  {t(`workload.tab.${one}`)}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            <Tabs.Panel value={tab}>
              <Suspense fallback={<Waiting />}>
                <Content of={of} />
              </Suspense>
            </Tabs.Panel>
          </Tabs>
        </>
      )}
    </Page>
  );
}
