/**
 * The console's files as they were built, and pages that need none of them.
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
import { page } from './sign-in-pages.ts';

const compress = promisify(gzip);

export interface ConsoleFiles {
  /** Whether a path is a page (and so needs a session) rather than an asset of one. */
  isPage(path: string): boolean;
  serve(path: string, response: ServerResponse): Promise<void>;
  /** A page of its own. */
  show(
    response: ServerResponse,
    html: string,
    more?: { readonly code?: number; readonly cookies?: readonly string[] },
  ): void;
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
    show: (response, html, { code = 200, cookies = [] } = {}) =>
      void response
        .writeHead(code, { ...PAGE_HEADERS, ...(cookies.length > 0 ? { 'set-cookie': [...cookies] } : {}) })
        .end(html),
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
