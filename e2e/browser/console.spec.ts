/**
 * The console on the real product: a platform with its members, kubectl beside it, and Debian's Chromium.
 *
 * One platform serves all tests of this file, which run in their order; each leaves it as it found it.
 */
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { globalPages } from './global-pages.ts';
import { kubectl, type Platform, type Run, startPlatform, temporaryDirectory } from '../platform.ts';

const EXAMPLE = resolve(import.meta.dirname, '../../docs/examples/nginx.yaml');
const SLOW = { timeout: 60_000 };
/** What the first page may load, in bytes as they travel. */
const BUDGET = 300 * 1024;

const { path: directory, remove } = temporaryDirectory();
let platform: Platform;
let k: Run;
let signedIn: BrowserContext;
let page: Page;
let firstScripts = 0;
const errors: string[] = [];

test.describe.configure({ mode: 'serial' });

test.beforeAll(async ({ browser }) => {
  platform = await startPlatform(directory);
  k = kubectl(join(directory, 'admin.kubeconfig'));
  signedIn = await browser.newContext();
  page = await signedIn.newPage();
  page.on('pageerror', (error) => errors.push(error.message));
  const scripts: Promise<number>[] = [];
  page.on('response', (response) => {
    if (!response.url().endsWith('.js')) return;
    scripts.push(
      response
        .request()
        .sizes()
        .then(({ responseBodySize }) => responseBodySize),
    );
  });
  await page.goto(platform.consoleUrl);
  await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible(SLOW);
  await expect(page.locator('[data-instance="demo"]')).toBeVisible(SLOW);
  firstScripts = (await Promise.all(scripts)).reduce((sum, size) => sum + size, 0);
});
test.afterAll(async () => {
  await platform.stop();
  remove();
});
test.afterEach(() => expect(errors).toEqual([]));

const at = (path: string) => new URL(path, platform.consoleUrl).href;
const open = (path: string) => page.goto(at(path));
/** Goes elsewhere as a click does: without loading the page anew. */
const tab = (name: string) => page.getByRole('tab', { name, exact: true }).click();

test('the first page loads no more than it may', () => {
  expect(firstScripts).toBeGreaterThan(0);
  expect(firstScripts).toBeLessThanOrEqual(BUDGET);
});

test('shows what runs where, and what kubectl does elsewhere without a reload', async () => {
  await open('/i/demo');
  await expect(page.getByText(/All \d clusters are ready/)).toBeVisible(SLOW);
  await expect(page.locator('[data-app="default/storefront"] [data-placed-on]')).not.toHaveCount(0, SLOW);
  await expect(page.getByText('Live', { exact: true })).toBeVisible(SLOW);
  await k('apply', '-f', EXAMPLE);
  await expect(page.locator('[data-app="default/nginx"] [data-placed-on]')).not.toHaveCount(0, SLOW);
});

test('says why, how far, and what it was before', async () => {
  await open('/i/demo/workloads');
  await page.getByRole('link', { name: 'nginx' }).click();
  await expect(page.getByText(/replicas are ready on/)).toBeVisible(SLOW);
  await tab('Placement');
  await expect(page.getByRole('row', { name: /frankfurt Placed/ })).toBeVisible(SLOW);
  await expect(page.getByRole('columnheader', { name: 'TaintToleration' })).toBeVisible();
  await tab('Trace');
  await expect(page.locator('[data-step="scheduled"]').first()).toBeAttached(SLOW);
  await tab('Per cluster');
  await expect(page.getByText('everything is as it was sent')).toBeVisible(SLOW);
  await tab('History');
  await expect(page.getByText(/^\d+ decisions?$/)).toBeVisible(SLOW);
});

test('tells what a change would do before it is made, and shows it arrive', async ({ browser }) => {
  await open('/i/demo/workloads/Deployment/default/nginx');
  // Somebody else looks at the same thing.
  const other = await (await browser.newContext({ storageState: await signedIn.storageState() })).newPage();
  await other.goto(at('/i/demo/workloads/Deployment/default/nginx'));
  await expect(other.getByText(/All 4 replicas are ready/)).toBeVisible(SLOW);

  await page.getByRole('button', { name: 'Scale' }).click(SLOW);
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Replicas').fill('6');
  await dialog.getByRole('button', { name: 'Apply – starts 2 replicas' }).click(SLOW);
  await expect(page).toHaveURL(/\/trace$/, SLOW);
  await expect(page.getByText('All 6 replicas are ready', { exact: false })).toBeVisible(SLOW);
  await expect(other.getByText(/All 6 replicas are ready/)).toBeVisible(SLOW);
  await other.context().close();
});

