/** The page a newcomer sees first, in a real browser on the real product. */
import { join, resolve } from 'node:path';
import { expect, test } from '@playwright/test';
import { kubectl, type Platform, startPlatform, temporaryDirectory } from '../platform.ts';

const EXAMPLE = resolve(import.meta.dirname, '../../docs/examples/nginx.yaml');
const { path: directory, remove } = temporaryDirectory();
let platform: Platform;

test.beforeAll(async () => {
  platform = await startPlatform(directory, ['--members', '2']);
});
test.afterAll(async () => {
  await platform.stop();
  remove();
});

test('shows the instance, its clusters and where applications run, live', async ({ page }) => {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  await page.goto(platform.consoleUrl);
  await expect(page.locator('#live')).toHaveText('live');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('All 2 clusters are ready', { timeout: 60_000 });
  await expect(page.locator('[data-cluster]')).toHaveCount(2);
  await expect(page.locator('[data-app="default/storefront"] .pill')).toHaveText('6 of 6 ready', { timeout: 60_000 });

  // What kubectl does elsewhere appears without a reload.
  const k = kubectl(join(directory, 'admin.kubeconfig'));
  await k('apply', '-f', EXAMPLE);
  const nginx = page.locator('[data-app="default/nginx"]');
  await expect(nginx.locator('.pill')).toHaveText('4 of 4 ready', { timeout: 60_000 });
  await expect(nginx.locator('[data-placed-on]')).toHaveCount(2);

  await nginx.getByText('Why here?').click();
  await expect(nginx.getByRole('row', { name: /frankfurt placed/ })).toBeVisible();
  await k('delete', '-f', EXAMPLE);
  await expect(nginx).toHaveCount(0, { timeout: 60_000 });
  expect(errors).toEqual([]);
});

test('without a session there is nothing to see, and a link works once', async ({ browser }) => {
  const page = await (await browser.newContext()).newPage();
  const response = await page.goto(new URL('/', platform.consoleUrl).href);
  expect(response?.status()).toBe(401);
  await expect(page.getByText('kairship open')).toBeVisible();
  const denied = await page.request.get(new URL('/instances/demo/kube/api/v1/secrets', platform.consoleUrl).href);
  expect(denied.status()).toBe(401);
  expect((await page.goto(platform.consoleUrl))?.status()).toBe(401);
});
