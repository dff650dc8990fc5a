/** `kairship login` with a browser: with a password, at an identity provider, and what is refused. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { join } from 'node:path';
import { before, it } from 'node:test';
import type { Ending } from '#base/testing.ts';
import { browser } from '#ghippo/oidc/testing/browser.ts';
import { identityProvider } from '#ghippo/oidc/testing/identity-provider.ts';
import { hashOf } from '#ghippo/session/index.ts';
import { askingPath } from '#kairship/services/program-request.ts';
import { kubectlPath } from '../scripts/test-tools.ts';
import type { Account } from './cli-account.ts';
import { eventually } from './platform.ts';
import { type Page, type Visitor, visitor } from './visitor.ts';

const PASSWORD = 'correct horse battery';

/** Cases for a suite that has an account already: a platform more would be one too many. */
export function signingInWithBrowser(t: Ending, account: () => Account): void {
  let me: Account;
  /** Where the console is. */
  let site: string;
  before(async () => {
    me = account();
    site = new URL(me.platform.consoleUrl).origin;
    const created = await me.told(PASSWORD, 'user', 'create', 'bea', '--password-stdin', '--data-dir', me.data);
    assert.equal(created.code, 0, created.stderr);
  });

  /** Begins to sign in; `address` is what a browser is to open. */
  async function begun(...args: readonly string[]) {
    const child = me.begin('kairship', ['login', me.server, '--no-browser', ...args]);
    let said = '';
    child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const ended = once(child, 'close').then(([code]) => ({ code: Number(code), stderr: said }));
    const address = await eventually(async () => {
      const found = /^ +(http:\/\/\S+\/signin\/program\?\S+)$/m.exec(said)?.[1];
      assert.ok(found, said);
      return found;
    });
    return { address, ended, shown: /[0-9A-Z]{4}-[0-9A-Z]{4}/.exec(said)?.[0] ?? '' };
  }

  const withPassword = async (there: Visitor, page: Page) =>
    there.visit((await there.send(page, { user: 'bea', password: PASSWORD })).next ?? '');

  it('asks in the browser, after a password, and remembers who allowed it', async () => {
    const { address, ended, shown } = await begun('--name', 'by-password');
    const there = visitor();
    const asked = await withPassword(there, await there.visit(address));
    assert.match(asked.text, new RegExp(`<b>bea</b>[^]*${shown}`));
    const allowed = await there.send(asked, { decision: 'allow' });
    const end = await there.visit(allowed.next ?? '');
    assert.match(end.text, /Signed in\. You can close this page/);
    const { code, stderr } = await ended;
    assert.equal(code, 0, stderr);
    assert.match(stderr, /as bea; context by-password is current/);
    assert.match(await me.ok('whoami'), /^bea\n/);
    assert.match(await me.ok('token', 'list'), /kairship on /);
    assert.match(await me.ok('audit', '--user', 'bea', '--data-dir', me.data), /ghippo\/token\/create/);
  });

  it('asks after a sign-in at an identity provider', async () => {
    const back = `${site}/signin/oidc/corp/callback`;
    const provider = await identityProvider(t, back);
    await provider.tell({ sub: 'sub-1', claims: { preferred_username: 'olga' } });
    const manifest = JSON.stringify({
      apiVersion: 'v1',
      kind: 'List',
      items: [
        {
          apiVersion: 'v1',
          kind: 'Secret',
          metadata: { namespace: 'ghippo-system', name: 'corp' },
          stringData: { clientSecret: 'client secret' },
        },
        {
          apiVersion: 'ghippo.io/v1alpha1',
          kind: 'IdentityProvider',
          metadata: { name: 'corp' },
          spec: { issuer: provider.issuer, clientId: 'kairship', clientSecretName: 'corp', displayName: 'Corp' },
        },
      ],
    });
    const admin = ['--kubeconfig', join(me.data, 'admin.kubeconfig'), '--context', 'global'];
    const applied = await me.run(kubectlPath() ?? 'kubectl', [...admin, 'apply', '-f', '-'], manifest);
    assert.equal(applied.code, 0, applied.stderr);

    const { address, ended } = await begun('--name', 'by-provider');
    const there = visitor();
    const ways = await there.visit(address);
    const [, way = ''] = /href="([^"]+)">Sign in with Corp/.exec(ways.text) ?? [];
    const away = await there.visit(new URL(way.replaceAll('&amp;', '&'), site));
    const returned = await browser().signIn(away.next?.href ?? '', 'sub-1', back);
    const welcome = await there.visit(returned);
    // Somebody who has never been here is known a moment later.
    const asked = await eventually(async () => {
      const page = await there.visit(welcome.next ?? '');
      assert.match(page.text, /<b>olga<\/b>/);
      return page;
    });
    await there.visit((await there.send(asked, { decision: 'allow' })).next ?? '');
    const { code, stderr } = await ended;
    assert.equal(code, 0, stderr);
    assert.match(stderr, /as olga; context by-provider is current/);
  });

  it('ends with 4 when it is denied, and does not take what is no answer to its question', async () => {
    const { address, ended } = await begun();
    const there = visitor();
    const { searchParams } = new URL(address);
    const redirect = searchParams.get('redirect') ?? '';
    assert.match(redirect, /^http:\/\/127\.0\.0\.1:\d+\/$/);
    assert.equal((await there.visit(`${redirect}?code=forged&state=${'x'.repeat(43)}`)).code, 400);
    assert.equal((await there.visit(`${redirect}favicon.ico`)).code, 404);
    const asked = await withPassword(there, await there.visit(address));
    const denied = await there.send(asked, { decision: 'deny' });
    assert.match((await there.visit(denied.next ?? '')).text, /Denied/);
    const { code, stderr } = await ended;
    assert.equal(code, 4);
    assert.match(stderr, /Error: not signed in\n {2}Why: {2}it was denied in the browser\n {2}Next: /);
  });

  it('ends with 4 when the code is not the platform’s, and with 5 when nobody comes', async () => {
    const { address, ended } = await begun();
    const { searchParams } = new URL(address);
    const forged = `${searchParams.get('redirect')}?code=forged&state=${searchParams.get('state')}`;
    assert.match((await visitor().visit(forged)).text, /Not signed in/);
    const { code, stderr } = await ended;
    assert.equal(code, 4, stderr);
    assert.match(stderr, /did not take the code/);
    const late = await me.cli('login', me.server, '--timeout', '1s');
    assert.equal(late.code, 5, late.stderr);
    assert.match(late.stderr, /nobody allowed it in a browser in time/);
  });

  it('gives a code to who knows the verifier, once, and sends it to no other computer', async () => {
    const there = visitor();
    const program = { state: 's'.repeat(43), redirect: 'http://127.0.0.1:9/', computer: 'pc' };
    const asking = (verifier: string) => site + askingPath({ ...program, challenge: hashOf(verifier) });
    const allowed = async (asked: Page) =>
      (await there.send(asked, { decision: 'allow' })).next?.searchParams.get('code') ?? '';
    const redeem = async (code: string, verifier: string) => {
      const answer = await fetch(`${site}/apis/ghippo.io/v1alpha1/login/code`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ code, verifier }),
      });
      return [answer.status, answer.headers.has('set-cookie')];
    };
    const stolen = await allowed(await withPassword(there, await there.visit(asking('mine'))));
    assert.deepEqual(await redeem(stolen, 'not mine'), [401, false]);
    assert.deepEqual(await redeem(stolen, 'mine'), [401, false]);
    const code = await allowed(await there.visit(asking('mine')));
    assert.deepEqual(await redeem(code, 'mine'), [200, true]);
    assert.deepEqual(await redeem(code, 'mine'), [401, false]);
    const elsewhere = { ...program, challenge: hashOf('mine'), redirect: 'http://evil.example:9/' };
    const refused = await there.visit(site + askingPath(elsewhere));
    assert.equal(refused.code, 400);
    assert.match(refused.text, /same computer only/);
  });
}