test('judges what somebody changed in a cluster', async () => {
  // Otherwise it would be put back before anybody could look.
  await k('patch', 'propagationpolicy', 'nginx', '--type=merge', '-p', '{"spec":{"suspension":{"dispatching":true}}}');
  await k('--context=demo/frankfurt', 'scale', 'deployment/nginx', '--replicas=9');
  await open('/i/demo/workloads/Deployment/default/nginx/clusters');
  await expect(page.getByRole('cell', { name: '/spec/replicas' })).toBeVisible(SLOW);
  await page.getByRole('combobox', { name: 'Verdict on /spec/replicas' }).click();
  await page.getByRole('option', { name: 'Put back as sent' }).click();
  await page.getByRole('button', { name: 'Settle one field' }).click();
  await expect(page.getByText('In frankfurt everything is as it was sent')).toBeVisible(SLOW);
  await k('patch', 'propagationpolicy', 'nginx', '--type=merge', '-p', '{"spec":{"suspension":null}}');
});

test('simulates a policy while it is written', async () => {
  await open('/i/demo/policies/PropagationPolicy/default/nginx');
  await page.getByRole('combobox', { name: 'Never on' }).click(SLOW);
  await page.getByRole('option', { name: 'frankfurt' }).click();
  await page.keyboard.press('Escape');
  await expect(page.locator('[data-effect="nginx"] [data-flow="frankfurt"]')).toHaveText(/^[1-9]\s*0$/, SLOW);
  await expect(page.getByRole('button', { name: /^Apply – moves \d replicas?$/ })).toBeEnabled(SLOW);
});

test('rehearses the loss of a cluster, by its address', async () => {
  await open(`/i/demo/resilience?lose=${encodeURIComponent('["frankfurt"]')}`);
  await expect(page.locator('[data-effect="storefront"] [data-flow="frankfurt"]')).toHaveText(/^[1-9]\s*0$/, SLOW);
});

test('creates by wizard, with a policy and an override, and deletes again', async () => {
  await open('/i/demo/workloads/new');
  await page.getByRole('textbox', { name: 'Name' }).fill('wizard-made', SLOW);
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('combobox', { name: 'Image', exact: true }).fill('nginx:1.27');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('switch', { name: 'It differs from cluster to cluster' }).click();
  await page.getByRole('combobox', { name: 'In these clusters' }).click();
  await page.getByRole('option', { name: 'frankfurt' }).click(SLOW);
  await page.keyboard.press('Escape');
  await page.getByRole('textbox', { name: 'Image' }).fill('nginx:1.28');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('button', { name: /^Create – starts \d+ replicas/ }).click(SLOW);
  await expect(page.getByText(/All \d+ replicas are ready/)).toBeVisible(SLOW);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('link', { name: 'wizard-made' })).toHaveCount(0, SLOW);
});

test('finds anything with the keyboard, in Chinese as well', async () => {
  await open('/');
  // Keys are heard once the page is there.
  await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible(SLOW);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('storefront');
  await expect(page.getByRole('option', { name: /storefront/ }).first()).toBeVisible(SLOW);
  await page
    .getByRole('option', { name: /storefront Deployment/ })
    .first()
    .click();
  await expect(page).toHaveURL(/\/i\/demo\/workloads\/Deployment\/default\/storefront/);
  await page.getByRole('button', { name: 'Language' }).click();
  await page.getByRole('menuitem', { name: '中文' }).click();
  await expect(page.getByRole('tab', { name: '调度原因' })).toBeVisible();
  await page.getByRole('button', { name: '语言' }).click();
  await page.getByRole('menuitem', { name: 'English' }).click();
  await expect(page.getByRole('tab', { name: 'Placement' })).toBeVisible();
});

test('names the right that a viewer lacks', async ({ browser }) => {
  const viewer = await browser.newContext();
  const their = await viewer.newPage();
  await their.goto(at(`/signin?code=${await viewerLink()}`));
  await their.waitForURL(at('/'));
  await their.goto(at('/i/demo/workloads/Deployment/default/storefront'));
  const scale = their.getByRole('button', { name: 'Scale' });
  await expect(scale).toBeDisabled(SLOW);
  await expect(scale).toHaveAttribute('aria-description', /kairship\/workload\/update/, SLOW);
  await viewer.close();
});

globalPages(() => page, open);

