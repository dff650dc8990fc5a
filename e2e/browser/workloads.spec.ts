/**
 * Workloads from their list to their last pod: what is shown of them, what can be done with them, how they are made.
 *
 * Part of `npm run test:console`. One platform serves all tests, which run in their order.
 */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, type Locator, test } from '@playwright/test';
import { kubectl, type Platform, type Run, startPlatform, temporaryDirectory } from '../platform.ts';
import { type Person, signIn, SLOW } from './person.ts';

const { path: directory, remove } = temporaryDirectory();
let platform: Platform;
let k: Run;
let me: Person;
const errors: string[] = [];

/** As much of a registry as choosing an image takes. */
const images: Readonly<Record<string, unknown>> = {
  '/v2/_catalog?n=5000': { repositories: ['web/shop/front'] },
  '/v2/web/shop/front/tags/list': { tags: ['1.0'] },
  '/v2/web/shop/front/manifests/1.0': { config: { digest: 'c', size: 1 }, layers: [{ size: 41 }] },
  '/v2/web/shop/front/blobs/c': { created: '2024-01-01T00:00:00Z' },
};
const registry = createServer(({ url = '' }, response) => {
  const digest = `sha256:${'0'.repeat(64)}`;
  response.writeHead(images[url] ? 200 : 404, { 'docker-content-digest': digest });
  response.end(JSON.stringify(images[url] ?? {}));
});

test.describe.configure({ mode: 'serial' });

test.beforeAll(async ({ browser }) => {
  await new Promise<void>((done) => registry.listen(0, '127.0.0.1', done));
  const { port } = registry.address() as AddressInfo;
  platform = await startPlatform(directory, ['--registry', `hub=http://127.0.0.1:${port}`]);
  k = kubectl(join(directory, 'admin.kubeconfig'));
  me = await signIn(browser, platform.consoleUrl);
  me.page.on('pageerror', (error) => errors.push(error.message));
});
test.afterAll(async () => {
  await platform.stop();
  registry.close();
  remove();
});
test.afterEach(() => expect(errors).toEqual([]));

const rowOf = (name: string, { page } = me): Locator => page.locator(`[data-row="default/${name}"]`);
const item = (key: string, { page, say } = me) => page.getByRole('menuitem', { name: say(key), exact: true });
const header = (key: string) => me.page.getByRole('columnheader', { name: me.say(key), exact: true });

test('a list keeps the columns that were chosen for it, by keyboard too', async () => {
  await me.open('/i/demo/workloads');
  await expect(rowOf('storefront')).toBeVisible(SLOW);
  await expect(header('field.namespace')).toBeVisible();
  await expect(header('field.labels')).toHaveCount(0);
  await me.button('columns.choose').press('Enter');
  await me.page.getByRole('checkbox', { name: me.say('field.namespace') }).press('Space');
  await me.page.getByRole('checkbox', { name: me.say('field.labels') }).press('Space');
  await expect(header('field.namespace')).toHaveCount(0);
  await me.page.reload();
  await expect(header('field.labels')).toBeVisible(SLOW);
  await expect(header('field.namespace')).toHaveCount(0);
  await me.press('columns.choose');
  await me.press('columns.asUsual');
  await expect(header('field.namespace')).toBeVisible();
  await me.page.keyboard.press('Escape');
});

test('a list is filtered by state, and the address says so', async () => {
  await me.open('/i/demo/workloads');
  await me.choose('field.status', me.say('workload.state.Stopped'));
  await expect(me.page).toHaveURL(/state=Stopped/);
  await me.sees(me.say('table.noneMatch'));
  await me.open('/i/demo/workloads?state=Running');
  await expect(rowOf('storefront')).toBeVisible(SLOW);
});

