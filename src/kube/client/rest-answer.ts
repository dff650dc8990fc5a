/** How answers are read: bodies, lists, and failures as StatusErrors. */
import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { isObject } from '#base/json.ts';
import { errorOfStatus, StatusError } from '#base/status-error.ts';
import type { KubeList, KubeObject, WatchEvent } from '#kube/meta/object.ts';

/** The whole body; an answer aborted by `signal` rejects with its reason, one cut short is a `ServiceUnavailable`. */
export function textOf(response: IncomingMessage, signal?: AbortSignal): Promise<string> {
  const compressed = response.headers['content-encoding'] === 'gzip';
  const plain = compressed ? pipeline(response, createGunzip(), () => undefined) : response;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    // By events, because this is the path of every request and iterating a stream costs several times as much.
    plain.on('data', (chunk: Buffer) => chunks.push(chunk));
    let isWhole = false;
    plain.on('end', () => {
      isWhole = true;
      const [only] = chunks;
      resolve((only && chunks.length === 1 ? only : Buffer.concat(chunks)).toString('utf8'));
    });
    const cut = (error?: Error) => {
      if (isWhole) return;
      if (signal?.aborted) reject(signal.reason);
      else if (error instanceof StatusError) reject(error);
      else reject(new StatusError('ServiceUnavailable', 'the answer broke off', { cause: error }));
    };
    plain.on('error', cut);
    plain.on('close', cut);
  });
}

export function decode(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw new StatusError('InternalError', `the server answered with something that is no JSON: ${excerpt(body)}`, {
      cause,
    });
  }
}

export function failureOf(code: number, body: string): StatusError {
  let status: unknown;
  try {
    status = JSON.parse(body);
  } catch {
    // Proxies and old servers answer in plain text, which is then the message.
    return errorOfStatus(body.trim() === '' ? {} : { message: excerpt(body) }, code);
  }
  return errorOfStatus(isObject(status) ? status : {}, code);
}

function excerpt(text: string): string {
  const line = text.trim();
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}

/** For how long the server asks not to be asked again; undefined when the answer stands. */
export function secondsToWait(answer: { readonly status: number; readonly headers: IncomingMessage['headers'] }) {
  const asked = Number(answer.headers['retry-after']);
  if (answer.status === 429) return Number.isFinite(asked) && asked > 0 ? asked : 1;
  return answer.status >= 500 && Number.isFinite(asked) && asked > 0 ? asked : undefined;
}

/** Items of built-in kinds come without the kind and version that the list's own imply. */
export function withKinds<T extends KubeObject>(list: KubeList<T>): KubeList<T> {
  const kind = list.kind.replace(/List$/, '');
  for (const item of list.items ?? []) {
    if (item.kind === undefined) Object.assign(item, { apiVersion: list.apiVersion, kind });
  }
  // Some servers spell an empty list as null.
  return list.items ? list : { ...list, items: [] };
}

export function eventOf<T extends KubeObject>(event: unknown): WatchEvent<T> {
  if (!isObject(event) || !isObject(event['object'])) {
    throw new StatusError('InternalError', 'the watch sent something that is no event');
  }
  if (event['type'] !== 'ERROR') return event as unknown as WatchEvent<T>;
  const { code } = event['object'];
  throw errorOfStatus(event['object'], typeof code === 'number' ? code : 500);
}
