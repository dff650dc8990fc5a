/**
 * JSON values as YAML, the way Go's clients see it from a Kubernetes server: keys in order, lists not indented, text
 * plain where it can be. In time and memory proportional to the value, which a general YAML writer is not.
 */
import { isObject } from '#base/json.ts';

export function yamlText(value: unknown): string {
  const out: string[] = [];
  write(value, 0, out);
  return out.join('');
}

/** Writes a value that starts on a line of its own. */
function write(value: unknown, indent: number, out: string[]): void {
  if (Array.isArray(value) && value.length > 0) writeList(value, indent, out);
  else if (isObject(value) && Object.keys(value).length > 0) writeMap(value, indent, out);
  else out.push(scalar(value, indent), '\n');
}

function writeList(list: readonly unknown[], indent: number, out: string[]): void {
  const pad = ' '.repeat(indent);
  for (const [i, item] of list.entries()) {
    out.push(i === 0 ? '- ' : `${pad}- `);
    write(item, indent + 2, out);
  }
}

function writeMap(map: Readonly<Record<string, unknown>>, indent: number, out: string[]): void {
  const pad = ' '.repeat(indent);
  for (const [i, key] of Object.keys(map).sort().entries()) {
    const value = map[key];
    if (i > 0) out.push(pad);
    out.push(keyText(key, pad), ':');
    if (Array.isArray(value) && value.length > 0) {
      out.push('\n', pad);
      writeList(value, indent, out);
    } else if (isObject(value) && Object.keys(value).length > 0) {
      out.push('\n', pad, '  ');
      writeMap(value, indent + 2, out);
    } else out.push(' ', scalar(value, indent), '\n');
  }
}

function scalar(value: unknown, indent: number): string {
  if (typeof value === 'string') return isBlock(value) ? block(value, indent + 2) : text(value);
  if (Array.isArray(value)) return '[]';
  return isObject(value) ? '{}' : (JSON.stringify(value) ?? 'null');
}

/** A key longer than this would have to be marked as one. */
const LONGEST_KEY = 1000;

function keyText(key: string, pad: string): string {
  return key.length > LONGEST_KEY ? `? ${text(key)}\n${pad}` : text(key);
}

/** What YAML 1.1 would take for something else than text: numbers, times, truth, nothing, merges. */
const RESOLVED =
  /^(?:[-+]?[.\d][\d_.,:eE+xXoOa-fA-F-]*[Zz]?|\d{4}-\d.*|[-+]?\.(?:inf|nan)|e[-+]?\d+|y|n|yes|no|on|off|true|false|null|~|<<|=)$/i;
/** A start that has a meaning of its own, a comment or a key within, space at an end. */
const SPECIAL = /^[-?:](?:\s|$)|^[[\]{},#&*!|>'"%@`]|^\s|\s$|: |:$| #|^---|^\.\.\./;
/** What is not written as it is. */
const UNPRINTABLE = /[^\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/;

function text(value: string): string {
  if (UNPRINTABLE.test(value))
    return JSON.stringify(value).replaceAll(/[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g, escaped);
  if (value === '' || RESOLVED.test(value)) return `"${value}"`;
  return SPECIAL.test(value) ? `'${value.replaceAll("'", "''")}'` : value;
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Text of several lines is shown as such, where nothing about its spaces needs telling. */
function isBlock(value: string): boolean {
  return (
    value.includes('\n') &&
    /^\S/.test(value) &&
    !/[ \t]\n|[ \t]$/.test(value) &&
    !UNPRINTABLE.test(value.replaceAll('\n', ''))
  );
}

function block(value: string, indent: number): string {
  const pad = ' '.repeat(indent);
  const body = value.replace(/\n+$/, '');
  const ends = value.length - body.length;
  const chomp = ends === 0 ? '-' : ends === 1 ? '' : '+';
  const lines = body.split('\n').map((line) => (line === '' ? '' : pad + line));
  return `|${chomp}\n${lines.join('\n')}${'\n'.repeat(Math.max(0, ends - 1))}`;
}