/** A look at a page costs seconds: every run takes half of the first, `npm run test:console` all, in both themes. */
const EVERYTHING = process.env['EVERYTHING'] !== undefined;

const ROUTES = [
  '/',
  '/instances',
  '/clusters',
  '/search?q=storefront',
  '/activity',
  ...['users', 'bindings', 'whoCan'].map((part) => `/access?tab=${part}`),
  '/settings',
  '/i/demo',
  '/i/demo/workloads',
  '/i/demo/workloads/new',
  '/i/demo/workloads/yaml',
  ...['', '/placement', '/trace', '/clusters', '/pods', '/logs', '/events', '/history'].map(
    (part) => `/i/demo/workloads/Deployment/default/storefront${part}`,
  ),
  '/i/demo/policies',
  '/i/demo/policies/new',
  '/i/demo/policies/PropagationPolicy/default/storefront',
  '/i/demo/clusters',
  '/i/demo/clusters/frankfurt',
  `/i/demo/resilience?lose=${encodeURIComponent('["frankfurt"]')}`,
  '/i/demo/settings',
];

const MORE_ROUTES = [
  '/clusters/frankfurt',
  ...['groups', 'workspaces', 'roles'].map((part) => `/access?tab=${part}`),
  '/i/demo/workloads/promote',
  '/i/demo/workloads/Deployment/default/storefront/topology',
  ...['Service', 'ConfigMap', 'Secret', 'Namespace'].map((kind) => `/i/demo/resources?kind=${kind}`),
  '/i/demo/resources/new',
  '/i/demo/policies/new?kind=OverridePolicy',
  '/i/demo/events',
  '/i/demo/scaling',
  '/i/demo/scaling/new',
  ...['bindings', 'works', 'interpreter', 'components'].map((part) => `/i/demo/engine?tab=${part}`),
  '/i/demo/pods',
  '/i/demo/terminal',
  ...['upgrade', 'backups'].map((part) => `/i/demo/settings?tab=${part}`),
  '/i/nobody-made-it',
  '/no-such-page',
];

/** Each with a theme of its own, so that both are seen in every run. */
const LOOKED_AT = EVERYTHING
  ? [...ROUTES, ...MORE_ROUTES].flatMap((route) => [[route, 'light'] as const, [route, 'dark'] as const])
  : ROUTES.filter((_, index) => index % 2 === 0).map(
      (route, index) => [route, index % 2 === 0 ? 'light' : 'dark'] as const,
    );

for (const [route, theme] of LOOKED_AT) {
  test(`nothing stands in anybody’s way at ${route} in the ${theme} theme`, async () => {
    await page.evaluate((name) => localStorage.setItem('kairship.theme', name), theme);
    await open(route);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible(SLOW);
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0, SLOW);
    const { violations } = await new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).analyze();
    const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    expect(grave.map(({ id, nodes }) => `${id} ${nodes[0]?.html} ${nodes[0]?.failureSummary}`)).toEqual([]);
  });
}

test('without a session there is nothing to see, and a link works once', async ({ browser }) => {
  const stranger = await (await browser.newContext()).newPage();
  const response = await stranger.goto(at('/i/demo'));
  expect(response?.status()).toBe(401);
  await expect(stranger.getByText('kairship open')).toBeVisible();
  const { violations } = await new AxeBuilder({ page: stranger }).analyze();
  expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([]);
  const denied = await stranger.request.get(at('/instances/demo/kube/api/v1/secrets'));
  expect(denied.status()).toBe(401);
  expect((await stranger.goto(platform.consoleUrl))?.status()).toBe(401);
});

/** Somebody who may look at the instance and do nothing, and a link that signs them in. */
async function viewerLink(): Promise<string> {
  const token = (await readFile(join(directory, 'admin.token'), 'utf8')).trim();
  const ask = async (method: string, data: object): Promise<{ readonly code?: string }> => {
    const response = await page.request.post(at(`/ghippo.api.${method}`), {
      data,
      headers: { authorization: `Bearer ${token}` },
    });
    expect(response.status(), await response.text()).toBe(200);
    return (await response.json()) as { readonly code?: string };
  };
  await ask('users.v1alpha1.UsersService/CreateUser', { name: 'vera', password: 'only-looks-1' });
  await ask('access.v1alpha1.AccessService/Grant', {
    role: 'instance-viewer',
    scope: { type: 'Instance', instance: 'demo' },
    subjects: [{ kind: 'User', name: 'vera' }],
  });
  return (await ask('login.v1alpha1.LoginService/CreateLoginLink', { user: 'vera' })).code ?? '';
}
