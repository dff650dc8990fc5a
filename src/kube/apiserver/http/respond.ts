/** Answers: status line, the headers every answer carries, and the body in the form agreed on. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { randomUUID } from 'node:crypto';
import { statusOf } from '#base/status-error.ts';
import { isRefusal } from '../auth/authorize.ts';
import type { ListBody } from '../representations/list-bytes.ts';
import { yamlText } from '../representations/yaml-text.ts';
import { negotiateFailure } from './negotiate.ts';
import type { RequestNotes } from './request-notes.ts';

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly query: URLSearchParams;
  /** Hints for people, sent along with the answer. */
  readonly warnings: string[];
  /** Absent when nobody keeps a record. */
  readonly notes?: RequestNotes | undefined;
}

const TYPES = { json: 'application/json', yaml: 'application/yaml' } as const;

/** Sends bytes that are JSON already, converting them for the few that want another form. */
export function sendJson(
  exchange: Exchange,
  code: number,
  body: Buffer | string,
  media: 'json' | 'yaml' = 'json',
): void {
  if (media === 'yaml') return send(exchange, code, TYPES.yaml, yamlText(JSON.parse(body.toString())));
  if (isPretty(exchange.query)) {
    return send(exchange, code, TYPES.json, `${JSON.stringify(JSON.parse(body.toString()), undefined, 2)}\n`);
  }
  send(exchange, code, TYPES.json, body);
}

export function sendText(exchange: Exchange, code: number, text: string): void {
  send(exchange, code, 'text/plain; charset=utf-8', text, { 'X-Content-Type-Options': 'nosniff' });
}

export function sendFailure(exchange: Exchange, error: unknown): void {
  const { response, request } = exchange;
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const status = statusOf(error);
  if (exchange.notes) exchange.notes.failure = status;
  const retry = status.details?.retryAfterSeconds ?? (status.code === 429 ? 1 : undefined);
  if (retry !== undefined) response.setHeader('Retry-After', String(retry));
  if (status.code === 403 && !status.details?.causes && isRefusal(error)) {
    response.setHeader('X-Content-Type-Options', 'nosniff');
  }
  // What is left of a refused body is not read: the connection could not be used again.
  if (!request.complete) response.setHeader('Connection', 'close');
  sendJson(exchange, status.code, JSON.stringify(status), negotiateFailure(request.headers.accept).media);
}

/** Sends a long answer piece by piece, each made when its client has taken the one before. */
export async function sendPieces(exchange: Exchange, body: ListBody): Promise<void> {
  const { response, request } = exchange;
  writeHead(exchange, 200, TYPES.json, body.size);
  if (request.method !== 'HEAD') {
    for (const piece of body.pieces()) if (!response.write(piece)) await drained(response);
  }
  response.end();
}

/** Resolves when the client has taken what was written, or has gone. */
function drained(response: ServerResponse): Promise<void> {
  if (response.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    function done(): void {
      response.off('drain', done).off('close', done);
      resolve();
    }
    response.on('drain', done).on('close', done);
  });
}

export function send(
  exchange: Exchange,
  code: number,
  type: string,
  body: Buffer | string,
  headers?: Readonly<Record<string, string>>,
): void {
  const { response, request } = exchange;
  writeHead(exchange, code, type, typeof body === 'string' ? Buffer.byteLength(body) : body.length, headers);
  if (request.method === 'HEAD') response.end();
  // As text of one byte a character the body goes out in one write with its head; bytes would take two.
  else if (typeof body !== 'string' && body.length <= ONE_WRITE) response.end(body.toString('latin1'), 'latin1');
  else response.end(body);
}

const ONE_WRITE = 64 * 1024;

function writeHead(
  { response, warnings, notes }: Exchange,
  code: number,
  type: string,
  size: number,
  headers?: Readonly<Record<string, string>>,
): void {
  // A flat list: what Node would make of an object, without making it.
  const all = ['Audit-Id', notes?.id ?? randomUUID(), 'Cache-Control', 'no-cache, private', 'Content-Type', type];
  all.push('Content-Length', String(size));
  if (headers) for (const name in headers) replace(all, name, headers[name] ?? '');
  if (warnings.length > 0) all.push('Warning', warnings.map(warningOf).join(', '));
  response.writeHead(code, all);
}

function replace(all: string[], name: string, value: string): void {
  const at = all.indexOf(name);
  if (at < 0) all.push(name, value);
  else all[at + 1] = value;
}

function warningOf(text: string): string {
  // Headers are bytes: what is not printable ASCII would break the answer.
  const safe = text.replace(/[^\x20-\x7e]+/g, ' ').replace(/["\\]/g, '\\$&');
  return `299 - "${safe}"`;
}

export function isPretty(query: URLSearchParams): boolean {
  const pretty = query.get('pretty');
  return pretty !== null && pretty !== 'false' && pretty !== '0';
}
