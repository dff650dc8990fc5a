/** Structured logging to one sink; a program's `cmd` file decides where lines go. */
export interface Log {
  debug(message: string, fields?: Fields): void;
  info(message: string, fields?: Fields): void;
  warn(message: string, fields?: Fields): void;
  error(message: string, fields?: Fields): void;
  /** The same log with fields added to every line. */
  with(fields: Fields): Log;
}

export type Fields = Readonly<Record<string, unknown>>;
export type Level = 'debug' | 'info' | 'warn' | 'error';
export const LEVELS: readonly Level[] = ['debug', 'info', 'warn', 'error'];

/** One JSON object a line on `write`, from `level` upwards. Errors among the fields keep message, reason and cause. */
export function jsonLog(write: (line: string) => void, level: Level = 'info', fields: Fields = {}): Log {
  const emit = (at: Level, message: string, extra: Fields = {}) => {
    if (LEVELS.indexOf(at) < LEVELS.indexOf(level)) return;
    const time = new Date().toISOString();
    write(`${JSON.stringify({ time, level: at, message, ...fields, ...extra }, errorsAsObjects)}\n`);
  };
  return {
    debug: (message, extra) => emit('debug', message, extra),
    info: (message, extra) => emit('info', message, extra),
    warn: (message, extra) => emit('warn', message, extra),
    error: (message, extra) => emit('error', message, extra),
    with: (more) => jsonLog(write, level, { ...fields, ...more }),
  };
}

export const silentLog: Log = jsonLog(() => undefined, 'error');

function errorsAsObjects(_key: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  return {
    message: value.message,
    ...('reason' in value ? { reason: value.reason } : {}),
    ...(value.cause === undefined ? {} : { cause: value.cause }),
    ...('reason' in value ? {} : { stack: value.stack }),
  };
}
