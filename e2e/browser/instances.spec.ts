/**
 * What is done with an instance itself, on the real product: its settings, version and copies, its overview, its clusters.
 *
 * One platform serves all tests of this file; each uses names of its own.
 */
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { startAgent, startMember } from './member.ts';
import { kubectl, type Platform, type Run, startPlatform, temporaryDirectory } from '../platform.ts';

const SLOW = { timeout: 60_000 };
const { path: directory, remove } = temporaryDirectory();
let platform: Platform;
let k: Run;
let page: Page;
const errors: string[] = [];
const UNSCHEDULABLE = '{"spec":{"taints":[{"key":"cluster.karmada.io/unschedulable","effect":"NoSchedule"}]}}';

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

test('says which version of Karmada runs, and that there is no newer one', async () => {
  await open('/i/demo/settings?tab=upgrade');
  await expect(page.getByText('It runs the newest version', { exact: false })).toBeVisible(SLOW);
  await expect(page.getByRole('button', { name: /^Upgrade to v/ })).toBeDisabled(SLOW);
  await expect(page.getByText(/kairship instance upgrade demo --to v/)).toBeVisible(SLOW);
});

test('makes a backup, puts the instance back to it, and deletes it', async () => {
  await k('create', 'configmap', 'precious', '--from-literal=a=1');
  await open('/i/demo/settings?tab=backups');
  await page.getByRole('button', { name: 'Make a backup' }).click(SLOW);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('first', SLOW);
  await dialog.getByRole('button', { name: 'Make a backup' }).click(SLOW);
  const row = page.locator('[data-backup="first"]');
  await expect(row).toContainText('Complete', SLOW);

  await k('delete', 'configmap', 'precious');
  await row.getByRole('button', { name: 'Restore' }).click(SLOW);
  await expect(dialog.locator('[data-restored="precious"]')).toContainText('comes back', SLOW);
  const restore = dialog.getByRole('button', { name: 'Restore into demo' });
  await expect(restore).toBeDisabled(SLOW);
  await dialog.getByRole('textbox', { name: 'Type demo to confirm' }).fill('demo', SLOW);
  await restore.click(SLOW);
  await expect(dialog.getByText('The copy is in its place', { exact: false })).toBeVisible(SLOW);
  await page.keyboard.press('Escape');
  await expect
    .poll(async () => (await k('get', 'configmap', 'precious', '-o', 'name')).stdout, SLOW)
    .toContain('precious');

  await k('create', 'configmap', 'since', '--from-literal=a=1');
  await row.getByRole('button', { name: 'Restore' }).click(SLOW);
  await expect(dialog.locator('[data-restored="since"]')).toContainText('forgotten', SLOW);
  await dialog.getByRole('combobox', { name: 'Only these namespaces' }).fill('default', SLOW);
  await page.keyboard.press('Enter');
  await expect(dialog.locator('[data-restored="since"]')).toHaveCount(0, SLOW);
  await expect(dialog.getByText('kairship instance restore first demo --namespaces default')).toBeVisible(SLOW);
  await dialog.getByRole('button', { name: 'Close' }).click(SLOW);

  await row.getByRole('button', { name: 'Delete' }).click(SLOW);
  await dialog.getByRole('button', { name: 'Delete' }).click(SLOW);
  await expect(page.getByText('No backup yet')).toBeVisible(SLOW);
});

test('changes alias, labels and annotations of an instance, and hides what programs wrote', async () => {
  await open('/i/demo/settings');
  const about = page.getByRole('region', { name: 'About it' });
  await about.getByRole('textbox', { name: 'Alias' }).fill('The shop', SLOW);
  await about.getByRole('combobox', { name: 'Labels' }).fill('env=prod', SLOW);
  await page.keyboard.press('Enter');
  await about.getByRole('button', { name: 'Add an annotation' }).click(SLOW);
  await about.getByRole('textbox', { name: 'Key, Annotations' }).last().fill('example.com/owner', SLOW);
  await about.getByRole('textbox', { name: 'Value of example.com/owner' }).fill('the team, all of it', SLOW);
  await about.getByRole('button', { name: 'Save' }).click(SLOW);
  await expect(about.getByText('Saved')).toBeVisible(SLOW);
  await page.reload();
  await expect(about.getByRole('textbox', { name: 'Alias' })).toHaveValue('The shop', SLOW);
  await expect(about.getByRole('textbox', { name: 'Value of example.com/owner' })).toHaveValue(
    'the team, all of it',
    SLOW,
  );
  await expect(about.getByText('env=prod')).toBeVisible(SLOW);
  for (const key of await about.getByRole('textbox', { name: 'Key, Annotations' }).all())
    await expect(key).not.toHaveValue(/kairship\.io/, SLOW);
});

