/** The pages around instances, on the platform of whoever calls: each used once, as a person would. */
import { expect, type Page, test } from '@playwright/test';

const SLOW = { timeout: 60_000 };
/** What costs much and breaks seldom is looked at by `npm run test:console` only. */
const EVERYTHING = process.env['EVERYTHING'] !== undefined;

/** The page exists only once tests run, so that it is asked for then. */
export function globalPages(page: () => Page, open: (path: string) => Promise<unknown>): void {
  const button = (name: string | RegExp) => page().getByRole('button', { name, exact: typeof name === 'string' });
  const inDialog = () => page().getByRole('dialog');
  const choose = async (field: string, option: string) => {
    await page().getByRole('combobox', { name: field, exact: true }).click();
    await page().getByRole('option', { name: option, exact: true }).click();
  };

  test('a cluster of the inventory shows its use, is edited, and is not removed while it serves', async () => {
    await open('/clusters/virginia');
    await expect(page().getByRole('img', { name: /^CPU, cores\. virginia: / })).toBeVisible(SLOW);
    await button('Edit').click();
    await inDialog().getByLabel('Alias').fill('US east');
    await inDialog().getByRole('button', { name: 'Save' }).click();
    await expect(page().getByText('US east').first()).toBeVisible(SLOW);
    await button('Remove').click();
    await inDialog().getByLabel('Type virginia to confirm').fill('virginia');
    await expect(inDialog().getByText(/still serves demo/)).toBeVisible(SLOW);
    await expect(inDialog().getByRole('button', { name: 'Remove' })).toBeDisabled();
  });

  test('rights are given to somebody new by a role of one’s own, and the decision says why', async () => {
    await open('/access');
    await button('Create user').click();
    await inDialog().getByLabel('Name').fill('nina');
    await inDialog().getByRole('button', { name: 'Create user' }).click();
    await expect(button('nina')).toBeVisible(SLOW);
    await open('/access?tab=roles');
    await button('Create role').click();
    await inDialog().getByLabel('Name').first().fill('releaser');
    await choose('Given in', 'Instance');
    await inDialog().getByRole('checkbox', { name: 'kairship/workload/update' }).check();
    await inDialog().getByRole('button', { name: 'Create role' }).click();
    await expect(button('releaser')).toBeVisible(SLOW);
    await open('/access?tab=bindings&place=instance/demo');
    await choose('Who', 'nina');
    await choose('Role', 'releaser');
    await button('Grant').click();
    await expect(page().getByText('It is given and holds at once.')).toBeVisible(SLOW);
    await open('/access?tab=whoCan&open=nina&permission=kairship/workload/update&place=instance/demo');
    await expect(page().getByText(/nina may kairship\/workload\/update/)).toBeVisible(SLOW);
  });

  test('a terminal speaks with the instance, and a pod is heard', async () => {
    await open('/i/demo/terminal');
    await expect(page().locator('[data-terminal="open"]')).toBeVisible(SLOW);
    await expect(page().getByText(/demo>/).first()).toBeAttached(SLOW);
    await page().getByRole('textbox', { name: 'Terminal of demo' }).focus();
    await page().keyboard.type('kubectl get clusters\n');
    await expect(
      page()
        .getByText(/frankfurt/)
        .first(),
    ).toBeAttached(SLOW);
    await open('/i/demo/pods?q=storefront');
    await page()
      .getByRole('row', { name: /storefront/ })
      .first()
      .click(SLOW);
    await expect(inDialog().getByRole('log')).toContainText('storefront', SLOW);
  });

  if (!EVERYTHING) return;
  test('what happened is found again: by search, by person, and decision by decision', async () => {
    await open('/search?q=storefront');
    await page()
      .getByRole('group', { name: 'Kind' })
      .getByText(/^pod ·/)
      .click(SLOW);
    await expect(page()).toHaveURL(/kind(:|%3A)pod/, SLOW);
    await open('/activity?user=admin');
    await expect(
      page()
        .getByRole('cell', { name: /^admin/ })
        .first(),
    ).toBeVisible(SLOW);
    await open('/i/demo/resilience');
    await expect(page().getByText(/^After decision \d+ of \d+/)).toBeVisible(SLOW);
    await expect(page().getByText('Nothing is leaving')).toBeVisible(SLOW);
  });
}
