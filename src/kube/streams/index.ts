/** Logs, commands, port-forward and proxies of pods. Start at {@link podStreamExtensions}. */
export { STREAM_LIMITS, type StreamLimits } from './limits.ts';
export { type PodStreamOptions, podStreamExtensions } from './pod-stream-extensions.ts';
export type {
  CommandOptions,
  CommandSession,
  ExecOptions,
  LogOptions,
  PodStreams,
  TerminalSize,
} from './pod-streams.ts';
