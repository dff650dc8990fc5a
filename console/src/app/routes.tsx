/** Every address of the console. Filters are part of the address, and typed. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  defaultStringifySearch,
  lazyRouteComponent,
  Link,
  Outlet,
  type SearchSchemaInput,
} from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Page } from '../parts/page.tsx';
import { Problem } from '../parts/problems.tsx';
import { PALETTE_KEY } from '../parts/shortcut.ts';
import { Shell } from './shell.tsx';

/** What an address may say. All of it may be left out, and any of it may be nonsense. */
interface Raw extends SearchSchemaInput {
  readonly [key: string]: unknown;
}
const text = (value: unknown, otherwise = ''): string => (typeof value === 'string' ? value : otherwise);
const number = (value: unknown): number => Math.max(1, Math.floor(Number(value)) || 1);

function NotFound() {
  const { t } = useTranslation();
  return (
    <Page title={t('problem.noPage')} sub={t('problem.noPageHint', { key: PALETTE_KEY })}>
      <Link to="/">{t('menu.home')}</Link>
    </Page>
  );
}

const root = createRootRoute({
  component: Shell,
  notFoundComponent: NotFound,
  errorComponent: ({ error, reset }) => <Problem error={error} retry={reset} />,
});

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => import('../pages/home-page.tsx'), 'HomePage'),
});
const instances = createRoute({
  getParentRoute: () => root,
  path: '/instances',
  validateSearch: ({ q }: Raw) => ({ q: text(q) }),
  component: lazyRouteComponent(() => import('../pages/instances-page.tsx'), 'InstancesPage'),
});
const inventory = createRoute({
  getParentRoute: () => root,
  path: '/clusters',
  component: lazyRouteComponent(() => import('../pages/inventory/inventory-page.tsx'), 'InventoryPage'),
});
const inventoryCluster = createRoute({
  getParentRoute: () => root,
  path: '/clusters/$cluster',
  component: lazyRouteComponent(() => import('../pages/inventory/inventory-cluster-page.tsx'), 'InventoryClusterPage'),
});
const search = createRoute({
  getParentRoute: () => root,
  path: '/search',
  validateSearch: ({ q, instance, page }: Raw) => ({ q: text(q), instance: text(instance), page: number(page) }),
  component: lazyRouteComponent(() => import('../pages/search-page.tsx'), 'SearchPage'),
});
const activity = createRoute({
  getParentRoute: () => root,
  path: '/activity',
  validateSearch: ({ user, verdict, action, instance: of, since, product, type, name, from, to }: Raw) => ({
    product: text(product),
    type: text(type),
    name: text(name),
    from: text(from),
    to: text(to),
    user: text(user),
    verdict: text(verdict),
    action: text(action),
    instance: text(of),
    since: text(since),
  }),
  component: lazyRouteComponent(() => import('../pages/activity-page.tsx'), 'ActivityPage'),
});
const access = createRoute({
  getParentRoute: () => root,
  path: '/access',
  validateSearch: ({ tab, open, permission, place }: Raw) => ({
    tab: text(tab, 'users'),
    open: text(open),
    permission: text(permission),
    place: text(place),
  }),
  component: lazyRouteComponent(() => import('../pages/access/access-page.tsx'), 'AccessPage'),
});
const settings = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  component: lazyRouteComponent(() => import('../pages/settings-page.tsx'), 'SettingsPage'),
});