test('hands out a kubeconfig for as long as five years', async () => {
  await open('/i/demo/settings');
  const panel = page.getByRole('region', { name: 'Kubeconfig' });
  await panel.getByRole('combobox', { name: 'Valid for' }).click(SLOW);
  await page.getByRole('option', { name: '5 years' }).click(SLOW);
  await expect(panel.getByText('--ttl 1825d', { exact: false })).toBeVisible(SLOW);
  const download = page.waitForEvent('download');
  await panel.getByRole('button', { name: 'Download kubeconfig' }).click(SLOW);
  expect((await download).suggestedFilename()).toBe('demo.kubeconfig');
  await expect(panel.getByText('has been downloaded', { exact: false })).toBeVisible(SLOW);
});

test('shows what an instance is and holds, each number leading to its list', async () => {
  await open('/i/demo');
  const about = page.getByRole('region', { name: 'About it' });
  await expect(about).toContainText('where the platform runs', SLOW);
  await expect(about).toContainText(/v1\.\d+\.\d+/, SLOW);
  const inside = page.getByRole('region', { name: 'Inside' });
  await expect(inside.getByRole('link', { name: '3/3' })).toBeVisible(SLOW);
  for (const name of [/Services$/, /Ingresses$/, /Secrets$/, /Config maps$/])
    await expect(inside.getByRole('link', { name })).toBeVisible(SLOW);
  await inside.getByRole('link', { name: /Config maps$/ }).click(SLOW);
  await expect(page).toHaveURL(/resources\?kind=ConfigMap/, SLOW);
});

test('tells of people’s objects first among the latest events', async () => {
  await open('/i/demo');
  const events = page.getByRole('region', { name: 'Latest events' });
  await expect(events).toContainText('Deployment storefront', SLOW);
  await expect(events.getByRole('cell', { name: /^(Cluster)?ResourceBinding / })).toHaveCount(0, SLOW);
  await events.getByRole('link', { name: 'All events' }).click(SLOW);
  await expect(page.getByRole('heading', { level: 1, name: 'Events' })).toBeVisible(SLOW);
});

test('finds clusters by where they are, and says whether they take new work', async () => {
  await open('/i/demo/clusters?region=eu-central-1');
  const table = page.getByRole('grid', { name: 'Clusters' });
  const frankfurt = table.locator('[data-row="frankfurt"]');
  await expect(frankfurt).toContainText('Push', SLOW);
  await expect(frankfurt).toContainText('Schedulable', SLOW);
  await expect(table.locator('[data-row="singapore"]')).toHaveCount(0, SLOW);
  await k('patch', 'cluster', 'frankfurt', '--type=merge', '-p', UNSCHEDULABLE);
  await expect(frankfurt).toContainText('Unschedulable', SLOW);
  await k('patch', 'cluster', 'frankfurt', '--type=merge', '-p', '{"spec":{"taints":null}}');
  await expect(frankfurt).not.toContainText('Unschedulable', SLOW);
  await page.getByRole('combobox', { name: 'Region' }).click(SLOW);
  await page.getByRole('option', { name: 'eastus' }).click(SLOW);
  await expect(page).toHaveURL(/region=eastus/, SLOW);
  await expect(table.locator('[data-row="virginia"]')).toBeVisible(SLOW);
  await table.getByRole('link', { name: 'virginia' }).click(SLOW);
  await expect(page.getByRole('region', { name: 'What runs in virginia' })).toBeVisible(SLOW);
});

test('asks before it disables somebody, and says that a password was set', async () => {
  await open('/access?tab=users');
  await page.getByRole('button', { name: 'Create user' }).click(SLOW);
  const dialog = page.getByRole('dialog').last();
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('olga', SLOW);
  await dialog.getByRole('button', { name: 'Create user' }).click(SLOW);
  await open('/access?tab=users&open=olga');
  await page.getByRole('button', { name: 'Set password' }).click(SLOW);
  await dialog.getByLabel('New password').fill('correct horse battery', SLOW);
  await dialog.getByRole('button', { name: 'Set password' }).click(SLOW);
  await expect(page.getByText('The password of olga is set', { exact: false })).toBeVisible(SLOW);
  await expect(page.getByText('kairship user disable olga')).toHaveCount(0, SLOW);
  await page.getByRole('button', { name: 'Disable' }).click(SLOW);
  await expect(dialog.getByText('kairship user disable olga')).toBeVisible(SLOW);
  await dialog.getByRole('button', { name: 'Disable' }).click(SLOW);
  await expect(page.getByRole('button', { name: 'Enable' })).toBeVisible(SLOW);
});

test('says under which licence it runs, and that nothing is limited', async () => {
  await open('/settings');
  const licence = page.getByRole('region', { name: 'Licence' });
  await expect(licence.getByRole('row', { name: /Kairship/ })).toContainText('Apache-2.0', SLOW);
  await expect(licence).toContainText(/In use: 9 nodes/, SLOW);
  await page.getByRole('region', { name: 'Password' }).getByRole('button', { name: 'Command' }).click(SLOW);
  await expect(page.getByText('current-user/password', { exact: false })).toBeVisible(SLOW);
});

