/** The pages around signing in: no scripts, both themes, and nothing in them that was not escaped. */
import { type AskingProgram, comparedCode } from './program-request.ts';
import type { SignInWords } from './sign-in-words.ts';

export interface WaysIn {
  readonly words: SignInWords;
  readonly hint: string;
  /** Why the last attempt was refused. */
  readonly refusal?: string;
  readonly providers: readonly { readonly name: string; readonly displayName: string }[];
  /** Where to go on afterwards: the console's first page when absent. */
  readonly next?: string;
}

/** The page with all ways in. */
export function waysInPage({ words, hint, refusal, providers, next }: WaysIn): string {
  const then = next === undefined ? '' : `?${new URLSearchParams({ next }).toString()}`;
  const links = providers.map(({ name, displayName }) => {
    const to = escape(`/signin/oidc/${encodeURIComponent(name)}${then}`);
    return `<a class="button" href="${to}">${escape(words.signInWith(displayName))}</a>`;
  });
  const elsewhere = links.length === 0 ? '' : `<p class="or">${words.or}</p>${links.join('')}`;
  const refused = refusal === undefined ? '' : `<p class="refusal" role="alert">${withCode(refusal)}</p>`;
  return page(
    words.title,
    `${refused}<p>${withCode(hint)}</p><form method="post" action="${escape(`/signin${then}`)}">
<label>${words.name} <input name="user" autocomplete="username" required autofocus></label>
<label>${words.password} <input name="password" type="password" autocomplete="current-password" required></label>
<button>${words.signIn}</button></form>${elsewhere}`,
    { language: words.language },
  );
}

/** Whether a program on one's computer may act for one. */
export function allowPage(user: string, program: AskingProgram, again: string): string {
  const kept = Object.entries(program).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${escape(String(value))}">`,
  );
  return page(
    'Allow the command line',
    `<h2>Allow the command line?</h2>
<p>On <b>${escape(program.computer)}</b> somebody wants to sign in as <b>${escape(user)}</b>. Allow it if that was you and
your terminal shows this code:</p>
<p class="compared">${comparedCode(program.challenge)}</p>
<p>It may then do everything that you may, until you sign out there or take its token back.</p>
<form method="post" action="/signin/program">${kept.join('')}
<div class="choice"><button name="decision" value="allow">Allow</button>
<button class="quiet" name="decision" value="deny">Deny</button></div></form>
<form method="post" action="${escape(`/signout?${new URLSearchParams({ next: again }).toString()}`)}">
<button class="link">Sign in as somebody else</button></form>`,
  );
}

/**
 * Goes on to another address by itself. A page, not a redirect: a strict cookie set by a redirect from elsewhere would not
 * be sent with it, and a form may lead to nowhere but here.
 */
export function goOnPage(title: string, to: string): string {
  const next = escape(to);
  const body = `<p>One moment… <a href="${next}">Go on</a></p>`;
  return page(title, body, { head: `<meta http-equiv="refresh" content="0; url=${next}">` });
}

/** What cannot be done, and why. */
export function refusalPage(why: string): string {
  return page('Refused', `<h2>This cannot be done</h2><p>${withCode(why)}</p>`);
}

export function page(title: string, body: string, { head = '', language = 'en' } = {}): string {
  return `<!doctype html><html lang="${language}"><meta charset="utf-8"><title>${title} · Kairship</title>
<meta name="viewport" content="width=device-width"><link rel="icon" href="/mark.svg"><link rel="stylesheet" href="/signin.css">${head}
<main><h1><img src="/mark.svg" alt="" width="28" height="28">Kairship</h1>${body}</main></html>`;
}

function withCode(text: string): string {
  return escape(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
