/**
 * Where the streams of pods come from: what stands behind `pods/log`, `exec`, `attach`, `portforward` and the proxies.
 *
 * The API server checks who asks and for which container, speaks the protocols and keeps the limits; a backend only
 * gives bytes. Everything it gives ends when the signal aborts. What it refuses it refuses with a StatusError, whose
 * message reaches the user as it is.
 */
import type { Duplex, Readable, Writable } from 'node:stream';
import type { Node, Pod } from '#gen/kube/types.ts';

export interface PodStreams {
  /** Resolves once the log is open; then yields lines, whole or in pieces, and ends unless asked to follow. */
  logs(pod: Pod, options: LogOptions): Promise<AsyncIterable<Uint8Array>>;
  /** Starts a command beside the container's own. */
  exec(pod: Pod, options: ExecOptions): Promise<CommandSession>;
  /** Joins the container's own process. */
  attach(pod: Pod, options: CommandOptions): Promise<CommandSession>;
  /** A connection to a TCP port of a pod; for port-forward, and for what is proxied to pods and services. */
  connect(pod: Pod, port: number, signal: AbortSignal): Promise<Duplex>;
  /** A connection to a TCP port of a node, to its kubelet when none is named. */
  connectNode(node: Node, port: number | undefined, signal: AbortSignal): Promise<Duplex>;
}

export interface LogOptions {
  readonly container: string;
  readonly follow: boolean;
  /** The log of the container's life before its last restart. */
  readonly previous: boolean;
  /** Every line begins with its time. */
  readonly timestamps: boolean;
  /** Only the last so many lines; all when absent. */
  readonly tailLines?: number;
  /** Only lines from this time on, in milliseconds since the epoch. */
  readonly since?: number;
  readonly signal: AbortSignal;
}

export interface CommandOptions {
  readonly container: string;
  readonly tty: boolean;
  readonly stdin: boolean;
  readonly stdout: boolean;
  /** Never with a terminal: there all output is one. */
  readonly stderr: boolean;
  readonly signal: AbortSignal;
}

export interface ExecOptions extends CommandOptions {
  readonly command: readonly string[];
}

/** A running command. Its streams keep what fits their buffers and wait for their reader. */
export interface CommandSession {
  readonly stdin?: Writable;
  readonly stdout?: Readable;
  readonly stderr?: Readable;
  resize(size: TerminalSize): void;
  /** The exit code; rejects when the command could not be run to its end. */
  readonly exit: Promise<number>;
}

export interface TerminalSize {
  readonly width: number;
  readonly height: number;
}