test('a row does what its page does: pauses, resumes, scales and shows the trace', async () => {
  for (const action of ['action.pause', 'action.resume']) {
    await me.open('/i/demo/workloads');
    await expect(rowOf('storefront')).toBeVisible(SLOW);
    await me.page.getByRole('grid').press('ArrowDown');
    await me.page.getByRole('grid').press('m');
    await item(action).click(SLOW);
    await expect(me.dialog().getByText(/kubectl -n default rollout/)).toBeVisible(SLOW);
    await me.press(action, me.dialog());
    await expect(me.page).toHaveURL(/storefront\/trace$/, SLOW);
  }
  await me.open('/i/demo/workloads');
  await me.page.getByRole('button', { name: me.say('columns.actionsOf', { name: 'storefront' }) }).click(SLOW);
  await item('action.scale').click(SLOW);
  await me.dialog().getByLabel(me.say('field.replicas')).fill('4', SLOW);
  await me.pressBeginning('effect.apply', me.dialog());
  await expect(me.page).toHaveURL(/storefront\/trace$/, SLOW);
  // As many in each of its clusters.
  await me.sees(me.say('workload.sentence.running', { count: 3, wanted: 12 }));
});

test('a row is deleted where it stands', async () => {
  await k('create', 'deployment', 'short-lived', '--image=short:1');
  await me.open('/i/demo/workloads');
  await me.page.getByRole('button', { name: me.say('columns.actionsOf', { name: 'short-lived' }) }).click(SLOW);
  await item('action.delete').click(SLOW);
  await me.press('action.delete', me.dialog());
  await expect(me.dialog()).toHaveCount(0, SLOW);
  await expect(rowOf('short-lived')).toHaveCount(0, SLOW);
});

test('who may only look is told which right every item takes', async ({ browser }) => {
  const their = await signIn(browser, await viewer());
  await their.open('/i/demo/workloads');
  await expect(rowOf('storefront', their)).toBeVisible(SLOW);
  await their.page.getByRole('button', { name: their.say('columns.actionsOf', { name: 'storefront' }) }).click(SLOW);
  for (const [key, right] of [
    ['action.editYaml', 'kairship/workload/update'],
    ['action.scale', 'kairship/workload/update'],
    ['action.restart', 'kairship/workload/update'],
    ['action.delete', 'kairship/workload/delete'],
  ] as const) {
    await expect(item(key, their)).toBeDisabled(SLOW);
    await expect(item(key, their)).toHaveAttribute('aria-description', new RegExp(right), SLOW);
  }
  await their.context.close();
});

test('the wizard offers images that run, and those of a registry', async () => {
  await me.open('/i/demo/workloads/new');
  await me.press('action.next');
  const image = me.page.getByRole('combobox', { name: me.say('create.image'), exact: true });
  await image.fill('storefr', SLOW);
  await me.page.getByRole('option', { name: /^example\/storefront:/ }).click(SLOW);
  await expect(image).toHaveValue(/^example\/storefront:/);
  await me.press('create.pickImage');
  await me.choose('create.registry', 'hub', me.dialog());
  await me.choose('create.project', 'web', me.dialog());
  await me.choose('create.repository', 'shop/front', me.dialog());
  await me.choose('create.tag', '1.0', me.dialog());
  await me.press('create.takeImage', me.dialog());
  await expect(image).toHaveValue(/^127\.0\.0\.1:\d+\/web\/shop\/front:1\.0$/);
});

