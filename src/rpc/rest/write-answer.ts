/**
 * Answers of REST: one JSON document, a stream of them, or an error.
 *
 * A stream is a line for each message, `{"result": …}`, and after a failure `{"error": …}`; to a caller that accepts
 * `text/event-stream` it is server-sent events, the last of which is called `error`.
 */
import { once } from 'node:events';
import { anyPack } from '@bufbuild/protobuf/wkt';
import { create, type JsonValue, type Registry, toJson } from '@bufbuild/protobuf';
import { StatusSchema } from '#gen/proto/google/rpc/status_pb.ts';
import type { NodeResponse } from '../node-request.ts';
import { toConnectError, toStatusError } from '../status-codes.ts';

const JSON_TYPE = 'application/json';

/** `google.rpc.Status` as JSON, with the HTTP status that belongs to it. */
export function errorJson(thrown: unknown, registry: Registry): { readonly code: number; readonly body: JsonValue } {
  const error = toConnectError(thrown);
  const details = error.details.flatMap((detail) =>
    'desc' in detail ? [anyPack(detail.desc, create(detail.desc, detail.value))] : [],
  );
  const status = create(StatusSchema, { code: error.code, message: error.rawMessage, details });
  return { code: toStatusError(error).code, body: toJson(StatusSchema, status, { registry }) };
}

export function writeError(response: NodeResponse, thrown: unknown, registry: Registry): void {
  const { code, body } = errorJson(thrown, registry);
  const pause = toStatusError(thrown).details?.retryAfterSeconds;
  writeJson(response, code, body, pause === undefined ? {} : { 'retry-after': String(pause) });
}

export function writeJson(
  response: NodeResponse,
  code: number,
  body: JsonValue,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (response.headersSent || response.destroyed) return;
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(code, {
    'content-type': JSON_TYPE,
    'content-length': bytes.byteLength,
    'x-content-type-options': 'nosniff',
    ...headers,
  });
  response.end(bytes);
}

/** Writes a stream as it comes, no faster than it is read. A failure before the first message is an ordinary error. */
export async function writeStream(
  response: NodeResponse,
  messages: AsyncIterable<JsonValue>,
  options: { readonly events: boolean; readonly registry: Registry; readonly signal: AbortSignal },
): Promise<void> {
  const { events, registry, signal } = options;
  const start = () => {
    if (response.headersSent) return;
    response.writeHead(200, {
      'content-type': events ? 'text/event-stream' : 'application/x-ndjson',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
    });
  };
  try {
    for await (const json of messages) {
      start();
      const text = JSON.stringify(json);
      const flushed = write(response, events ? `data: ${text}\n\n` : `{"result":${text}}\n`);
      if (!flushed && !signal.aborted) await once(response, 'drain', { signal });
    }
    start();
  } catch (error) {
    if (!response.headersSent) return writeError(response, error, registry);
    const text = JSON.stringify(errorJson(error, registry).body);
    write(response, events ? `event: error\ndata: ${text}\n\n` : `{"error":${text}}\n`);
  }
  response.end();
}

const write = (response: NodeResponse, text: string): boolean => response.destroyed || response.write(text);