test('lets a cluster leave and join again, and asks nothing more once it has', async () => {
  const asked: string[] = [];
  await open('/i/demo/clusters/virginia');
  await page.getByRole('button', { name: 'Remove', exact: true }).click(SLOW);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Type virginia to confirm' }).fill('virginia', SLOW);
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click(SLOW);
  await expect.poll(async () => (await k('get', 'clusters', '-o', 'name')).stdout, SLOW).not.toContain('virginia');
  await open('/i/demo/clusters');
  await page.getByRole('button', { name: 'Join cluster' }).click(SLOW);
  await dialog.getByRole('combobox', { name: 'Cluster of the inventory' }).click(SLOW);
  await page.getByRole('option', { name: /virginia/ }).click(SLOW);
  await expect(dialog.getByText('would be written into virginia', { exact: false })).toBeVisible(SLOW);
  page.on('request', (request) => asked.push(request.url()));
  await dialog.getByRole('button', { name: 'Join cluster' }).click(SLOW);
  await expect(page.locator('[data-row="virginia"]')).toContainText('Healthy', SLOW);
  expect(asked.filter((url) => url.includes('CheckJoin'))).toEqual([]);
});

test('binds an instance and a namespace to a workspace, and takes them out again', async () => {
  await open('/access?tab=workspaces');
  await page.getByRole('button', { name: 'Create workspace' }).click(SLOW);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('payments', SLOW);
  await dialog.getByRole('button', { name: 'Create workspace' }).click(SLOW);
  await expect(page.getByText('payments').first()).toBeVisible(SLOW);
  for (const [view, ref] of [
    ['instances', 'instance/demo'],
    ['namespaces', 'namespace/demo/default'],
  ]) {
    await open(`/access?tab=bound&open=${view}`);
    const row = page.locator(`[data-bindable="${ref}"]`);
    await row.getByRole('button', { name: 'Bind' }).click(SLOW);
    await dialog.getByRole('combobox', { name: 'Workspace' }).click(SLOW);
    await page.getByRole('option', { name: 'payments' }).click(SLOW);
    await expect(dialog.getByText(new RegExp(`kairship workspace bind \\d+ ${ref}`))).toBeVisible(SLOW);
    await dialog.getByRole('button', { name: 'Bind' }).click(SLOW);
    await expect(row).toContainText('payments', SLOW);
    await row.getByRole('button', { name: 'Take out' }).click(SLOW);
    await dialog.getByRole('button', { name: 'Take out' }).click(SLOW);
    await expect(row).not.toContainText('payments', SLOW);
  }
});

test('ticks what a permission needs along with it', async () => {
  await open('/access?tab=roles&open=%2B');
  const role = page.getByRole('dialog');
  await role.getByRole('textbox', { name: 'Filter permissions' }).fill('workload', SLOW);
  const point = (action: string) => role.getByRole('checkbox', { name: `kairship/workload/${action}` });
  await point('delete').check(SLOW);
  for (const needed of ['get', 'list']) await expect(point(needed)).toBeChecked(SLOW);
  await expect(point('create')).not.toBeChecked(SLOW);
});

test('finds an instance by its name or alias, in the address too', async () => {
  await open('/instances?q=nothing-of-that-name');
  const filter = page.getByRole('textbox', { name: 'Filter by name' });
  await expect(filter).toHaveValue('nothing-of-that-name', SLOW);
  await expect(page.getByText('Nothing matches')).toBeVisible(SLOW);
  await filter.fill('DEM', SLOW);
  await expect(page.locator('[data-instance="demo"]')).toBeVisible(SLOW);
  await expect(page).toHaveURL(/q=DEM/, SLOW);
});

test('brings a cluster in that only its agent reaches', async () => {
  const member = await startMember(directory, 'edge');
  await open('/i/demo/clusters');
  await page.getByRole('button', { name: 'Join cluster' }).click(SLOW);
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Only it reaches out').click(SLOW);
  await dialog.getByRole('textbox', { name: 'Name of the cluster' }).fill('edge', SLOW);
  await expect(dialog.getByText('kairship cluster join edge --pull --instance demo')).toBeVisible(SLOW);
  await dialog.getByRole('button', { name: 'Make a token' }).click(SLOW);
  await expect(dialog.getByText('Waiting for the agent of edge', { exact: false })).toBeVisible(SLOW);
  const command = await dialog.getByText(/^kairship agent --kubeconfig FILE --token \S+$/).textContent();
  const stop = startAgent(directory, 'edge', /--token (\S+)/.exec(command ?? '')?.[1] ?? '');
  await expect(dialog.getByText('edge has joined by its agent, and is ready.')).toBeVisible(SLOW);
  await page.keyboard.press('Escape');
  const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'edge', exact: true }) });
  await expect(row).toContainText('Pull', SLOW);
  await stop();
  await member.lose();
});
