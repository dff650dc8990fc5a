/** The console's static files, and the one page shown to whoever has not signed in. */
import type { ServerResponse } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';
import { notFound } from '#base/status-error.ts';

export interface ConsoleFiles {
  /** Whether a path is a page (and so needs a session) rather than an asset of one. */
  isPage(path: string): boolean;
  serve(path: string, response: ServerResponse): Promise<void>;
  signedOut(response: ServerResponse, hint: string): void;
  /** Sets the session cookie and goes on to the console. */
  welcome(response: ServerResponse, cookie: string): void;
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
  'content-security-policy': "default-src 'self'; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'",
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
    signedOut: (response, hint) =>
      void response.writeHead(401, PAGE_HEADERS).end(page('Sign in', `<p>${escape(hint)}</p>`)),
    welcome: (response, cookie) =>
      void response
        .writeHead(200, { ...PAGE_HEADERS, 'set-cookie': cookie })
        .end(page('Signed in', '<p>One moment…</p>', '<meta http-equiv="refresh" content="0; url=/">')),
  };
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
