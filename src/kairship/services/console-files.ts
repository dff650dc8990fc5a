/**
 * The console's files as they were built, and the pages around signing in.
 *
 * Files below `/assets/` carry a hash in their names and may be kept for ever; every path that does not end as a file
 * does is the console's one page, which finds its way by the address.
 */
import type { ServerResponse } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { notFound } from '#base/status-error.ts';

const compress = promisify(gzip);

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
  '.woff2': 'font/woff2',
};

/** Worth compressing; fonts are already. */
const TEXT = new Set(['.html', '.js', '.css', '.svg']);

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/** `directory` is the console's folder; what was built of it is in `dist`. */
export function consoleFiles(directory: string): ConsoleFiles {
  const built = join(directory, 'dist');
  const compressed = new Map<string, Promise<Buffer>>();

  /** Hashed files never change, so that each is compressed once. */
  function small(file: string, content: Buffer): Promise<Buffer> {
    if (!isForEver(file)) return compress(content);
    const known = compressed.get(file) ?? compress(content);
    compressed.set(file, known);
    return known;
  }

  return {
    isPage,
    async serve(path, response) {
      const file = isPage(path) ? 'index.html' : normalize(path).replace(/^(\.\.?(\/|$))+/, '');
      const type = TYPES[extname(file)];
      const content = await readFile(join(built, file)).catch(() => undefined);
      if (!content && file === 'index.html') return notBuilt(response);
      if (!content) throw notFound('pages', path);
      const headers = {
        ...PAGE_HEADERS,
        ...(isForEver(file) ? FOR_EVER : {}),
        'content-type': type,
        vary: 'accept-encoding',
      };
      const asks =
        TEXT.has(extname(file)) && /\bgzip\b/.test(response.req.headers['accept-encoding']?.toString() ?? '');
      if (asks) response.writeHead(200, { ...headers, 'content-encoding': 'gzip' }).end(await small(file, content));
      else response.writeHead(200, headers).end(content);
    },
    signIn: (response, { code, hint, providers }) =>
      void response.writeHead(code, PAGE_HEADERS).end(page('Sign in', `<p>${escape(hint)}</p>${waysIn(providers)}`)),
    welcome: (response, cookies) =>
      void response
        .writeHead(200, { ...PAGE_HEADERS, 'set-cookie': [...cookies] })
        .end(page('Signed in', '<p>One moment…</p>', '<meta http-equiv="refresh" content="0; url=/">')),
  };
}

/** Objects have dots in their names, too: only what ends as a file does is one. */
const isPage = (path: string) => TYPES[extname(path)] === undefined;

const FOR_EVER = { 'cache-control': 'public, max-age=31536000, immutable' };

const isForEver = (file: string) => file.startsWith('/assets/');

/** An install that ran no scripts has no console; everything else works without. */
function notBuilt(response: ServerResponse): void {
  const body =
    '<p>The console has not been built. Run <code>npm run build:console</code> and load this page again.</p>';
  response.writeHead(503, PAGE_HEADERS).end(page('Not built', body));
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
<meta name="viewport" content="width=device-width"><link rel="icon" href="/mark.svg"><link rel="stylesheet" href="/signin.css">${head}
<main><h1><img src="/mark.svg" alt="" width="28" height="28">Kairship</h1>${body}</main></html>`;
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}