test('the wizard says where it goes and what it takes over, and what differs there', async () => {
  await k('--context=demo/frankfurt', 'create', 'deployment', 'was-here', '--image=old:1');
  await me.open('/i/demo/workloads/new');
  await me.field('field.name').fill('storefront', SLOW);
  await me.sees(me.say('create.taken', { kind: 'Deployment', name: 'storefront', namespace: 'default' }));
  await me.field('inventory.description').fill('x'.repeat(513));
  await expect(me.button('action.next')).toBeDisabled();
  await me.field('inventory.description').fill('made by wizard');
  await me.field('field.name').fill('was-here');
  await me.press('action.next');
  await me.page.getByRole('combobox', { name: me.say('create.image'), exact: true }).fill('new:2');
  await me.press('action.next');
  const expected = (names: string) => expect(me.page.locator(`[data-expected="${names}"]`)).toBeVisible(SLOW);
  await expected('frankfurt,singapore,virginia');
  await me.choose('policy.exclude', 'virginia');
  await me.page.keyboard.press('Escape');
  await expected('frankfurt,singapore');
  await expect(me.page.locator('[data-already-there="frankfurt"]')).toHaveText(/Deployment default\/was-here/, SLOW);
  await me.sees(me.say('create.isInTheWay', { count: 1 }));
  await me.page.getByRole('switch', { name: me.say('policy.overwrite') }).click();
  await me.sees(me.say('create.takesOver', { count: 1 }));
  await me.press('action.next');
  await me.page.getByRole('switch', { name: me.say('create.differs') }).click();
  // It has to be said where, of the clusters it goes to.
  await expect(me.button('action.next')).toBeDisabled();
  await me.page.getByRole('combobox', { name: me.say('override.inClusters') }).click();
  await expect(me.page.getByRole('option', { name: 'virginia' })).toHaveCount(0);
  await me.page.getByRole('option', { name: 'singapore' }).click();
  await me.page.keyboard.press('Escape');
  await me.field('create.image').fill('new:3');
  await me.field('create.requests.cpu').fill('500m');
  await me.sees(me.say('create.overLimit', { limit: '250m' }));
  await me.field('create.limits.cpu').fill('1');
  await me.page.getByRole('textbox', { name: me.say('field.replicas') }).fill('1');
  await me.page.getByRole('tab', { name: me.say('create.usual') }).click();
  await expect(me.page.locator('[data-usual]')).toContainText('new:2');
  await me.press('action.next');
  await me.pressBeginning('action.create');
  await expect(me.page).toHaveURL(/was-here\/trace$/, SLOW);
  const imagesIn = async (cluster: string) =>
    (await k(`--context=demo/${cluster}`, 'get', 'deployment', 'was-here', '-o', 'jsonpath={.spec.replicas} {..image}'))
      .stdout;
  await expect.poll(() => imagesIn('frankfurt'), SLOW).toBe('2 new:2');
  await expect.poll(() => imagesIn('singapore'), SLOW).toBe('1 new:3');
});

test('a manifest is edited without what machines keep in it, and nobody is overwritten', async () => {
  const versionOf = async () =>
    (await k('get', 'deployment', 'storefront', '-o', 'jsonpath={.spec.minReadySeconds} {.metadata.labels}')).stdout;
  await me.open('/i/demo/workloads/Deployment/default/storefront');
  await me.press('action.editYaml');
  const text = me.dialog().getByRole('textbox', { name: me.say('action.editYaml') });
  await expect(text).toContainText('name: storefront', SLOW);
  for (const hidden of ['uid:', 'resourceVersion:', 'permanent-id']) await expect(text).not.toContainText(hidden);
  await me
    .dialog()
    .getByRole('switch', { name: me.say('edit.everything') })
    .click();
  await expect(text).toContainText('resourceVersion:');
  await me
    .dialog()
    .getByRole('switch', { name: me.say('edit.everything') })
    .click();

  // To a file, changed there, and back.
  const downloading = me.page.waitForEvent('download');
  await me.press('edit.download', me.dialog());
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('storefront.yaml');
  const written = (await readFile(await download.path(), 'utf8')).replace(
    '\nspec:\n',
    '\nspec:\n  minReadySeconds: 1\n',
  );
  const choosing = me.page.waitForEvent('filechooser');
  await me.press('edit.import', me.dialog());
  const file = { name: 'storefront.yaml', mimeType: 'text/yaml', buffer: Buffer.from(written) };
  await (await choosing).setFiles(file);
  await expect(text).toContainText('minReadySeconds: 1', SLOW);
  await me.press('edit.wholeScreen', me.dialog());
  await me.press('edit.wholeScreenEnd', me.dialog());

  // Meanwhile somebody else changes it.
  await k('patch', 'deployment', 'storefront', '--type=merge', '-p', '{"spec":{"minReadySeconds":2}}');
  await me.sees(me.say('edit.stale'));
  await expect(me.dialog().getByRole('button', { name: /^Apply/ })).toBeDisabled();
  await me.press('edit.startAgain', me.dialog());
  await expect(text).toContainText('minReadySeconds: 2', SLOW);
  const again = me.page.waitForEvent('filechooser');
  await me.press('edit.import', me.dialog());
  await (await again).setFiles(file);
  // A status that changes is no reason to refuse what was written.
  await k('annotate', 'deployment', 'storefront', 'deployment.kubernetes.io/revision=7', '--overwrite');
  await me.pressBeginning('effect.apply', me.dialog());
  await expect(me.page).toHaveURL(/storefront\/trace$/, SLOW);
  await expect.poll(versionOf, SLOW).toMatch(/^1 .*propagationpolicy\.karmada\.io\/permanent-id/);
});

