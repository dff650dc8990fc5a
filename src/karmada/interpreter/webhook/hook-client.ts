/**
 * Calls webhooks over HTTPS, with connections kept for the next call.
 *
 * A webhook has the time its configuration gives it, connecting included, and not more than three megabytes to say.
 */
import { randomIds, type Ids } from '#base/ids.ts';
import { type Clock, systemClock } from '#base/clock.ts';
import { StatusError } from '#base/status-error.ts';
import { type RawResponse, transport, type Transport } from '#kube/client/transport.ts';
import type { Answers, Question } from '../operations.ts';
import type { Operation } from '../resource-interpreter.ts';
import { type FindService, type HookAddress, hookAddress } from './hook-address.ts';
import type { Hook } from './hooks.ts';
import { answerOf, CONTEXT_VERSION, contextOf } from './interpreter-context.ts';

export interface HookClient {
  ask<O extends Operation>(hook: Hook, operation: O, question: Question): Promise<Answers[O]>;
  /** Lets go of connections to webhooks that are not among these any more. */
  keep(hooks: readonly Hook[]): void;
  close(): void;
}

export interface HookClientDeps {
  readonly findService: FindService;
  readonly clock?: Clock;
  readonly ids?: Ids;
}

const DEFAULT_TIMEOUT_SECONDS = 10;
const LARGEST_ANSWER = 3 * 2 ** 20;

export function hookClient({ findService, clock = systemClock, ids = randomIds }: HookClientDeps): HookClient {
  const connections = new Map<string, Transport>();

  function connectionTo(hook: Hook, { server, tlsServerName }: HookAddress): Transport {
    const { caBundle } = hook.webhook.clientConfig;
    const key = JSON.stringify([hook.uid, server, tlsServerName, caBundle, timeoutOf(hook)]);
    const kept = connections.get(key);
    if (kept) return kept;
    const made = transport({
      server,
      clock,
      timeoutMs: timeoutOf(hook) * 1_000,
      ...(caBundle === undefined ? {} : { ca: Buffer.from(caBundle, 'base64').toString('utf8') }),
      ...(tlsServerName === undefined ? {} : { tlsServerName }),
    });
    connections.set(key, made);
    return made;
  }

  async function post(hook: Hook, context: unknown): Promise<unknown> {
    const address = await hookAddress(hook.webhook.clientConfig, findService);
    const response = await connectionTo(hook, address).send({
      method: 'POST',
      path: `${address.path}?timeout=${timeoutOf(hook)}s`,
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(context),
    });
    const text = await textOf(response);
    const status = response.statusCode ?? 0;
    if (status >= 200 && status < 300) return JSON.parse(text);
    throw new StatusError('InternalError', `the server answered ${status}: ${text.slice(0, 200)}`);
  }

  async function ask<O extends Operation>(hook: Hook, operation: O, question: Question): Promise<Answers[O]> {
    const { interpreterContextVersions } = hook.webhook;
    if (!interpreterContextVersions.includes(CONTEXT_VERSION)) {
      const problem = `webhook does not accept known ResourceInterpreterContext versions (${CONTEXT_VERSION})`;
      throw failed(hook, `could not create ResourceInterpreterContext objects: ${problem}`);
    }
    const uid = ids.uid();
    const body = await post(hook, contextOf(uid, operation, question)).catch((error: unknown) => {
      throw failed(hook, `failed to call webhook: ${messageOf(error)}`, error);
    });
    try {
      return answerOf(uid, operation, question, body);
    } catch (error) {
      throw failed(hook, messageOf(error), error);
    }
  }

  return {
    ask,
    keep(hooks) {
      const uids = new Set(hooks.map(({ uid }) => uid));
      for (const [key, connection] of connections) {
        const [uid] = JSON.parse(key) as [string];
        if (uids.has(uid)) continue;
        connections.delete(key);
        connection.close();
      }
    },
    close() {
      for (const connection of connections.values()) connection.close();
      connections.clear();
    },
  };
}

function timeoutOf({ webhook }: Hook): number {
  return webhook.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS;
}

async function textOf(response: RawResponse): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > LARGEST_ANSWER) {
      response.destroy();
      throw new StatusError('RequestEntityTooLarge', `the answer is larger than ${LARGEST_ANSWER} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function failed({ uid }: Hook, problem: string, cause?: unknown): StatusError {
  const message = `Internal error occurred: failed calling webhook ${JSON.stringify(uid)}: ${problem}`;
  return new StatusError('InternalError', message, { cause });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
