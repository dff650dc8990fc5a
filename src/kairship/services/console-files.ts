/** The console's static files, and the pages around signing in. */
import type { ServerResponse } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';
import { notFound } from '#base/status-error.ts';

export interface ConsoleFiles {
  /** Whether a path is a page (and so needs a session) rather than an asset of one. */
  isPage(path: string): boolean;
  serve(path: string, response: ServerResponse): Promise<void>;
  /** The page with all ways in. */
  signIn(response: ServerResponse, page: SignInPage): void;
  /** Sets the session's cookies and goes on to the console. */
  welcome(response: ServerResponse, cookies: readonly string[]): void;
}

export interface SignInPage {
  readonly code: number;
  readonly hint: string;
  readonly providers: readonly { readonly name: string; readonly displayName: string }[];
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'self'; style-src 'self' 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

export function consoleFiles(directory: string): ConsoleFiles {
  return {
    isPage: (path) => extname(path) === '',
    async serve(path, response) {
      const file = extname(path) === '' ? 'index.html' : normalize(path).replace(/^(\.\.?(\/|$))+/, '');
      const type = TYPES[extname(file)];
      const content = type === undefined ? undefined : await readFile(join(directory, file)).catch(() => undefined);
      if (!content) throw notFound('pages', path);
      response.writeHead(200, { ...PAGE_HEADERS, 'content-type': type }).end(content);
    },
    signIn: (response, { code, hint, providers }) =>
      void response.writeHead(code, PAGE_HEADERS).end(page('Sign in', `<p>${escape(hint)}</p>${waysIn(providers)}`)),
    welcome: (response, cookies) =>
      void response
        .writeHead(200, { ...PAGE_HEADERS, 'set-cookie': [...cookies] })
        .end(page('Signed in', '<p>One moment…</p>', '<meta http-equiv="refresh" content="0; url=/">')),
  };
}

function waysIn(providers: SignInPage['providers']): string {
  const links = providers.map(
    ({ name, displayName }) =>
      `<p><a href="/signin/oidc/${encodeURIComponent(name)}">Sign in with ${escape(displayName)}</a></p>`,
  );
  return `<form method="post" action="/signin">
<label>Name <input name="user" autocomplete="username" required></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>
<button>Sign in</button></form>${links.join('')}`;
}

function page(title: string, body: string, head = ''): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title} · Kairship</title>
<meta name="viewport" content="width=device-width"><link rel="icon" href="/mark.svg"><link rel="stylesheet" href="/console.css">${head}
<main class="gate"><h1>Kairship</h1>${body}</main></html>`;
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}
