/** The engine, for those who want to see it work: what was decided, what was sent, what it is made of, how it reads kinds. */
import { Tabs } from '@mantine/core';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { BINDING, CLUSTER_BINDING, CUSTOMIZATION, WORK } from '../../api/kinds.ts';
import { type Followed, useLive } from '../../api/live.ts';
import { LiveChip } from '../../parts/live-chip.tsx';
import { Page } from '../../parts/page.tsx';
import { Waiting } from '../../parts/problems.tsx';
import { BindingsTab } from './bindings-tab.tsx';
import { ComponentsTab } from './components-tab.tsx';
import { WorksTab } from './works-tab.tsx';

const InterpreterTab = lazy(async () => ({ default: (await import('./interpreter-tab.tsx')).InterpreterTab }));

const TABS = {
  bindings: BindingsTab,
  works: WorksTab,
  components: ComponentsTab,
  interpreter: InterpreterTab,
} as const;
type Tab = keyof typeof TABS;

const FOLLOWED: Readonly<Record<Tab, readonly Followed[]>> = {
  bindings: [BINDING, CLUSTER_BINDING],
  works: [WORK],
  components: [],
  interpreter: [CUSTOMIZATION],
};

export function EnginePage() {
  const { t } = useTranslation();
  const { instance } = useParams({ from: '/i/$instance' });
  const search = useSearch({ from: '/i/$instance/engine' });
  const navigate = useNavigate({ from: '/i/$instance/engine' });
  const tab: Tab = search.tab in TABS ? (search.tab as Tab) : 'bindings';
  const live = useLive(instance, FOLLOWED[tab]);
  const Content = TABS[tab];
  return (
    <Page
      title={t('engine.title')}
      sub={t('engine.sub')}
      actions={FOLLOWED[tab].length > 0 && <LiveChip state={live} />}
    >
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(next) =>
          void navigate({ search: { tab: next ?? 'bindings', q: '', cluster: '', own: search.own, page: 1 } })
        }
      >
        <Tabs.List mb={14}>
          {(Object.keys(TABS) as Tab[]).map((one) => (
            <Tabs.Tab key={one} value={one}>
              {t(`engine.tab.${one}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab}>
          <Suspense fallback={<Waiting />}>
            <Content instance={instance} />
          </Suspense>
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
