/**
 * What an instance holds beside workloads, by its pages: events, policies as forms, services, config, namespaces, the
 * record, autoscalers, and the lists of the engine.
 *
 * One platform serves this file; its tests run in their order, each with names of its own. Part of `npm run test:console`.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, test } from '@playwright/test';
import { kubectl, type Platform, type Run, startPlatform, temporaryDirectory } from '../platform.ts';
import { type Person, signIn, SLOW } from './person.ts';

const { path: directory, remove } = temporaryDirectory();
let platform: Platform;
let k: Run;
let me: Person;
const errors: string[] = [];

test.describe.configure({ mode: 'serial' });

test.beforeAll(async ({ browser }) => {
  platform = await startPlatform(directory);
  k = kubectl(join(directory, 'admin.kubeconfig'));
  me = await signIn(browser, platform.consoleUrl);
  me.page.on('pageerror', (error) => errors.push(error.message));
});
test.afterAll(async () => {
  await platform.stop();
  remove();
});
test.afterEach(() => expect(errors).toEqual([]));

const rows = () => me.page.locator('[data-row]');
/** Takes a cluster of the list that is called so, and of no other. */
const chooseCluster = async (name: string, within = me.page.locator('body')) => {
  await within.getByRole('combobox', { name: me.say('field.clusters'), exact: true }).click(SLOW);
  await me.page.getByRole('option', { name }).first().click(SLOW);
  await me.page.keyboard.press('Escape');
};
const spec = async (kind: string, name: string) => {
  const { stdout } = await k('get', kind, name, '-o', 'json');
  return JSON.parse(stdout).spec as Record<string, unknown>;
};

test('tells what happened here and in every cluster, by filters that are in the address', async () => {
  await me.open('/i/demo/events?name=storefront');
  await expect(
    rows()
      .filter({ hasText: me.say('events.controlPlane') })
      .first(),
  ).toBeVisible(SLOW);
  await me.choose('field.cluster', 'frankfurt');
  await expect(me.page).toHaveURL(/cluster=frankfurt/, SLOW);
  await expect(rows().filter({ hasText: me.say('events.controlPlane') })).toHaveCount(0, SLOW);
  await me.choose('field.kind', 'Pod');
  await expect(rows().filter({ hasText: 'frankfurt' }).first()).toContainText('Pod', SLOW);
  await me.open('/i/demo/events?kind=ResourceBinding');
  await expect(me.page.getByText(me.say('event.none'))).toBeVisible(SLOW);
  await me.page.getByRole('switch', { name: me.say('events.engine') }).click(SLOW);
  await expect(me.page).toHaveURL(/engine=true/, SLOW);
  await expect(rows().filter({ hasText: 'storefront-deployment' }).first()).toBeVisible(SLOW);
});

test('leads from an object to its events, and from an event to its object', async () => {
  await me.open('/i/demo/workloads/Deployment/default/storefront/events');
  await me.page.getByRole('link', { name: me.say('events.ofIt') }).click(SLOW);
  await expect(me.page).toHaveURL(/events\?.*name=storefront/, SLOW);
  await me.page.getByRole('link', { name: 'storefront', exact: true }).first().click(SLOW);
  await expect(me.page).toHaveURL(/workloads\/Deployment\/default\/storefront/, SLOW);
});

test('writes a policy by form, group by group, and leads to the trace of what it moves', async () => {
  await k('create', 'deployment', 'grouped', '--image=grouped:1');
  await me.open('/i/demo/policies/new?for=grouped');
  await me.page.getByText(me.say('policy.groups'), { exact: true }).click(SLOW);
  const group = (number: number) => me.page.locator(`[data-group="${number}"]`);
  await me.field('field.name', group(1)).fill('near', SLOW);
  await chooseCluster('frankfurt', group(1));
  await me.press('policy.addGroup');
  await me.field('field.name', group(2)).fill('far', SLOW);
  await chooseCluster('virginia', group(2));
  await group(2)
    .getByRole('button', { name: me.say('policy.up', { name: me.say('policy.group', { number: 2 }) }) })
    .click(SLOW);
  await expect(me.field('field.name', group(1))).toHaveValue('far', SLOW);
  await me.page.getByRole('switch', { name: me.say('policy.failApplication') }).click(SLOW);
  await me.pressBeginning('effect.apply');
  await expect(me.page).toHaveURL(/Deployment\/default\/grouped\/trace$/, SLOW);
  const { placement, failover } = await spec('propagationpolicy', 'grouped');
  expect(placement).toMatchObject({
    clusterAffinities: [
      { affinityName: 'far', clusterNames: ['virginia'] },
      { affinityName: 'near', clusterNames: ['frankfurt'] },
    ],
  });
  expect(failover).toMatchObject({ application: { purgeMode: 'Gracefully' } });
});

