/**
 * `kairship exec`: a command in a pod, wherever it runs.
 *
 * Speaks `v5.channel.k8s.io`: the first byte of a message is its channel (0 stdin, 1 stdout, 2 stderr, 3 how it ended,
 * 4 the size of the terminal), 255 closes one. The exit code of the command is that of this one.
 */
import pc from 'picocolors';
import { type RawData, WebSocket } from 'ws';
import { isObject } from '#base/json.ts';
import { StatusError } from '#base/status-error.ts';
import { failureOf } from '#kube/client/rest-answer.ts';
import { resourcePath } from '#kube/meta/gvk.ts';
import { connected, type Connection, instanceUrl, memberPath } from '../cli/connection.ts';
import { usageFailure } from '../cli/failure.ts';
import { nameOf, targetsOf } from '../cli/fan-out.ts';
import { isReadyPod, type PodIn, PODS, podsOf } from '../cli/pods.ts';
import { note, waiting } from '../cli/screen.ts';
import type { MemberOptions } from './get.ts';

export interface ExecOptions extends MemberOptions {
  readonly container?: string;
  readonly stdin?: boolean;
  readonly tty?: boolean;
  readonly quiet?: boolean;
}

const PROTOCOL = 'v5.channel.k8s.io';
const [STDIN, STDOUT, STDERR, STATUS, RESIZE, CLOSE] = [0, 1, 2, 3, 4, 255];

export function exec(reference: string, command: readonly string[], options: ExecOptions): Promise<void> {
  if (command.length === 0)
    throw usageFailure('no command to run', 'it comes after two dashes', `kairship exec ${reference} -- COMMAND`);
  return connected(options, async (on) => {
    const { members } = await targetsOf(on, options.clusters);
    const pods = await waiting('looking for the pod', podsOf(members, reference, options));
    const chosen = pods.find(isReadyPod) ?? pods[0];
    if (!chosen) return;
    if (pods.length > 1 && !options.quiet)
      note(pc.dim(`in ${nameOf(chosen.target)}/${chosen.pod.metadata.name}, of ${pods.length} pods`));
    const url = await addressOf(on, chosen, command, options);
    process.exitCode = await run(on, url, options);
  });
}

async function addressOf(on: Connection, { target, pod }: PodIn, command: readonly string[], options: ExecOptions) {
  const { namespace = '', name } = pod.metadata;
  const base = instanceUrl(on.server, await on.theInstance()) + (target.cluster ? memberPath(target.cluster) : '');
  const query = new URLSearchParams({
    container: options.container ?? pod.spec.containers[0]?.name ?? '',
    stdout: 'true',
    stderr: String(!options.tty),
    stdin: String(options.stdin === true),
    tty: String(options.tty === true),
  });
  for (const word of command) query.append('command', word);
  return `${base.replace(/^http/, 'ws')}${resourcePath(PODS, { namespace, name })}/exec?${query.toString()}`;
}

function run(on: Connection, url: string, options: ExecOptions): Promise<number> {
  const socket = new WebSocket(url, PROTOCOL, {
    headers: { authorization: `Bearer ${on.token}` },
    ...(on.ca === undefined ? {} : { ca: on.ca }),
    perMessageDeflate: false,
  });
  return new Promise((resolve, reject) => {
    let code: number | Error = new StatusError('ServiceUnavailable', 'the connection broke off');
    let release = () => {};
    socket.on('unexpected-response', (_request, response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => reject(failureOf(response.statusCode ?? 0, Buffer.concat(chunks).toString())));
    });
    socket.on('open', () => (release = attach(socket, options)));
    socket.on('message', (data: RawData) => {
      const message = data as Buffer;
      const body = message.subarray(1);
      if (message[0] === STDOUT) process.stdout.write(body);
      else if (message[0] === STDERR) process.stderr.write(body);
      else if (message[0] === STATUS) code = exitCodeOf(body.toString());
    });
    socket.on('error', reject);
    socket.on('close', () => {
      release();
      if (typeof code === 'number') resolve(code);
      else reject(code);
    });
  });
}

/** Connects the terminal; the returned function gives it back as it was. */
function attach(socket: WebSocket, { stdin, tty }: ExecOptions): () => void {
  const send = (channel: number, bytes: Buffer) => socket.send(Buffer.concat([Buffer.from([channel]), bytes]));
  const resize = () => {
    const [Width, Height] = process.stdout.isTTY ? process.stdout.getWindowSize() : [80, 24];
    send(RESIZE, Buffer.from(JSON.stringify({ Width, Height })));
  };
  const isRaw = tty === true && process.stdin.isTTY;
  if (tty) {
    resize();
    process.stdout.on('resize', resize);
  }
  if (stdin) {
    if (isRaw) process.stdin.setRawMode(true);
    process.stdin.on('data', (chunk: Buffer) => send(STDIN, chunk));
    process.stdin.on('end', () => socket.send(Buffer.from([CLOSE, STDIN])));
    process.stdin.resume();
  }
  return () => {
    process.stdout.off('resize', resize);
    if (isRaw) process.stdin.setRawMode(false);
    if (stdin) process.stdin.destroy();
  };
}

/** The last message is a Status: success, or a failure that names the exit code among its causes. */
function exitCodeOf(text: string): number | Error {
  const status: unknown = JSON.parse(text);
  if (!isObject(status) || status['status'] === 'Success') return 0;
  const { message = text, details } = status as {
    message?: string;
    details?: { causes?: readonly { reason?: string; message?: string }[] };
  };
  const code = details?.causes?.find(({ reason }) => reason === 'ExitCode')?.message;
  return code === undefined ? new StatusError('InternalError', message) : Number(code);
}
