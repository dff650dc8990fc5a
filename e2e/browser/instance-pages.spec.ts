/**
 * What an instance holds and how it works, on the real product: resources, topology, engine, scaling, precedence, and what
 * is done with a workload beyond scaling it.
 *
 * One platform serves all tests of this file; each uses names of its own.
 */
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { kubectl, type Platform, type Run, startPlatform, temporaryDirectory } from '../platform.ts';

const SLOW = { timeout: 60_000 };
const { path: directory, remove } = temporaryDirectory();
let platform: Platform;
let k: Run;
let page: Page;
const errors: string[] = [];

test.describe.configure({ mode: 'serial' });

test.beforeAll(async ({ browser }) => {
  platform = await startPlatform(directory);
  k = kubectl(join(directory, 'admin.kubeconfig'));
  page = await (await browser.newContext({ locale: 'en-GB' })).newPage();
  page.on('pageerror', (error) => errors.push(error.message));
  await page.goto(platform.consoleUrl);
  await expect(page.locator('[data-instance="demo"]')).toBeVisible(SLOW);
});
test.afterAll(async () => {
  await platform.stop();
  remove();
});
test.afterEach(() => expect(errors).toEqual([]));

const open = (path: string) => page.goto(new URL(path, platform.consoleUrl).href);

test('keeps the values of a secret to itself until they are asked for', async () => {
  await k('create', 'secret', 'generic', 'till', '--from-literal=pin=4711');
  await open('/i/demo/resources?kind=Secret&q=till');
  await page.getByRole('link', { name: 'till', exact: true }).click(SLOW);
  const entry = page.locator('[data-entry="pin"]');
  await expect(entry).toBeVisible(SLOW);
  await expect(entry).not.toContainText('4711');
  await page.getByRole('button', { name: 'Show values' }).click(SLOW);
  await expect(entry).toContainText('4711', SLOW);
});

test('creates a config map with what would come of it, and deletes it again', async () => {
  await open('/i/demo/resources/new?kind=ConfigMap');
  await expect(page.getByText('go to no cluster', { exact: false })).toBeVisible(SLOW);
  await page.getByRole('button', { name: /^Create –/ }).click(SLOW);
  await expect(page.getByRole('heading', { level: 1, name: 'new-configmap' })).toBeVisible(SLOW);
  await expect(page.locator('[data-entry="settings.yaml"]')).toBeVisible(SLOW);
  await page.getByRole('button', { name: 'Delete' }).click(SLOW);
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click(SLOW);
  await expect(page).toHaveURL(/\/resources\?/, SLOW);
});

test('shows the way from the template to the pods, as a graph and as a table', async () => {
  await open('/i/demo/workloads/Deployment/default/storefront/topology');
  for (const node of ['template', 'policy', 'binding', 'work/frankfurt', 'object/frankfurt'])
    await expect(page.locator(`[data-node="${node}"]`)).toBeVisible(SLOW);
  await page.getByText('Table', { exact: true }).click();
  await expect(page.getByRole('table', { name: 'From template to pods' }).getByText('Binding')).toBeVisible(SLOW);
});

test('shows bindings and works, and tries a customisation out', async () => {
  await open('/i/demo/engine');
  await expect(page.getByRole('link', { name: 'Deployment storefront' })).toBeVisible(SLOW);
  await page.getByRole('tab', { name: 'Works' }).click();
  // Only rows in sight are there, and those of the platform's own roles come in between.
  await page.getByRole('textbox', { name: 'Name' }).fill('storefront', SLOW);
  await expect(page.getByText('Deployment default/storefront')).toHaveCount(3, SLOW);
  await page.getByRole('tab', { name: 'Components' }).click();
  await expect(page.locator('[data-component="server"]')).toContainText('Healthy', SLOW);
  await page.getByRole('tab', { name: 'Interpreter' }).click();
  await page.getByRole('button', { name: 'Run' }).click(SLOW);
  await expect(page.locator('[data-outcome="result"]')).toContainText('true', SLOW);
});

test('creates an autoscaler by form, and shows what it scales', async () => {
  await open('/i/demo/scaling/new?kind=CronFederatedHPA&for=storefront');
  await page.getByRole('textbox', { name: 'Schedule (cron)' }).fill('0 9 * * *', SLOW);
  await page.getByRole('button', { name: 'Create' }).click(SLOW);
  await expect(page.getByRole('cell', { name: '0 9 * * *' })).toBeVisible(SLOW);
  await open('/i/demo/scaling?kind=CronFederatedHPA');
  await expect(page.getByRole('link', { name: 'storefront', exact: true })).toBeVisible(SLOW);
});

test('says which policy places something, and why not another', async () => {
  await open('/i/demo/workloads/Deployment/default/storefront/placement');
  await expect(page.locator('[data-rung="storefront"]')).toContainText('in force', SLOW);
  await open('/i/demo/policies/PropagationPolicy/default/storefront');
  await expect(page.locator('[data-rung="storefront"]')).toContainText('in force', SLOW);
});

test('rolls a workload back to what it was made from before', async () => {
  const shown = page.locator('[data-revision]');
  await k('set', 'image', 'deployment/storefront', '*=example/storefront:9.9');
  await open('/i/demo/workloads/Deployment/default/storefront');
  await page.getByRole('button', { name: 'More' }).click(SLOW);
  await page.getByRole('menuitem', { name: 'Roll back' }).click(SLOW);
  await expect(shown).toHaveCount(2, SLOW);
  await shown.last().click(SLOW);
  await page.getByRole('dialog').getByRole('button', { name: 'Roll back' }).click(SLOW);
  await expect(page).toHaveURL(/\/trace$/, SLOW);
  await expect
    .poll(async () => (await k('get', 'deployment', 'storefront', '-o', 'jsonpath={..image}')).stdout, SLOW)
    .not.toContain('9.9');
});

test('takes over an application that runs in one cluster', async () => {
  await k('--context=demo/frankfurt', 'create', 'deployment', 'legacy', '--image=legacy:1');
  await open('/i/demo/workloads/promote?cluster=frankfurt');
  await page.getByRole('radio', { name: /legacy/ }).click(SLOW);
  await page.getByRole('button', { name: 'Take over' }).click(SLOW);
  await expect(page).toHaveURL(/Deployment\/default\/legacy\/trace$/, SLOW);
  await expect(page.getByText(/replicas are ready on one cluster/)).toBeVisible(SLOW);
});