test('says what a policy places, and does not delete it while it does', async () => {
  await me.open('/i/demo/policies/PropagationPolicy/default/grouped');
  await expect(me.page.locator('[data-places="grouped"]')).toContainText('virginia', SLOW);
  await me.press('action.delete');
  await expect(me.dialog().getByText(/Deployment grouped/)).toBeVisible(SLOW);
  await expect(me.button('action.delete', me.dialog())).toBeDisabled(SLOW);
});

test('lets an override change a document within a field, but not without what it needs', async () => {
  await k('create', 'configmap', 'texts', '--from-literal=app.yaml=level: info');
  await me.open('/i/demo/policies/new?kind=OverridePolicy&for=texts');
  await me.press('override.addImage');
  await expect(me.page.getByText(/imageOverrider\.0\.value/)).toBeVisible(SLOW);
  await expect(me.page.getByRole('button', { name: new RegExp(`^${me.say('effect.apply')} –`) })).toBeDisabled(SLOW);
  await me.field('override.value').first().fill('2', SLOW);
  await me.press('override.addField');
  await me.field('override.fieldPath').fill('/data/app.yaml', SLOW);
  await me.field('override.subPath').fill('/level', SLOW);
  await me.pressBeginning('effect.apply');
  await expect(me.page).toHaveURL(/OverridePolicy\/default\/texts/, SLOW);
  const { overrideRules } = await spec('overridepolicy', 'texts');
  expect(overrideRules).toMatchObject([
    { overriders: { fieldOverrider: [{ fieldPath: '/data/app.yaml', yaml: [{ subPath: '/level' }] }] } },
  ]);
});

test('makes a service that goes where its workload goes', async () => {
  await me.open('/i/demo/resources/new?kind=Service');
  await me.field('field.name').first().fill('front', SLOW);
  await me.page.getByText(me.say('position.inherit'), { exact: true }).click(SLOW);
  await me.page.getByRole('combobox', { name: 'Deployment' }).click(SLOW);
  await me.page.getByRole('option', { name: 'storefront', exact: true }).click(SLOW);
  await me.press('action.create');
  await expect(me.page).toHaveURL(/Service\/default\/front\/trace$/, SLOW);
  const { selector } = await spec('service', 'front');
  expect(selector).toMatchObject({ app: 'storefront' });
  await expect
    .poll(async () => (await k('--context=demo/frankfurt', 'get', 'service', 'front')).code, { timeout: 60_000 })
    .toBe(0);
  await me.open('/i/demo/resources/Service/default/front');
  await expect(me.page.locator('[data-pod^="storefront"]').first()).toBeVisible(SLOW);
});

test('makes a config map with a policy of its own, and exports it', async () => {
  await me.open('/i/demo/resources/new?kind=ConfigMap');
  await me.field('field.name').first().fill('only-here', SLOW);
  await me.page.getByText(me.say('position.own'), { exact: true }).click(SLOW);
  await chooseCluster('singapore');
  await me.pressBeginning('action.create');
  await expect(me.page).toHaveURL(/ConfigMap\/default\/only-here\/trace$/, SLOW);
  await me.open('/i/demo/resources?kind=ConfigMap&q=only-here');
  await expect(rows().first()).toContainText('singapore', SLOW);
  await me.page.getByRole('link', { name: 'only-here' }).click(SLOW);
  const saved = me.page.waitForEvent('download', SLOW);
  await me.press('resourceUse.export');
  const text = await readFile(await (await saved).path(), 'utf8');
  expect(text).toContain('settings.yaml');
  expect(text).not.toContain('resourceVersion');
});

test('does not delete what is used, protected or not empty, and says why', async () => {
  await k('create', 'configmap', 'used', '--from-literal=a=1');
  await k('set', 'env', 'deployment/grouped', '--from=configmap/used');
  await me.open('/i/demo/resources/ConfigMap/default/used');
  await me.press('action.delete');
  await expect(me.dialog().getByText(/Deployment grouped/)).toBeVisible(SLOW);
  await expect(me.button('action.delete', me.dialog())).toBeDisabled(SLOW);

  await me.open('/i/demo/resources/new?kind=Namespace');
  await me.field('field.name').first().fill('kept', SLOW);
  await me.page.getByRole('switch', { name: me.say('create.protected') }).click(SLOW);
  await me.pressBeginning('action.create');
  await expect(me.page).toHaveURL(/Namespace\/-\/kept/, SLOW);
  await me.press('action.delete');
  await expect(me.dialog().getByText(me.say('resourceUse.protected'))).toBeVisible(SLOW);

  await me.open('/i/demo/resources/Namespace/-/default');
  await expect(me.page.getByRole('link', { name: 'Deployment', exact: true })).toBeVisible(SLOW);
  await me.press('action.delete');
  await expect(me.dialog().getByText(/Deployment storefront|Deployment grouped/)).toBeVisible(SLOW);
  await expect(me.button('action.delete', me.dialog())).toBeDisabled(SLOW);
});

