/**
 * Runs one command in a container and gathers what it says, as the caller.
 *
 * It has no input and no terminal, is given up after a while, and of what it says only the beginning is kept.
 */
import { randomBytes } from 'node:crypto';
import { isObject } from '#base/json.ts';
import { badRequest, errorOfStatus, type Status, StatusError } from '#base/status-error.ts';
import { failureOf, textOf } from '#kube/client/rest-answer.ts';
import type { InstanceClient } from '../../proxy/instance-client.ts';
import { framesOf } from './frames.ts';

export interface Command {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  readonly command: readonly string[];
}

export interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
  readonly truncated: boolean;
}

export const COMMAND_LIMITS = { seconds: 30, bytes: 1 << 20, words: 100, wordBytes: 32_768 } as const;
const PROTOCOL = 'v4.channel.k8s.io';
const [STDOUT, STDERR, ERROR] = [1, 2, 3];

export async function runCommand(client: InstanceClient, command: Command, signal: AbortSignal): Promise<Ended> {
  requireFitting(command);
  const limit = AbortSignal.any([signal, AbortSignal.timeout(COMMAND_LIMITS.seconds * 1000)]);
  const answer = await client.upgrade({ method: 'GET', path: pathOf(command), headers: handshake(), signal: limit });
  if (!('head' in answer)) throw failureOf(answer.statusCode ?? 0, await textOf(answer));
  const { socket, head } = answer;
  const cut = () =>
    socket.destroy(new StatusError('Timeout', `the command did not end within ${COMMAND_LIMITS.seconds} s`));
  limit.addEventListener('abort', cut, { once: true });
  try {
    if (head.length > 0) socket.unshift(head);
    return await gathered(socket as AsyncIterable<Buffer>);
  } finally {
    limit.removeEventListener('abort', cut);
    socket.destroy();
  }
}

async function gathered(socket: AsyncIterable<Buffer>): Promise<Ended> {
  const said: Record<number, string> = { [STDOUT]: '', [STDERR]: '' };
  let truncated = false;
  for await (const message of framesOf(socket, COMMAND_LIMITS.bytes)) {
    const [channel = 0, text] = [message[0], message.subarray(1).toString()];
    if (channel === ERROR)
      return { stdout: said[STDOUT] ?? '', stderr: said[STDERR] ?? '', truncated, exitCode: exitCode(text) };
    const all = (said[channel] ?? '') + text;
    truncated ||= all.length > COMMAND_LIMITS.bytes;
    said[channel] = all.slice(0, COMMAND_LIMITS.bytes);
  }
  throw new StatusError('InternalError', 'the connection to the container ended before the command did');
}

/** Of the status with which a command ends; throws when it could not be run. */
export function exitCode(text: string): number {
  const status: unknown = JSON.parse(text);
  if (!isObject(status)) throw new StatusError('InternalError', 'the end of the command cannot be read');
  if (status['status'] === 'Success') return 0;
  const { details } = status as unknown as Status;
  const code = details?.causes?.find(({ reason }) => reason === 'ExitCode')?.message;
  if (code !== undefined) return Number(code);
  throw errorOfStatus(status, 500);
}

function requireFitting({ command }: Command): void {
  if (command.length === 0) throw badRequest('command: say what to run, one word an element');
  if (command.length > COMMAND_LIMITS.words) throw badRequest(`command: at most ${COMMAND_LIMITS.words} words`);
  if (command.join(' ').length > COMMAND_LIMITS.wordBytes)
    throw badRequest(`command: at most ${COMMAND_LIMITS.wordBytes} characters`);
}

function pathOf({ namespace, pod, container, command }: Command): string {
  const query = new URLSearchParams({ stdout: 'true', stderr: 'true', ...(container ? { container } : {}) });
  for (const word of command) query.append('command', word);
  return `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(pod)}/exec?${query.toString()}`;
}

function handshake() {
  return {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': randomBytes(16).toString('base64'),
    'sec-websocket-protocol': PROTOCOL,
  };
}
