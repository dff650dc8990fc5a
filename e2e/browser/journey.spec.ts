/**
 * The whole way of an application, gone by a person at the console: from an empty platform to a cluster that is lost and
 * found again, and back to nothing. Every word is looked for in the language the person reads.
 *
 * One platform serves this file; its tests run in their order, each from where the one before has come to. Part of
 * `npm run test:console`.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { type Platform, startPlatform, temporaryDirectory } from '../platform.ts';
import { type Member, startMember } from './member.ts';
import { again, type Language, type Person, signIn, SLOW } from './person.ts';

const { path: directory, remove } = temporaryDirectory();
let platform: Platform;

test.beforeAll(async () => {
  platform = await startPlatform(directory, ['--bare']);
});
test.afterAll(async () => {
  await platform.stop();
  remove();
});

for (const language of ['en', 'zh'] as const) {
  // The language is in the names, so that nobody meets what another journey has left.
  const [instance, app, written] = [`shop-${language}`, `web-${language}`, `text-${language}`];
  const other: Language = language === 'en' ? 'zh' : 'en';
  test.describe(`in ${language}`, () => {
    test.describe.configure({ mode: 'serial' });
    const members: Member[] = [];
    const [near, far] = [`near-${language}`, `far-${language}`];
    let me: Person;
    /** The same person in another browser, which reads another language and is never reloaded. */
    let beside: Person;
    const errors: string[] = [];

    test.beforeAll(async ({ browser }) => {
      const [link, ...started] = await Promise.all([
        linkFor('admin'),
        startMember(directory, near),
        startMember(directory, far),
      ]);
      members.push(...started);
      me = await signIn(browser, link, language);
      me.page.on('pageerror', (error) => errors.push(error.message));
    });
    test.afterAll(async () => {
      for (const member of members) await member.lose();
    });
    test.afterEach(() => expect(errors).toEqual([]));

    test('creates an instance and watches it start', async () => {
      await me.open('/instances');
      await me.press('instance.create');
      await me.field('field.name', me.dialog()).fill(instance, SLOW);
      await me.press('instance.create', me.dialog());
      await me.press('instance.open', me.dialog());
      await expect(me.page).toHaveURL(new RegExp(`/i/${instance}$`), SLOW);
      await me.sees(me.say('overview.noClusters'));
    });

    test('imports two clusters, after a look at what they allow, and joins them', async () => {
      for (const { name, kubeconfig } of members) {
        await me.open('/clusters');
        await me.press('inventory.import');
        await me.dialog().getByRole('textbox', { name: 'Kubeconfig' }).fill(kubeconfig, SLOW);
        await me.press('inventory.check', me.dialog());
        await expect(me.dialog().getByText(me.say('inventory.fit'))).toBeVisible(SLOW);
        await me.press('action.next', me.dialog());
        await me.field('field.name', me.dialog()).fill(name, SLOW);
        await me.press('inventory.import', me.dialog());
        await expect(me.page).toHaveURL(new RegExp(`/clusters/${name}$`), SLOW);
      }
      for (const { name } of members) {
        await me.open(`/i/${instance}/clusters`);
        await me.press('cluster.join');
        await me.choose('cluster.candidate', name, me.dialog());
        await me.press('cluster.join', me.dialog());
        await expect(row(me, name)).toContainText(me.say('state.healthy'), SLOW);
      }
    });

    test('turns failover on', async () => {
      await me.open(`/i/${instance}/resilience`);
      // Quicker than anybody would want it, so that nobody has to wait here.
      await me.field('resilience.clusterFailureThreshold').fill('2 s', SLOW);
      await me.field('resilience.clusterSuccessThreshold').fill('2 s');
      await me.page.getByRole('switch', { name: me.say('resilience.failoverOn') }).click();
      const failover = me.page.getByRole('region', { name: me.say('resilience.failover') });
      await me.press('action.save', failover);
      await expect(me.button('action.saved', failover)).toBeVisible(SLOW);
    });

    test('deploys by wizard, with a policy and an override, and watches it arrive', async ({ browser }) => {
      await me.open(`/i/${instance}/workloads`);
      beside = await again(me, browser, other);
      await beside.open(`/i/${instance}/workloads`);
      await me.press('workload.create');
      // The list has a field of that name as well.
      await expect(me.page.getByRole('heading', { level: 1, name: me.say('workload.create') })).toBeVisible(SLOW);
      await me.field('field.name').fill(app, SLOW);
      await me.field('field.replicas').fill('4');
      await me.press('action.next');
      await me.page.getByRole('combobox', { name: me.say('create.image'), exact: true }).fill('nginx:1.27');
      await me.press('action.next');
      await me.choose('policy.division', me.say('policy.divide.dynamic'));
      await me.press('action.next');
      await me.page.getByRole('switch', { name: me.say('create.differs') }).click();
      await me.choose('override.inClusters', far);
      await me.page.keyboard.press('Escape');
      await me.field('create.image').fill('nginx:1.28');
      await me.press('action.next');
      await me.page
        .getByRole('button', { name: `${me.say('action.create')} – ${me.say('effect.starts', { count: 4 })}` })
        .click(SLOW);
      await expect(me.page).toHaveURL(/\/trace$/, SLOW);
      await me.sees(me.say('workload.sentence.running', { count: 2, wanted: 4 }));
      await expect(me.page.locator('[data-step="ready"]').first()).toBeAttached(SLOW);
      // The other browser was not touched meanwhile.
      await beside.page.getByRole('link', { name: app }).click(SLOW);
      await beside.sees(beside.say('workload.sentence.running', { count: 2, wanted: 4 }));
    });

    test('deploys from YAML in three steps', async () => {
      await me.open(`/i/${instance}/workloads/yaml`);
      await me.page.locator('.cm-content').first().click(SLOW);
      await me.page.keyboard.press('Control+a');
      await me.page.keyboard.insertText(manifestOf(written));
      await me.press('action.next');
      // The policy is there already, for what was written before.
      await expect(me.page.locator('.cm-content').first()).toContainText(`name: ${written}`, SLOW);
      await me.press('action.next');
      await me.page.getByRole('button', { name: new RegExp(`^${me.say('action.create')} – .*4`) }).click(SLOW);
      await me.sees(me.say('workload.sentence.running', { count: 2, wanted: 4 }));
    });

    test('lets a viewer look and touch nothing, and says what they lack', async ({ browser }) => {
      const their = await signIn(browser, await viewerOf(instance), language);
      const refuses = async (path: string, key: string, right: string) => {
        await their.open(path);
        const button = their.button(key).first();
        await expect(button).toBeDisabled(SLOW);
        await expect(button).toHaveAttribute('aria-description', new RegExp(right), SLOW);
      };
      await refuses(`/i/${instance}/workloads`, 'workload.create', 'kairship/aggregation/create');
      await refuses(`/i/${instance}/workloads/Deployment/default/${app}`, 'action.scale', 'kairship/workload/update');
      await refuses(`/i/${instance}/clusters`, 'cluster.join', 'kairship/cluster/join');
      await refuses(`/i/${instance}/resilience`, 'action.save', 'kairship/instance/update');
      await refuses(`/i/${instance}/settings`, 'instance.delete', 'kairship/instance/delete');
      // Whoever goes around the buttons is refused as well.
      const method = '/kairship.api.instance.v1alpha1.InstanceService/DeleteInstance';
      const refused = await their.page.request.post(new URL(method, platform.consoleUrl).href, {
        data: { name: instance },
        headers: { origin: new URL(platform.consoleUrl).origin },
      });
      expect(refused.status()).toBe(403);
      expect(await refused.text()).toContain('kairship/instance/delete');
      await their.context.close();
    });

    test('asks why, and what if, and rehearses a loss', async () => {
      await me.open(`/i/${instance}/workloads/Deployment/default/${app}`);
      await me.tab('workload.tab.placement');
      for (const { name } of members)
        await expect(me.page.getByRole('row', { name: new RegExp(`${name} ${me.say('why.placed')}`) })).toBeVisible(
          SLOW,
        );
      await me.tab('workload.tab.clusters');
      await me.page.getByRole('radiogroup').first().getByText(far, { exact: true }).click(SLOW);
      await me.page.getByText(me.say('drift.rendered'), { exact: true }).click(SLOW);
      // Only what is in sight is drawn.
      const sent = me.page.getByRole('textbox', { name: me.say('drift.rendered') });
      await sent.press('Control+End');
      await expect(sent).toContainText('nginx:1.28', SLOW);

      await me.open(`/i/${instance}/policies/PropagationPolicy/default/${app}`);
      await me.choose('policy.exclude', far);
      await me.page.keyboard.press('Escape');
      await expect(flow(me, app, far)).toHaveText(/^[1-9]\s*0$/, SLOW);

      await me.open(`/i/${instance}/resilience`);
      await me.page.getByText(far, { exact: true }).click(SLOW);
      await expect(flow(me, app, far)).toHaveText(/^[1-9]\s*0$/, SLOW);
      await expect(me.page).toHaveURL(/lose=/);
    });

    test('loses a cluster: it is said, and what ran there moves', async () => {
      await me.open(`/i/${instance}/clusters`);
      await expect(row(me, far)).toContainText(me.say('state.healthy'), SLOW);
      await members[1]?.lose();
      await expect(row(me, far)).not.toContainText(me.say('state.healthy'), SLOW);
      await me.page.getByRole('link', { name: far }).click();
      await expect(me.page.getByText(me.say('cluster.sentence.healthy'))).toHaveCount(0, SLOW);
      // Still the page that was opened before anything was lost.
      await beside.sees(beside.say('workload.sentence.running', { count: 1, wanted: 4 }));
    });

    test('finds it again', async () => {
      await members[1]?.recover();
      await me.sees(me.say('cluster.sentence.healthy'));
    });

    test('clears up: the application, the clusters, the instance', async () => {
      for (const name of [app, written]) {
        await me.open(`/i/${instance}/workloads/Deployment/default/${name}`);
        await me.press('action.more');
        await me.page.getByRole('menuitem', { name: me.say('action.delete'), exact: true }).click(SLOW);
        await me.press('action.delete', me.dialog());
        await expect(me.page).toHaveURL(/\/workloads(\?|$)/, SLOW);
        await expect(me.page.getByRole('link', { name })).toHaveCount(0, SLOW);
      }
      for (const { name } of members) {
        await me.open(`/i/${instance}/clusters/${name}`);
        await me.press('cluster.remove');
        await me.field('action.typeName', me.dialog(), { name }).fill(name, SLOW);
        await me.press('cluster.remove', me.dialog());
        await expect(me.page).toHaveURL(/\/clusters(\?|$)/, SLOW);
        await expect(row(me, name)).toHaveCount(0, SLOW);
      }
      await me.open(`/i/${instance}/settings`);
      await me.field('action.typeName', undefined, { name: instance }).fill(instance, SLOW);
      await me.press('instance.delete');
      await expect(me.page).toHaveURL(/\/instances$/, SLOW);
      await expect(me.page.locator(`[data-instance="${instance}"]`)).toHaveCount(0, SLOW);
      await beside.context.close();
    });
  });
}

const row = ({ page }: Person, name: string) => page.locator(`[data-row="${name}"]`);
const flow = ({ page }: Person, app: string, cluster: string) =>
  page.locator(`[data-effect="${app}"] [data-flow="${cluster}"]`);

const manifestOf = (name: string) => `apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name}, namespace: default }
spec:
  replicas: 2
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec: { containers: [{ name: web, image: "nginx:1.27" }] }
`;

/** A link for somebody who may look at the instance and do nothing. */
async function viewerOf(instance: string): Promise<string> {
  const name = `vera-${instance}`;
  await ask('ghippo.api.users.v1alpha1.UsersService/CreateUser', { name, password: 'only-looks-1' });
  await ask('ghippo.api.access.v1alpha1.AccessService/Grant', {
    role: 'instance-viewer',
    scope: { type: 'Instance', instance },
    subjects: [{ kind: 'User', name }],
  });
  return linkFor(name);
}

/** A link that signs somebody in, once. */
async function linkFor(user: string): Promise<string> {
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