test('offers the ingress classes that clusters serve', async () => {
  await me.open('/i/demo/resources/new?kind=Ingress');
  await me.page.getByRole('combobox', { name: me.say('resource.column.class') }).click(SLOW);
  await expect(me.page.getByRole('option', { name: /frankfurt/ }).first()).toBeVisible(SLOW);
});

test('finds definitions by their group', async () => {
  await me.open('/i/demo/resources?kind=CustomResourceDefinition&group=policy.karmada.io');
  await expect(rows().filter({ hasText: 'overridepolicies.policy.karmada.io' }).first()).toBeVisible(SLOW);
  await expect(rows().filter({ hasText: 'clusters.cluster.karmada.io' })).toHaveCount(0, SLOW);
});

test('filters the record by what was changed, opens one of it, and takes it along', async () => {
  await me.open('/activity?product=ghippo&type=session');
  await me.page.getByRole('button', { name: 'ghippo/session/create' }).first().click(SLOW);
  await expect(me.dialog().getByText(me.say('record.id'))).toBeVisible(SLOW);
  await me.page.keyboard.press('Escape');
  await expect(me.page.getByText(/365/)).toBeVisible(SLOW);
  const saved = me.page.waitForEvent('download', SLOW);
  await me.press('record.export');
  const lines = (await readFile(await (await saved).path(), 'utf8')).trim().split('\r\n');
  expect(lines[0]).toContain('id,time,user');
  expect(lines.slice(1).every((line) => line.includes('ghippo/session/create'))).toBe(true);
});

test('has one autoscaler for a workload, and says what it lacks', async () => {
  await me.open('/i/demo/scaling');
  await me.press('scaler.turnOn');
  await expect(me.page.getByText(me.say('scaler.adapterOff'))).toHaveCount(0, SLOW);
  await me.open('/i/demo/scaling/new?ns=default&for=storefront');
  await me.field('scaling.atMost').fill('0', SLOW);
  await expect(me.page.getByText(me.say('scaler.lacks.range'))).toBeVisible(SLOW);
  await me.field('scaling.atMost').fill('4', SLOW);
  await me.press('action.create');
  await expect(me.page).toHaveURL(/FederatedHPA\/default\/storefront/, SLOW);
  await me.open('/i/demo/scaling/new?ns=default&for=storefront');
  await expect(me.page.getByText(me.say('scaler.already'))).toBeVisible(SLOW);
  await expect(me.button('action.create')).toBeDisabled(SLOW);
});

test('leaves the platform’s own roles out of the works until they are wanted', async () => {
  await me.open('/i/demo/engine?tab=works');
  await expect(rows().filter({ hasText: 'storefront' }).first()).toBeVisible(SLOW);
  await expect(rows().filter({ hasText: 'ClusterRole' })).toHaveCount(0, SLOW);
  await me.page.getByRole('switch', { name: me.say('engine.own') }).click(SLOW);
  await expect(rows().filter({ hasText: 'ClusterRole' }).first()).toBeVisible(SLOW);
});

for (const theme of ['light', 'dark'] as const) {
  test(`stands in nobody’s way in the ${theme} theme`, async () => {
    await me.page.evaluate((name) => localStorage.setItem('kairship.theme', name), theme);
    const found: string[] = [];
    for (const path of [
      '/i/demo/events',
      '/i/demo/policies',
      '/i/demo/policies/PropagationPolicy/default/grouped',
      '/i/demo/policies/OverridePolicy/default/texts',
      '/i/demo/resources/new?kind=Service',
      '/i/demo/resources/new?kind=Ingress',
      '/i/demo/resources/Namespace/-/default',
      '/i/demo/scaling/new?for=storefront',
      '/i/demo/resilience',
      '/activity',
    ]) {
      await me.open(path);
      await expect(me.page.getByRole('heading', { level: 1 })).toBeVisible(SLOW);
      await expect(me.page.locator('[aria-busy="true"]')).toHaveCount(0, SLOW);
      const { violations } = await new AxeBuilder({ page: me.page }).options({ resultTypes: ['violations'] }).analyze();
      const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
      found.push(...grave.map(({ id, nodes }) => `${path}: ${id} ${nodes[0]?.html} ${nodes[0]?.failureSummary}`));
    }
    expect(found).toEqual([]);
  });
}
