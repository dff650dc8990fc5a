/** Where two snapshots differ, field by field, and which differences are meant. */
import type { Snapshot } from './snapshot.ts';

export interface Difference {
  readonly path: string;
  /** As JSON; undefined where there is nothing. */
  readonly real: string | undefined;
  readonly ours: string | undefined;
}

export function differences(real: Snapshot, ours: Snapshot): readonly Difference[] {
  return compare('', real, ours);
}

function compare(path: string, real: unknown, ours: unknown): Difference[] {
  if (isContainer(real) && isContainer(ours) && Array.isArray(real) === Array.isArray(ours)) {
    const keys = [...new Set([...Object.keys(real), ...Object.keys(ours)])];
    return keys.flatMap((key) => compare(path === '' ? key : `${path}.${key}`, real[key], ours[key]));
  }
  const [a, b] = [JSON.stringify(real), JSON.stringify(ours)];
  return a === b ? [] : [{ path, real: a, ours: b }];
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

const LONGEST = 400;
const shown = (text: string | undefined) => (text === undefined ? '(nothing)' : text.slice(0, LONGEST));

export function report(found: readonly Difference[]): string {
  return found.map(({ path, real, ours }) => `${path}\n    real: ${shown(real)}\n    ours: ${shown(ours)}`).join('\n');
}