test('pods and services stand in groups, one for each cluster, which tells how it is', async () => {
  await k('--context=demo/frankfurt', 'create', 'service', 'clusterip', 'storefront', '--tcp=80:8080');
  await me.open('/i/demo/workloads/Deployment/default/storefront/pods');
  const group = (cluster: string) => me.page.locator(`[data-group="${cluster}"]`);
  await expect(group('frankfurt').getByText(/^\d+ pods$/)).toBeVisible(SLOW);
  await expect(group('frankfurt')).toContainText(me.say('state.healthy'));
  await expect(group('frankfurt')).toContainText(me.say('cluster.scheduling.schedulable'));
  await expect(group('frankfurt').locator('[data-fresh]')).toBeVisible();
  const lefts = async (cluster: string) =>
    Promise.all(
      (await group(cluster).getByRole('columnheader').all()).map(async (one) => (await one.boundingBox())?.x),
    );
  expect(await lefts('frankfurt')).toEqual(await lefts('virginia'));
  await me.page.getByRole('button', { name: me.say('workload.fold', { cluster: 'frankfurt' }) }).click();
  await expect(group('frankfurt').getByRole('table')).toHaveCount(0);
  await expect(group('virginia').getByRole('table')).toBeVisible();
  await me.tab('workload.tab.services');
  await expect(group('frankfurt').getByText('80/TCP → 8080')).toBeVisible(SLOW);
  await expect(group('singapore').getByText(me.say('workload.noServices'))).toBeVisible(SLOW);
});

test('a cron job is told in words, and lists the jobs it has begun in each cluster', async () => {
  await me.open('/i/demo/workloads/new?kind=CronJob');
  await me.field('field.name').fill('ticker', SLOW);
  await me.field('create.schedule').fill('*/5 * * * *');
  await expect(me.page.locator('[data-schedule]')).toHaveText(me.say('schedule.everyMinutes', { every: 5 }));
  await me.field('create.schedule').fill('* * * * *');
  await me.press('action.next');
  await me.page.getByRole('combobox', { name: me.say('create.image'), exact: true }).fill('tick:1');
  await me.press('action.next');
  await me.press('action.next');
  await me.press('action.next');
  await me.pressBeginning('action.create');
  await expect(me.page).toHaveURL(/CronJob\/default\/ticker\/trace$/, SLOW);
  await me.tab('workload.tab.summary');
  await expect(me.page.locator('[data-schedule]')).toHaveText(me.say('schedule.everyMinute'), SLOW);
  await me.tab('workload.tab.jobs');
  // The next full minute may be a minute away.
  await expect(
    me.page
      .locator('[data-group="frankfurt"]')
      .getByText(/ticker-\d+/)
      .first(),
  ).toBeVisible({
    timeout: 150_000,
  });
});

/** A link for somebody who may look at the instance and do nothing. */
async function viewer(): Promise<string> {
  const user = 'vera';
  await ask('ghippo.api.users.v1alpha1.UsersService/CreateUser', { name: user, password: 'only-looks-1' });
  await ask('ghippo.api.access.v1alpha1.AccessService/Grant', {
    role: 'instance-viewer',
    scope: { type: 'Instance', instance: 'demo' },
    subjects: [{ kind: 'User', name: user }],
  });
  const { code } = (await ask('ghippo.api.login.v1alpha1.LoginService/CreateLoginLink', { user })) as { code: string };
  return new URL(`/signin?code=${code}`, platform.consoleUrl).href;
}

async function ask(method: string, data: object): Promise<unknown> {
  const token = (await readFile(join(directory, 'admin.token'), 'utf8')).trim();
  const response = await fetch(new URL(`/${method}`, platform.consoleUrl), {
    method: 'POST',
    body: JSON.stringify(data),
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  });
  expect(response.status, await response.clone().text()).toBe(200);
  return response.json();
}
