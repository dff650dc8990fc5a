/**
 * Takes the pictures of `docs/images`, on a platform of its own: `npm run pictures`.
 *
 *     node scripts/take-pictures.ts            the twelve of docs/images
 *     node scripts/take-pictures.ts --all DIR  every page, light and dark, in both languages and two widths, to be looked at
 *
 * The platform has five clusters, of which one is lost, and a shop of several parts (`docs/examples/shop.yaml`).
 */
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Browser, chromium, expect, type Page } from '@playwright/test';
import { eventually, kubectl, type Platform, type Run, startPlatform, temporaryDirectory } from '#e2e/platform.ts';
import { type Member, startMember } from '../e2e/browser/member.ts';
import { chromiumPath } from './test-tools.ts';

const ROOT = resolve(import.meta.dirname, '..');
const IMAGES = join(ROOT, 'docs/images');
/** What a picture may weigh. */
const MOST_BYTES = 180 * 1024;

type Theme = 'light' | 'dark';
type Language = 'en' | 'zh';

interface Look {
  readonly theme: Theme;
  readonly language: Language;
  readonly width: number;
}

interface Picture {
  readonly name: string;
  readonly path: string;
  readonly theme: Theme;
  readonly language?: Language;
  readonly before?: (page: Page) => Promise<void>;
}

const CHECKOUT = '/i/demo/workloads/Deployment/default/checkout';
const STOREFRONT = '/i/demo/workloads/Deployment/default/storefront';
const LOSE = `/i/demo/resilience?lose=${encodeURIComponent('["frankfurt"]')}`;

const PICTURES: readonly Picture[] = [
  { name: 'console-overview-light', path: '/i/demo', theme: 'light' },
  { name: 'console-workloads-dark', path: '/i/demo/workloads', theme: 'dark' },
  { name: 'console-placement-dark', path: `${CHECKOUT}/placement`, theme: 'dark' },
  { name: 'console-trace-light', path: `${CHECKOUT}/trace`, theme: 'light' },
  {
    name: 'console-policy-light',
    path: '/i/demo/policies/PropagationPolicy/default/checkout',
    theme: 'light',
    before: async (page) => {
      await page.getByRole('combobox', { name: 'Never on' }).click();
      await page.getByRole('option', { name: 'frankfurt' }).click();
      await page.keyboard.press('Escape');
      await page.locator('[data-effect="checkout"]').waitFor();
    },
  },
  { name: 'console-resilience-light', path: LOSE, theme: 'light' },
  {
    name: 'console-drift-light',
    path: `${STOREFRONT}/clusters`,
    theme: 'light',
    before: (page) => page.getByText('frankfurt', { exact: true }).first().click(),
  },
  { name: 'console-topology-dark', path: `${CHECKOUT}/topology`, theme: 'dark' },
  { name: 'console-history-dark', path: `${CHECKOUT}/history`, theme: 'dark' },
  { name: 'console-cluster-light', path: '/i/demo/clusters/frankfurt', theme: 'light' },
  { name: 'console-zh-light', path: '/i/demo', theme: 'light', language: 'zh' },
  { name: 'console-zh-dark', path: `${CHECKOUT}/placement`, theme: 'dark', language: 'zh' },
];

/** Every page there is. */
const PAGES: readonly string[] = [
  '/',
  '/instances',
  '/clusters',
  '/clusters/frankfurt',
  '/search?q=checkout',
  '/activity',
  ...['users', 'groups', 'workspaces', 'roles', 'bindings', 'whoCan'].map((tab) => `/access?tab=${tab}`),
  '/settings',
  '/i/demo',
  '/i/demo/workloads',
  '/i/demo/workloads/new',
  '/i/demo/workloads/promote',
  '/i/demo/workloads/yaml',
  ...['', 'placement', 'trace', 'topology', 'clusters', 'pods', 'logs', 'events', 'history'].map(
    (tab) => `${CHECKOUT}/${tab}`,
  ),
  `${STOREFRONT}/clusters`,
  '/i/demo/policies',
  '/i/demo/policies/new',
  '/i/demo/policies/new?kind=OverridePolicy',
  '/i/demo/policies/PropagationPolicy/default/checkout',
  '/i/demo/policies/OverridePolicy/default/checkout',
  '/i/demo/clusters',
  '/i/demo/clusters/frankfurt',
  '/i/demo/clusters/virginia',
  ...['Namespace', 'Service', 'ConfigMap', 'Secret'].map((kind) => `/i/demo/resources?kind=${kind}`),
  '/i/demo/resources/Service/default/checkout',
  '/i/demo/resources/new',
  '/i/demo/scaling',
  '/i/demo/scaling/new',
  ...['bindings', 'works', 'interpreter', 'components'].map((tab) => `/i/demo/engine?tab=${tab}`),
  '/i/demo/pods',
  '/i/demo/events',
  '/i/demo/terminal',
  LOSE,
  ...['general', 'upgrade', 'backups'].map((tab) => `/i/demo/settings?tab=${tab}`),
  '/no-such-page',
];

