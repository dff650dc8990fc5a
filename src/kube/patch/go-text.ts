import { isObject } from '#base/json.ts';

/** A JSON value as Kubernetes prints it inside some messages (Go's `%v`): `map[image:x name:web]`, `[a b]`. */
export function goText(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  if (typeof value === 'string') return value;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value).sort();
  return `map[${members.map((key) => `${key}:${goText(value[key])}`).join(' ')}]`;
}

/** The name Kubernetes' messages have for the type of a decoded JSON value. */
export function goType(value: unknown): string {
  if (value === null || value === undefined) return '%!s(<nil>)';
  if (Array.isArray(value)) return '[]interface {}';
  if (isObject(value)) return 'map[string]interface {}';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}
