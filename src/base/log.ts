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

type Line = (at: Level, message: string, fields: Fields) => string;

/** One JSON object a line on `write`, from `level` upwards. Errors among the fields keep message, reason and cause. */
export function jsonLog(write: (line: string) => void, level: Level = 'info', fields: Fields = {}): Log {
  return lines(write, level, fields, (at, message, all) =>
    JSON.stringify({ time: new Date().toISOString(), level: at, message, ...all }, errorsAsObjects),
  );
}

/** The same for people: time, level, message, then the fields as `name=value`. */
export function textLog(write: (line: string) => void, level: Level = 'info', fields: Fields = {}): Log {
  return lines(write, level, fields, (at, message, all) => {
    const told = Object.entries(all).map(([name, value]) => `${name}=${JSON.stringify(value, errorsAsObjects)}`);
    return [new Date().toISOString(), at.toUpperCase().padEnd(5), message, ...told].join(' ');
  });
}

function lines(write: (line: string) => void, level: Level, fields: Fields, line: Line): Log {
  const emit = (at: Level, message: string, extra: Fields = {}) => {
    if (LEVELS.indexOf(at) >= LEVELS.indexOf(level)) write(`${line(at, message, { ...fields, ...extra })}\n`);
  };
  return {
    debug: (message, extra) => emit('debug', message, extra),
    info: (message, extra) => emit('info', message, extra),
    warn: (message, extra) => emit('warn', message, extra),
    error: (message, extra) => emit('error', message, extra),
    with: (more) => lines(write, level, { ...fields, ...more }, line),
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
