/** Who there is, who may do what, and why. */
import { Tabs } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Page } from '../../parts/page.tsx';
import { Bindings } from './bindings.tsx';
import { Bound } from './bound.tsx';
import { Groups } from './groups.tsx';
import { Roles } from './roles.tsx';
import { Users } from './users.tsx';
import { WhoCan } from './who-can.tsx';
import { Workspaces } from './workspaces.tsx';

const TABS = {
  users: Users,
  groups: Groups,
  workspaces: Workspaces,
  bound: Bound,
  roles: Roles,
  bindings: Bindings,
  whoCan: WhoCan,
} as const;
type Tab = keyof typeof TABS;

export function AccessPage() {
  const { t } = useTranslation();
  const search = useSearch({ from: '/access' });
  const navigate = useNavigate({ from: '/access' });
  const tab: Tab = search.tab in TABS ? (search.tab as Tab) : 'users';
  const Content = TABS[tab];
  return (
    <Page title={t('menu.access')} sub={t('access.sub')}>
      <Tabs value={tab} keepMounted={false} onChange={(next) => void navigate({ search: { tab: next ?? 'users' } })}>
        <Tabs.List mb={14}>
          {(Object.keys(TABS) as Tab[]).map((one) => (
            <Tabs.Tab key={one} value={one}>
              {t(`access.tab.${one}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab}>
          <Content />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
