/** `/healthz`, `/livez` and `/readyz`: named checks, each also under a path of its own. */
import { type Exchange, sendText } from './respond.ts';

export interface HealthCheck {
  readonly name: string;
  /** Alive processes may still not be ready; such checks only count for `/readyz`. */
  readonly readinessOnly?: boolean;
  healthy(): boolean;
}

/** Answers a health path; false when it names no check. */
export function checks(exchange: Exchange, path: string, all: readonly HealthCheck[]): boolean {
  const [, root = '', name] = path.split('/');
  const relevant = all.filter((check) => root === 'readyz' || !check.readinessOnly);
  const asked = name ? relevant.filter((check) => check.name === name) : relevant;
  if (name && asked.length === 0) return false;
  const excluded = new Set(exchange.query.getAll('exclude'));
  const failed = asked.filter((check) => !excluded.has(check.name) && !check.healthy());
  if (failed.length === 0 && !exchange.query.has('verbose')) {
    sendText(exchange, 200, 'ok');
    return true;
  }
  const lines = asked.map((check) => lineOf(check, excluded.has(check.name), failed.includes(check)));
  const verdict = failed.length === 0 ? `${root} check passed` : `${root} check failed`;
  sendText(exchange, failed.length === 0 ? 200 : 500, [...lines, verdict, ''].join('\n'));
  return true;
}

function lineOf({ name }: HealthCheck, excluded: boolean, failed: boolean): string {
  if (excluded) return `[+]${name} excluded: ok`;
  return failed ? `[-]${name} failed: reason withheld` : `[+]${name} ok`;
}
