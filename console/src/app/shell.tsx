/** What surrounds every page: the instance, the menu, the palette, who one is. */
import { useQuery } from '@connectrpc/connect-query';
import { ActionIcon, AppShell, Burger, Button, Kbd, Menu, Modal, Text, UnstyledButton } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { Link, Outlet, useLocation, useNavigate, useParams } from '@tanstack/react-router';
import {
  Activity,
  BellRing,
  Box,
  Boxes,
  ChevronsUpDown,
  CircleUser,
  Cog,
  Cpu,
  Gauge,
  House,
  Layers,
  LogOut,
  Route as RouteIcon,
  Scaling,
  Search,
  Server,
  ShieldCheck,
  SquareTerminal,
  Users,
} from 'lucide-react';
import { lazy, type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { AccountService } from '#gen/proto/ghippo/api/account/v1alpha1/account_service_pb.ts';
import { InstanceService } from '#gen/proto/kairship/api/instance/v1alpha1/instance_service_pb.ts';
import { signOut, useSignedOut } from '../api/session.ts';
import { instanceState } from '../parts/instance-state.ts';
import { PALETTE_KEY } from '../parts/shortcut.ts';
import { Banner } from '../parts/status.tsx';
import { LanguageSwitch, ThemeSwitch } from './theme-switch.tsx';

/** Fetched when it is first opened: the first page has no room for it. */
const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }));

export function Shell() {
  const { t } = useTranslation();
  const [menu, { toggle, close }] = useDisclosure();
  const [palette, { open: openPalette, close: closePalette }] = useDisclosure();
  const { instance } = useParams({ strict: false });
  // A slash is also a character to be typed; the other opens it from within a field as well.
  useHotkeys([['/', openPalette]]);
  useHotkeys([['mod+K', openPalette]], [], true);
  return (
    <AppShell
      header={{ height: 46 }}
      navbar={{ width: 212, breakpoint: 'sm', collapsed: { mobile: !menu } }}
      layout="alt"
      padding={0}
    >
      <AppShell.Header className="top">
        <Burger opened={menu} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={t('shell.menu')} />
        <Button
          variant="default"
          onClick={openPalette}
          leftSection={<Search size={14} aria-hidden />}
          rightSection={<Kbd size="xs">{PALETTE_KEY}</Kbd>}
          c="dimmed"
          fw={400}
          w={280}
          justify="space-between"
          styles={{ label: { flex: 1 } }}
        >
          {t('shell.find')}
        </Button>
        <span style={{ flex: 1 }} />
        <LanguageSwitch />
        <ThemeSwitch />
        <Account />
      </AppShell.Header>
      <AppShell.Navbar className="side" component="nav" aria-label={t('shell.menu')} onClick={close}>
        {instance === undefined ? <GlobalMenu /> : <InstanceMenu instance={instance} />}
      </AppShell.Navbar>
      <AppShell.Main>
        {instance !== undefined && <Silence instance={instance} />}
        <Outlet />
      </AppShell.Main>
      {palette && (
        <Suspense>
          <Palette opened onClose={closePalette} />
        </Suspense>
      )}
      <SessionOver />
    </AppShell>
  );
}

function Brand() {
  return (
    <Link to="/" className="nav brand">
      <img src="/mark.svg" alt="" width={20} height={20} />
      Kairship
    </Link>
  );
}

function Item({
  icon,
  label,
  to,
  instance,
  exact = false,
}: {
  readonly icon: ReactNode;
  readonly label: string;
  readonly to: string;
  readonly instance?: string;
  readonly exact?: boolean;
}) {
  return (
    <Link
      to={to}
      {...(instance === undefined ? {} : { params: { instance } })}
      className="nav"
      activeOptions={{ exact, includeSearch: false }}
    >
      {icon}
      {label}
    </Link>
  );
}

function GlobalMenu() {
  const { t } = useTranslation();
  return (
    <>
      <Brand />
      <Item icon={<House size={15} />} label={t('menu.home')} to="/" exact />
      <Item icon={<Boxes size={15} />} label={t('menu.instances')} to="/instances" />
      <Item icon={<Server size={15} />} label={t('menu.inventory')} to="/clusters" />
      <Item icon={<Search size={15} />} label={t('menu.search')} to="/search" />
      <Item icon={<Activity size={15} />} label={t('menu.activity')} to="/activity" />
      <Item icon={<Users size={15} />} label={t('menu.access')} to="/access" />
      <Item icon={<Cog size={15} />} label={t('menu.settings')} to="/settings" />
    </>
  );
}

