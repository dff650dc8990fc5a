/** Rules that many kinds share, each about one value at one path. */
import { isIP } from 'node:net';
import { jsonEqual } from '#base/json.ts';
import {
  duplicate,
  forbidden,
  IMMUTABLE,
  invalid,
  invalidAll,
  notSupported,
  required,
} from '#kube/meta/field-error.ts';
import type { LabelSelectorSpec } from '#kube/meta/label-selector.ts';
import {
  dnsLabelProblems,
  dnsSubdomainProblems,
  percentProblems,
  portNameProblems,
  portNumberProblems,
} from '#kube/meta/names.ts';
import { labelErrors, labelSelectorErrors } from '#kube/meta/object-meta.ts';
import type { Errors, Given } from './kind.ts';

export type IntOrString = number | string;

export function* nonNegative(value: number | undefined, path: string): Errors {
  if (value !== undefined && value < 0) yield invalid(path, value, 'must be greater than or equal to 0');
}

export function* positive(value: number | undefined, path: string): Errors {
  if (value === undefined || value <= 0) yield invalid(path, value ?? 0, 'must be greater than zero');
}

/** A value out of a fixed set; the set is told in the order given. */
export function* oneOf(value: string | undefined, supported: readonly string[], path: string): Errors {
  if (value !== undefined && !supported.includes(value)) yield notSupported(path, value, supported);
}

/** Like {@link oneOf}, of a value that must be there. */
export function* requiredOneOf(value: string | undefined, supported: readonly string[], path: string): Errors {
  if (!value) yield required(path);
  else yield* oneOf(value, supported, path);
}

export function* requiredField(value: unknown, path: string): Errors {
  if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) yield required(path);
}

export function dnsLabel(value: string, path: string): Errors {
  return invalidAll(path, value, dnsLabelProblems(value));
}

export function dnsSubdomain(value: string, path: string): Errors {
  return invalidAll(path, value, dnsSubdomainProblems(value));
}

export function* immutable(value: unknown, old: unknown, path: string): Errors {
  if (!jsonEqual(value, old)) yield invalid(path, value, IMMUTABLE);
}

/** The first of each value passes, the others are told. */
export function* unique(values: readonly (string | undefined)[], pathOf: (index: number) => string): Errors {
  const seen = new Set<string>();
  for (const [index, value] of values.entries()) {
    if (value === undefined || value === '') continue;
    if (seen.has(value)) yield duplicate(pathOf(index), value);
    seen.add(value);
  }
}

export function* portNumber(value: number | undefined, path: string): Errors {
  yield* invalidAll(path, value ?? 0, portNumberProblems(value ?? 0));
}

export function* portNumberOrName(value: IntOrString | undefined, path: string): Errors {
  if (typeof value === 'string') yield* invalidAll(path, value, portNameProblems(value));
  else yield* portNumber(value, path);
}

/** An absolute number or a percentage, neither below zero. */
export function* intOrPercent(value: IntOrString | undefined, path: string): Errors {
  if (typeof value === 'string') yield* invalidAll(path, value, percentProblems(value));
  else yield* nonNegative(value, path);
}

/** The percentage, if it is one. */
export function percentOf(value: IntOrString | undefined): number | undefined {
  return typeof value === 'string' && percentProblems(value).length === 0 ? Number(value.slice(0, -1)) : undefined;
}

export function* notMoreThan100Percent(value: IntOrString | undefined, path: string): Errors {
  if ((percentOf(value) ?? 0) > 100) yield invalid(path, value, 'must not be greater than 100%');
}

export function isZero(value: IntOrString | undefined): boolean {
  return typeof value === 'string' ? percentOf(value) === 0 : (value ?? 0) === 0;
}

const IP_PROBLEM = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
const CIDR_PROBLEM = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';

export function* ipAddress(value: string | undefined, path: string): Errors {
  if (isIP(value ?? '') === 0) yield invalid(path, value ?? '', IP_PROBLEM);
}

export function isCidr(value: string): boolean {
  const [address = '', bits = '', ...rest] = value.split('/');
  const version = isIP(address);
  return version !== 0 && rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128);
}

export function* cidr(value: string | undefined, path: string): Errors {
  if (!isCidr(value ?? '')) yield invalid(path, value ?? '', CIDR_PROBLEM);
}

export function labels(value: Given<Record<string, string>> | undefined, path: string): Errors {
  return labelErrors(value as Record<string, string> | undefined, path);
}

export function labelSelector(value: Given<LabelSelectorSpec> | undefined, path: string): Errors {
  return labelSelectorErrors(value as LabelSelectorSpec | undefined, path);
}

/** A path below the directory it is used in. */
export function* relativePath(value: string, path: string): Errors {
  if (value.startsWith('/')) yield invalid(path, value, 'must be a relative path');
  yield* noBacksteps(value, path);
}

export function* noBacksteps(value: string, path: string): Errors {
  if (value.split('/').includes('..')) yield invalid(path, value, "must not contain '..'");
}

/** A relative path whose first part may not look like one the system writes (`..data`). */
export function* localPath(value: string, path: string): Errors {
  yield* relativePath(value, path);
  if (value.startsWith('..') && !value.startsWith('../')) yield invalid(path, value, "must not start with '..'");
}

export function* fileMode(value: number | undefined, path: string): Errors {
  if (value !== undefined && (value < 0 || value > 0o777)) {
    yield invalid(path, value, 'must be a number between 0 and 0777 (octal), both inclusive');
  }
}

/** A field that is not there, told only where something demands it. */
export function* absent(value: unknown, path: string, why: string): Errors {
  if (value !== undefined) yield forbidden(path, why);
}