async function main(): Promise<void> {
  const all = process.argv.indexOf('--all');
  const { path: directory, remove } = temporaryDirectory();
  const platform = await startPlatform(directory, ['--members', '4']);
  const executablePath = chromiumPath();
  const browser = await chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none'],
  });
  try {
    await fill(kubectl(join(directory, 'admin.kubeconfig')), platform);
    if (all >= 0) await takeAll(browser, platform, process.argv[all + 1] ?? 'pictures');
    else await takeTwelve(browser, platform);
  } finally {
    await browser.close();
    await platform.stop();
    remove();
  }
}

/** The shop, some changes to it, a field that somebody changed in a cluster, and a cluster that is lost. */
async function fill(k: Run, platform: Platform): Promise<void> {
  const lost = await joined('saopaulo', platform);
  await k('apply', '-f', join(ROOT, 'docs/examples/shop.yaml'));
  const ready = (name: string, count: number) =>
    eventually(async () => {
      const { stdout } = await k('get', 'deployment', name, '-o', 'jsonpath={.status.readyReplicas}');
      if (Number(stdout) < count) throw new Error(`${name} has ${stdout} of ${count}`);
    }, 120_000);
  await ready('checkout', 9);
  await k('scale', 'deployment/checkout', '--replicas=12');
  await ready('checkout', 12);
  await k(
    'patch',
    'propagationpolicy',
    'storefront',
    '--type=merge',
    '-p',
    '{"spec":{"suspension":{"dispatching":true}}}',
  );
  await k('--context=demo/frankfurt', 'scale', 'deployment/storefront', '--replicas=7');
  await lost.lose();
  await k('wait', 'cluster', 'saopaulo', '--for=condition=Ready=False', '--timeout=50s');
  await k('wait', 'cluster', 'saopaulo', '--for=condition=Ready=False', '--timeout=50s');
}

/** One more cluster, of a process that nobody starts again. */
async function joined(name: string, { directory, consoleUrl }: Platform): Promise<Member> {
  const member = await startMember(directory, name);
  const token = readFileSync(join(directory, 'admin.token'), 'utf8').trim();
  const ask = async (method: string, data: object) => {
    const response = await fetch(new URL(`/${method}`, consoleUrl), {
      method: 'POST',
      body: JSON.stringify(data),
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    });
    if (!response.ok) throw new Error(`${method}: ${await response.text()}`);
  };
  const { kubeconfig } = member;
  const place = { provider: 'gcp', region: 'southamerica-east1', zone: 'southamerica-east1-a' };
  await ask('kpanda.api.cluster.v1alpha1.ClusterService/CreateCluster', {
    ...place,
    name,
    kubeconfig,
    purpose: 'manage',
  });
  await ask('kairship.api.cluster.v1alpha1.ClusterService/JoinCluster', { instance: 'demo', name });
  return member;
}

async function takeTwelve(browser: Browser, platform: Platform): Promise<void> {
  const state = await signedIn(browser, platform);
  for (const { name, path, theme, language = 'en', before } of PICTURES) {
    const page = await look(browser, state, { theme, language, width: 1360 });
    await show(page, new URL(path, platform.consoleUrl).href);
    await before?.(page);
    await settled(page);
    const file = join(IMAGES, `${name}.png`);
    await page.screenshot({ path: file });
    await page.context().close();
    const { size } = statSync(file);
    console.log(`${name} ${Math.round(size / 1024)} KB`);
    if (size > MOST_BYTES) throw new Error(`${name} weighs ${size} bytes, more than ${MOST_BYTES}`);
  }
}

/** Each theme, each language and each width at least twice. */
const LOOKS: readonly Look[] = [
  { theme: 'light', language: 'en', width: 1440 },
  { theme: 'dark', language: 'en', width: 1440 },
  { theme: 'light', language: 'zh', width: 1440 },
  { theme: 'light', language: 'en', width: 1024 },
  { theme: 'dark', language: 'zh', width: 1024 },
];

async function takeAll(browser: Browser, platform: Platform, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const state = await signedIn(browser, platform);
  for (const { theme, language, width } of LOOKS) {
    const page = await look(browser, state, { theme, language, width });
    for (const path of PAGES) {
      await show(page, new URL(path, platform.consoleUrl).href);
      const name = path.replaceAll(/[^a-zA-Z]+/g, '-').replaceAll(/^-|-$/g, '') || 'home';
      await page.screenshot({ path: join(folder, `${theme}-${language}-${width}-${name}.png`), fullPage: true });
    }
    await page.context().close();
  }
}

type State = Awaited<ReturnType<ReturnType<Page['context']>['storageState']>>;

async function signedIn(browser: Browser, platform: Platform): Promise<State> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(platform.consoleUrl);
  await page.getByRole('heading', { level: 1 }).waitFor();
  const state = await context.storageState();
  await context.close();
  return state;
}

async function look(browser: Browser, storageState: State, { theme, language, width }: Look): Promise<Page> {
  const context = await browser.newContext({
    storageState,
    locale: language === 'zh' ? 'zh-CN' : 'en-GB',
    colorScheme: theme,
    viewport: { width, height: 850 },
    reducedMotion: 'reduce',
  });
  return context.newPage();
}

async function show(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await settled(page);
}

/** Nothing is being waited for any more, and what was asked for has been drawn. */
async function settled(page: Page): Promise<void> {
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0, { timeout: 60_000 });
  await page.waitForTimeout(1_200);
}

await main();