function InstanceMenu({ instance }: { readonly instance: string }) {
  const { t } = useTranslation();
  const at = (path: string) => `/i/$instance${path}`;
  return (
    <>
      <Brand />
      <InstanceSwitcher instance={instance} />
      <Item icon={<Gauge size={15} />} label={t('menu.overview')} to={at('')} instance={instance} exact />
      <Item icon={<Boxes size={15} />} label={t('menu.workloads')} to={at('/workloads')} instance={instance} />
      <Item icon={<RouteIcon size={15} />} label={t('menu.policies')} to={at('/policies')} instance={instance} />
      <Item icon={<Server size={15} />} label={t('menu.clusters')} to={at('/clusters')} instance={instance} />
      <Item icon={<Layers size={15} />} label={t('menu.resources')} to={at('/resources')} instance={instance} />
      <Item icon={<Box size={15} />} label={t('menu.pods')} to={at('/pods')} instance={instance} />
      <Item icon={<BellRing size={15} />} label={t('menu.events')} to={at('/events')} instance={instance} />
      <Item icon={<Scaling size={15} />} label={t('menu.scaling')} to={at('/scaling')} instance={instance} />
      <Item icon={<ShieldCheck size={15} />} label={t('menu.resilience')} to={at('/resilience')} instance={instance} />
      <Item icon={<Cpu size={15} />} label={t('menu.engine')} to={at('/engine')} instance={instance} />
      <Item icon={<SquareTerminal size={15} />} label={t('menu.terminal')} to={at('/terminal')} instance={instance} />
      <Item icon={<Cog size={15} />} label={t('menu.settings')} to={at('/settings')} instance={instance} />
    </>
  );
}

/** Over every page but the overview, which says it itself: lists look alive, whoever answers them. */
function Silence({ instance }: { readonly instance: string }) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const { data } = useQuery(InstanceService.method.listInstances, { pageSize: 100 });
  const known = data?.items.find(({ metadata }) => metadata?.name === instance);
  const state = known && instanceState(known);
  if ((state !== 'blocked' && state !== 'unknown') || pathname === `/i/${instance}`) return null;
  return (
    <div style={{ padding: '14px 22px 0' }}>
      <Banner state={state}>
        <b>{t('shell.silent', { instance })}</b> {t('shell.silentText')}
      </Banner>
    </div>
  );
}

/** The head of the menu: which instance this is, and a way to another. */
function InstanceSwitcher({ instance }: { readonly instance: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { data } = useQuery(InstanceService.method.listInstances, { pageSize: 100 });
  return (
    <Menu position="bottom-start" width={196} shadow="md">
      <Menu.Target>
        <UnstyledButton
          className="nav"
          aria-label={t('shell.switch', { instance })}
          style={{ border: '1px solid var(--k-line)', background: 'var(--k-panel)', marginBottom: 8 }}
        >
          <span className="clip" style={{ flex: 1, fontWeight: 600 }}>
            {instance}
          </span>
          <ChevronsUpDown size={14} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {data?.items.map(({ metadata }) => (
          <Menu.Item
            key={metadata?.name}
            onClick={() => void navigate({ to: '/i/$instance', params: { instance: metadata?.name ?? '' } })}
          >
            {metadata?.name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => void navigate({ to: '/instances' })}>{t('shell.allInstances')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function Account() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { data } = useQuery(AccountService.method.getUser, {});
  return (
    <Menu position="bottom-end" shadow="md" width={200}>
      <Menu.Target>
        <ActionIcon aria-label={t('shell.account', { user: data?.name ?? '' })}>
          <CircleUser size={17} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('shell.signedInAs', { user: data?.name ?? '…' })}</Menu.Label>
        <Menu.Item leftSection={<Cog size={14} />} onClick={() => void navigate({ to: '/settings' })}>
          {t('menu.settings')}
        </Menu.Item>
        <Menu.Item leftSection={<LogOut size={14} />} onClick={() => void signOut()}>
          {t('shell.signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Said over the page, not instead of it: what was read stays readable. */
function SessionOver() {
  const { t } = useTranslation();
  const over = useSignedOut();
  return (
    <Modal opened={over} onClose={() => undefined} withCloseButton={false} title={t('problem.signedOut')}>
      <Text size="sm" mb="md">
        {t('shell.sessionOver')}
      </Text>
      <Button component="a" href="/signin">
        {t('shell.signIn')}
      </Button>
    </Modal>
  );
}
