/**
 * Ten thousand workloads in one list: pages come from the server, rows are drawn as they come into sight, and nothing is
 * asked for a row of its own.
 *
 * Part of `npm run test:console`; what it measures is printed, not judged. `WORKLOADS=2000` tries it with fewer.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { eventually, type Platform, startPlatform, temporaryDirectory } from '../platform.ts';
import { type Person, signIn, SLOW } from './person.ts';

const COUNT = Number(process.env['WORKLOADS'] ?? 10_000);
const PAGE_SIZE = 100;
const AT_ONCE = 16;
const NAMESPACES = 10;
const LIST = 'kairship.api.apps.v1alpha1.AppsService/ListInstanceDeployments';

test.describe.configure({ mode: 'serial', timeout: 600_000 });

const { path: directory, remove } = temporaryDirectory();
let platform: Platform;
let token: string;
let me: Person;

const nameOf = (index: number) => `app-${String(index).padStart(5, '0')}`;

test.beforeAll(async ({ browser }) => {
  test.setTimeout(600_000);
  platform = await startPlatform(directory, ['--bare']);
  token = (await readFile(join(directory, 'admin.token'), 'utf8')).trim();
  me = await signIn(browser, platform.consoleUrl);
  for (let index = 0; index < NAMESPACES; index += 1)
    await write('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: `team-${index}` } });
  const left = Array.from({ length: COUNT }, (_, index) => index);
  const worker = async () => {
    for (let index = left.pop(); index !== undefined; index = left.pop()) await deploy(index);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  await eventually(async () => expect((await list({ pageSize: 1 })).total).toBe(COUNT), 300_000);
});
test.afterAll(async () => {
  await platform.stop();
  remove();
});

test('one page is asked for, and none of its rows', async () => {
  const asked = requestsOf(me.page);
  await me.open('/i/demo/workloads');
  await me.sees(me.say('table.total', { count: COUNT }));
  const grid = me.page.getByRole('grid');
  await expect(grid).toHaveAttribute('aria-rowcount', String(COUNT));
  expect(asked.filter(({ url }) => url.includes(LIST)).length).toBeGreaterThan(0);

  const frames = await scrolledThrough(me.page);
  console.log(
    `scrolling ${PAGE_SIZE} rows: ${frames.count} frames, the longest ${Math.round(frames.longest)} ms;`,
    `${asked.length} requests for the page and all its rows`,
  );
  await expect(grid.locator('[aria-rowindex="100"]')).toBeVisible();
  // Far fewer than there are: only what is in sight and a little around it.
  expect(await grid.locator('.row.body').count()).toBeLessThan(60);
  expect(asked.filter(({ names }) => names)).toEqual([]);
  expect(asked.length).toBeLessThan(PAGE_SIZE / 2);
});

test('sorting, pages and filters are the server’s', async () => {
  const asked = requestsOf(me.page);
  const one = nameOf(Math.floor(COUNT * 0.4242));
  await me.page.getByRole('button', { name: me.say('field.name'), exact: true }).click();
  await expect(me.page.getByRole('link', { name: nameOf(0) })).toBeVisible(SLOW);
  await me.page.getByRole('button', { name: me.say('table.next') }).click();
  await expect(me.page.getByRole('link', { name: nameOf(100) })).toBeVisible(SLOW);
  await expect(me.page).toHaveURL(/page=2/);
  await me.field('field.name').fill(one);
  await expect(me.page.getByRole('link', { name: one })).toBeVisible(SLOW);
  await me.sees(me.say('table.total', { count: 1 }));
  await me.field('field.name').fill('');
  await me.choose('field.namespace', 'team-7');
  await me.sees(me.say('table.total', { count: COUNT / NAMESPACES }));
  // A list each time, and never an object of its own.
  expect(asked.filter(({ url, names }) => names && !/\/List\w+$/.test(url))).toEqual([]);
  console.log(`sorting, a page, a name and a namespace: ${asked.length} requests`);
});

test('finds one of them in the palette', async () => {
  const one = nameOf(Math.floor(COUNT * 0.7777));
  await me.page.keyboard.press('Control+k');
  await me.dialog().getByRole('combobox').fill(one);
  await expect(me.page.getByRole('option', { name: new RegExp(one) }).first()).toBeVisible(SLOW);
  await me.page.keyboard.press('Escape');
});

test('any page of them is as quick as the first', async () => {
  const times: number[] = [];
  for (let call = 0; call < 200; call += 1) {
    const started = performance.now();
    const page = 1 + ((call * 37) % (COUNT / PAGE_SIZE));
    const { items } = await list({ pageSize: PAGE_SIZE, page, sortBy: 'field_name' });
    times.push(performance.now() - started);
    expect(items).toBe(PAGE_SIZE);
  }
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1);
  console.log(`a page of 100 out of ${COUNT}: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms`);
});

interface Asked {
  readonly url: string;
  /** It is about one of the workloads. */
  readonly names: boolean;
}

/** Everything asked of a service from now on. */
function requestsOf(page: Page): Asked[] {
  const asked: Asked[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'POST' || request.url().includes('/Watch')) return;
    asked.push({ url: request.url(), names: request.postDataBuffer()?.includes('app-') ?? false });
  });
  return asked;
}

/** Scrolls the table from its first row to its last, a step a frame, and tells how the frames came. */
function scrolledThrough(page: Page): Promise<{ readonly count: number; readonly longest: number }> {
  return page.getByRole('grid').evaluate(
    (element) =>
      new Promise((done) => {
        const grid = element as { scrollTop: number; scrollHeight: number; clientHeight: number };
        const { requestAnimationFrame: frame } = globalThis as unknown as {
          readonly requestAnimationFrame: (each: (now: number) => void) => void;
        };
        let [count, longest, last] = [0, 0, performance.now()];
        const step = (now: number) => {
          longest = Math.max(longest, now - last);
          last = now;
          count += 1;
          if (grid.scrollTop + grid.clientHeight >= grid.scrollHeight - 1) return done({ count, longest });
          grid.scrollTop += 60;
          frame(step);
        };
        frame(step);
      }),
  );
}

interface Listed {
  readonly items?: readonly unknown[];
  readonly pagination?: { readonly total?: number };
}

async function list(request: object): Promise<{ readonly items: number; readonly total: number }> {
  const { items = [], pagination } = (await send(`/${LIST}`, { instance: 'demo', ...request })) as Listed;
  return { items: items.length, total: pagination?.total ?? 0 };
}

function deploy(index: number): Promise<unknown> {
  const [name, namespace] = [nameOf(index), `team-${index % NAMESPACES}`];
  const labels = { app: name };
  return write(`/apis/apps/v1/namespaces/${namespace}/deployments`, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, labels },
    spec: {
      replicas: 1 + (index % 5),
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: 'main', image: `shop/part-${index % 40}:1.${index % 9}` }] },
      },
    },
  });
}

const write = (path: string, body: object) => send(`/instances/demo/kube${path}`, body);

async function send(path: string, body: object): Promise<unknown> {
  const response = await fetch(new URL(path, platform.consoleUrl), {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
  return JSON.parse(text);
}