const instance = createRoute({ getParentRoute: () => root, path: '/i/$instance', component: Outlet });
const overview = createRoute({
  getParentRoute: () => instance,
  path: '/',
  component: lazyRouteComponent(() => import('../pages/overview-page.tsx'), 'OverviewPage'),
});
const workloads = createRoute({
  getParentRoute: () => instance,
  path: '/workloads',
  validateSearch: (raw: Raw) => ({
    kind: text(raw['kind'], 'Deployment'),
    ns: text(raw['ns']),
    q: text(raw['q']),
    state: text(raw['state']),
    page: number(raw['page']),
    by: text(raw['by'], 'created'),
    descending: raw['descending'] !== false,
  }),
  component: lazyRouteComponent(() => import('../pages/workloads-page.tsx'), 'WorkloadsPage'),
});
const newWorkload = createRoute({
  getParentRoute: () => instance,
  path: '/workloads/new',
  validateSearch: ({ kind }: Raw) => ({ kind: text(kind, 'Deployment') }),
  component: lazyRouteComponent(() => import('../pages/create/create-page.tsx'), 'CreatePage'),
});
const promote = createRoute({
  getParentRoute: () => instance,
  path: '/workloads/promote',
  validateSearch: ({ cluster: from, kind, app }: Raw) => ({
    cluster: text(from),
    kind: text(kind, 'Deployment'),
    app: text(app),
  }),
  component: lazyRouteComponent(() => import('../pages/workload/promote-page.tsx'), 'PromotePage'),
});
const yamlWorkload = createRoute({
  getParentRoute: () => instance,
  path: '/workloads/yaml',
  component: lazyRouteComponent(() => import('../pages/create/yaml-page.tsx'), 'YamlPage'),
});
const workload = createRoute({
  getParentRoute: () => instance,
  path: '/workloads/$kind/$namespace/$name/{-$tab}',
  component: lazyRouteComponent(() => import('../pages/workload/workload-page.tsx'), 'WorkloadPage'),
});
const policies = createRoute({
  getParentRoute: () => instance,
  path: '/policies',
  validateSearch: ({ kind, ns, q, page }: Raw) => ({
    kind: text(kind, 'PropagationPolicy'),
    ns: text(ns),
    q: text(q),
    page: number(page),
  }),
  component: lazyRouteComponent(() => import('../pages/policies-page.tsx'), 'PoliciesPage'),
});
const newPolicy = createRoute({
  getParentRoute: () => instance,
  path: '/policies/new',
  validateSearch: (raw: Raw) => ({
    kind: text(raw['kind'], 'PropagationPolicy'),
    ns: text(raw['ns']),
    for: text(raw['for']),
  }),
  component: lazyRouteComponent(() => import('../pages/policy/policy-page.tsx'), 'NewPolicyPage'),
});
const policy = createRoute({
  getParentRoute: () => instance,
  path: '/policies/$kind/$namespace/$name',
  validateSearch: ({ of, saved }: Raw) => ({ of: text(of), saved: saved === true }),
  component: lazyRouteComponent(() => import('../pages/policy/policy-page.tsx'), 'PolicyPage'),
});
const clusters = createRoute({
  getParentRoute: () => instance,
  path: '/clusters',
  validateSearch: ({ q, provider, region, phase }: Raw) => ({
    q: text(q),
    provider: text(provider),
    region: text(region),
    phase: text(phase),
  }),
  component: lazyRouteComponent(() => import('../pages/clusters-page.tsx'), 'ClustersPage'),
});
const cluster = createRoute({
  getParentRoute: () => instance,
  path: '/clusters/$cluster',
  component: lazyRouteComponent(() => import('../pages/cluster-page.tsx'), 'ClusterPage'),
});
const resources = createRoute({
  getParentRoute: () => instance,
  path: '/resources',
  validateSearch: (raw: Raw) => ({
    kind: text(raw['kind'], 'Service'),
    ns: text(raw['ns']),
    q: text(raw['q']),
    group: text(raw['group']),
    page: number(raw['page']),
    by: text(raw['by'], 'created'),
    descending: raw['descending'] !== false,
  }),
  component: lazyRouteComponent(() => import('../pages/resources/resources-page.tsx'), 'ResourcesPage'),
});
const newResource = createRoute({
  getParentRoute: () => instance,
  path: '/resources/new',
  validateSearch: ({ kind, ns }: Raw) => ({ kind: text(kind, 'ConfigMap'), ns: text(ns) }),
  component: lazyRouteComponent(() => import('../pages/resources/new-resource-page.tsx'), 'NewResourcePage'),
});
const resource = createRoute({
  getParentRoute: () => instance,
  path: '/resources/$kind/$namespace/$name/{-$tab}',
  component: lazyRouteComponent(() => import('../pages/resources/resource-page.tsx'), 'ResourcePage'),
});
const scaling = createRoute({
  getParentRoute: () => instance,
  path: '/scaling',
  validateSearch: ({ kind, page }: Raw) => ({ kind: text(kind, 'FederatedHPA'), page: number(page) }),
  component: lazyRouteComponent(() => import('../pages/scaling/scaling-page.tsx'), 'ScalingPage'),
});
const newScaler = createRoute({
  getParentRoute: () => instance,
  path: '/scaling/new',
  validateSearch: (raw: Raw) => ({
    kind: text(raw['kind'], 'FederatedHPA'),
    ns: text(raw['ns']),
    for: text(raw['for'], 'web'),
  }),
  component: lazyRouteComponent(() => import('../pages/scaling/scaler-page.tsx'), 'NewScalerPage'),
});
const scaler = createRoute({
  getParentRoute: () => instance,
  path: '/scaling/$kind/$namespace/$name',
  component: lazyRouteComponent(() => import('../pages/scaling/scaler-page.tsx'), 'ScalerPage'),
});
const engine = createRoute({
  getParentRoute: () => instance,
  path: '/engine',
  validateSearch: ({ tab, q, cluster, own, page }: Raw) => ({
    tab: text(tab, 'bindings'),
    own: own === true,
    q: text(q),
    cluster: text(cluster),
    page: number(page),
  }),
  component: lazyRouteComponent(() => import('../pages/engine/engine-page.tsx'), 'EnginePage'),
});
const HOW = ['lose', 'cordon', 'unjoin'] as const;
const resilience = createRoute({
  getParentRoute: () => instance,
  path: '/resilience',
  validateSearch: ({ lose, how }: Raw) => ({
    lose: Array.isArray(lose) ? lose.map(String) : [],
    how: HOW.find((one) => one === how) ?? 'lose',
  }),
  component: lazyRouteComponent(() => import('../pages/resilience-page.tsx'), 'ResiliencePage'),
});
const EVENT_TYPES = ['warning', 'normal'] as const;
const events = createRoute({
  getParentRoute: () => instance,
  path: '/events',
  validateSearch: ({ type, kind, name, ns, text: words, cluster: of, engine: own, page }: Raw) => ({
    type: EVENT_TYPES.find((one) => one === type) ?? ('' as const),
    kind: text(kind),
    name: text(name),
    ns: text(ns),
    text: text(words),
    cluster: text(of),
    engine: own === true,
    page: number(page),
  }),
  component: lazyRouteComponent(() => import('../pages/events/events-page.tsx'), 'EventsPage'),
});
const pods = createRoute({
  getParentRoute: () => instance,
  path: '/pods',
  validateSearch: ({ q, cluster, ns, page }: Raw) => ({
    q: text(q),
    cluster: text(cluster),
    ns: text(ns),
    page: number(page),
  }),
  component: lazyRouteComponent(() => import('../pages/pods/pods-page.tsx'), 'PodsPage'),
});
const terminal = createRoute({
  getParentRoute: () => instance,
  path: '/terminal',
  validateSearch: ({ cluster, ns, pod, container, command }: Raw) => ({
    cluster: text(cluster),
    ns: text(ns),
    pod: text(pod),
    container: text(container),
    command: text(command, 'sh'),
  }),
  component: lazyRouteComponent(() => import('../pages/terminal/terminal-page.tsx'), 'TerminalPage'),
});
const instanceSettings = createRoute({
  getParentRoute: () => instance,
  path: '/settings',
  validateSearch: ({ tab }: Raw) => ({ tab: text(tab, 'general') }),
  component: lazyRouteComponent(() => import('../pages/instance-settings-page.tsx'), 'InstanceSettingsPage'),
});

const tree = root.addChildren([
  home,
  instances,
  inventory,
  inventoryCluster,
  search,
  activity,
  access,
  settings,
  instance.addChildren([
    overview,
    workloads,
    newWorkload,
    yamlWorkload,
    promote,
    workload,
    policies,
    newPolicy,
    policy,
    clusters,
    cluster,
    resources,
    newResource,
    resource,
    scaling,
    newScaler,
    scaler,
    engine,
    resilience,
    events,
    pods,
    terminal,
    instanceSettings,
  ]),
]);

/** What a page is not filtered by is not in its address. */
function stringifySearch(search: Record<string, unknown>): string {
  return defaultStringifySearch(Object.fromEntries(Object.entries(search).filter(([, value]) => value !== '')));
}

export const router = createRouter({
  stringifySearch,
  routeTree: tree,
  defaultPreload: 'intent',
  scrollRestoration: true,
  // Otherwise a table would stay scrolled where it was, whatever it shows next.
  scrollToTopSelectors: ['.rows'],
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
