/** Joins a command of the backend with the channels of a client, and tells the client how it ended. */
import type { Readable, Writable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import type { CommandSession, TerminalSize } from '../pod-streams.ts';
import type { Session } from '../session.ts';
import { exitStatus, failureStatus } from './command-status.ts';

/** The client's end of a command, whatever protocol is below. */
export interface CommandChannels {
  readonly stdin?: Readable;
  readonly stdout?: Writable;
  readonly stderr?: Writable;
  /** What a terminal client says of its size: JSON, one object after the other. */
  readonly resize?: Readable;
  /** Says how the command ended, and hangs up once all has been sent. */
  finish(status: ReturnType<typeof exitStatus>): Promise<void>;
}

export async function runCommand(
  channels: CommandChannels,
  session: Session,
  start: () => Promise<CommandSession>,
): Promise<void> {
  const status = await attempt(channels, session, start);
  // A client that has gone is not told.
  await channels.finish(status).catch(() => undefined);
}

async function attempt(channels: CommandChannels, session: Session, start: () => Promise<CommandSession>) {
  try {
    session.signal.throwIfAborted();
    const command = await start();
    feed(channels, command);
    const outputs = Promise.all([pump(command.stdout, channels.stdout), pump(command.stderr, channels.stderr)]);
    const code = await Promise.race([command.exit, aborted(session.signal)]);
    await Promise.race([outputs, aborted(session.signal)]);
    return exitStatus(code);
  } catch (error) {
    return failureStatus(error);
  }
}

/** Input ends with the command; a command that does not read to the end is no failure. */
function feed({ stdin, resize }: CommandChannels, command: CommandSession): void {
  if (stdin && command.stdin) pipeline(stdin, command.stdin).catch(() => undefined);
  else stdin?.resume();
  resize?.on(
    'data',
    sizes((size) => command.resize(size)),
  );
}

/** Hands on all of a command's output; a client that no longer takes it must not keep the command waiting. */
async function pump(from: Readable | undefined, to: Writable | undefined): Promise<void> {
  if (!from) return;
  if (!to) {
    from.resume();
    return;
  }
  try {
    await pipeline(from, to, { end: false });
  } catch {
    from.resume();
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** Ends a channel and waits until all of it is sent. */
export async function endOutput(output: Writable | undefined, last = ''): Promise<void> {
  if (!output || output.destroyed) return;
  output.end(last);
  await finished(output, { readable: false }).catch(() => undefined);
}

const LONGEST_SIZE = 256;

/** Reads `{"Width":80,"Height":24}` objects out of chunks; what is none is passed over. */
export function sizes(onSize: (size: TerminalSize) => void): (chunk: Buffer) => void {
  let text = '';
  return (chunk) => {
    text += chunk.toString();
    for (let end = text.indexOf('}'); end >= 0; end = text.indexOf('}')) {
      const size = sizeIn(text.slice(0, end + 1));
      text = text.slice(end + 1);
      if (size) onSize(size);
    }
    if (text.length > LONGEST_SIZE) text = '';
  };
}

function sizeIn(json: string): TerminalSize | undefined {
  const width = Number(/"Width":\s*(\d{1,5})/i.exec(json)?.[1]);
  const height = Number(/"Height":\s*(\d{1,5})/i.exec(json)?.[1]);
  return Number.isNaN(width) || Number.isNaN(height) ? undefined : { width, height };
}
