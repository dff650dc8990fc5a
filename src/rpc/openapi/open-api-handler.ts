/**
 * The document of an API and a page to browse it: `/openapi.json` and `/openapi`.
 *
 * Both are made when they are first asked for, and neither names anything outside of this server.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NodeRequest, NodeResponse } from '../node-request.ts';
import { targetOf } from '../node-request.ts';
import type { Route } from '../rest/routes.ts';
import type { Comments } from './json-schema.ts';
import { openApi } from './open-api.ts';

export interface OpenApiOptions {
  readonly routes: readonly Route[];
  readonly title: string;
  readonly version: string;
}

/** Answers the document and the page and says true, or leaves a request alone. */
export function openApiHandler(options: OpenApiOptions): (request: NodeRequest, response: NodeResponse) => boolean {
  const document = once(async () => JSON.stringify(openApi(options.routes, options, await comments())));
  const file = (name: string) => once(async () => readFileSync(join(import.meta.dirname, 'page', name), 'utf8'));
  const served: Readonly<Record<string, readonly [type: string, text: () => Promise<string>]>> = {
    '/openapi.json': ['application/json', document],
    '/openapi': ['text/html; charset=utf-8', file('openapi.html')],
    '/openapi.js': ['text/javascript; charset=utf-8', file('openapi.js')],
    '/openapi.css': ['text/css; charset=utf-8', file('openapi.css')],
  };
  return (request, response) => {
    const found = served[targetOf(request).path];
    if (!found || (request.method !== 'GET' && request.method !== 'HEAD')) return false;
    const [type, text] = found;
    void text().then((body) => {
      response.writeHead(200, {
        'content-type': type,
        'content-security-policy': "default-src 'self'; img-src data:; frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-cache',
      });
      response.end(body);
    });
    return true;
  };
}

/** Words that a program which is never asked for them need not hold. */
async function comments(): Promise<Comments> {
  return (await import('#gen/proto/comments.ts')).COMMENTS;
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}
