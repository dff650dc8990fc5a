/**
 * Data on stdout, in the form that was asked for: a table for people, `json`, `yaml`, `name` or `jsonpath=…` for
 * programs. Every list and every single object of every command is printed here, so that all know the same forms.
 */
import { InvalidArgumentError } from 'commander';
import pc from 'picocolors';
import { stringify } from 'yaml';
import { parseJsonPath, printJsonValue } from '#kube/meta/json-path.ts';
import { parseLabelSelector } from '#kube/meta/label-selector.ts';
import { usageFailure } from './failure.ts';
import { table } from './table.ts';

export type Format =
  | { readonly type: 'table'; readonly wide: boolean }
  | { readonly type: 'json' | 'yaml' | 'name' }
  | { readonly type: 'jsonpath'; readonly template: string };

export const TABLE: Format = { type: 'table', wide: false };

/** What `-o` takes. */
export function format(text: string): Format {
  if (text === 'wide') return { type: 'table', wide: true };
  if (text === 'json' || text === 'yaml' || text === 'name') return { type: text };
  const [, template] = /^jsonpath=([^]+)$/.exec(text) ?? [];
  if (template === undefined) throw new InvalidArgumentError('one of json, yaml, wide, name, jsonpath=TEMPLATE');
  return { type: 'jsonpath', template };
}

export interface ListOptions {
  readonly output?: Format;
  readonly selector?: string;
  readonly limit?: number;
  readonly headers?: boolean;
  readonly watch?: boolean;
}

/** A kind of thing that can be listed. */
export interface Listed<T> {
  /** As in `instance/demo`. */
  readonly kind: string;
  readonly name: (item: T) => string;
  /** The cluster it is in, where that is part of what names it. */
  readonly where?: (item: T) => string;
  /** For programs. */
  readonly object: (item: T) => unknown;
  readonly labels?: (item: T) => Readonly<Record<string, string>>;
  readonly columns: readonly Column<T>[];
}

export interface Column<T> {
  readonly head: string;
  readonly of: (item: T) => string;
  /** Only with `-o wide`. */
  readonly wide?: boolean;
}

export function write(text: string): void {
  process.stdout.write(text.endsWith('\n') || text === '' ? text : `${text}\n`);
}

export function printList<T>(listed: Listed<T>, all: readonly T[], options: ListOptions, none: string): void {
  const items = chosen(listed, all, options);
  const { output = TABLE } = options;
  if (output.type === 'name') return write(items.map((item) => nameOf(listed, item)).join('\n'));
  if (output.type !== 'table') return printValue({ items: items.map(listed.object) }, output);
  if (items.length === 0) return void process.stderr.write(`${none}\n`);
  write(tableOf(listed, items, output.wide, options.headers !== false));
}

export function printOne<T>(listed: Listed<T>, item: T, output: Format | undefined, people: () => string): void {
  if (output === undefined) return write(people());
  if (output.type === 'name') return write(nameOf(listed, item));
  if (output.type === 'table') return write(tableOf(listed, [item], output.wide, true));
  printValue(listed.object(item), output);
}

/** `instance/demo`, and in a cluster `frankfurt/pod/nginx-0`. */
function nameOf<T>({ kind, name, where }: Listed<T>, item: T): string {
  return [...(where ? [where(item)] : []), kind, name(item)].join('/');
}

export function printValue(value: unknown, output: Exclude<Format, { type: 'table' }>): void {
  if (output.type === 'jsonpath') return write(fromTemplate(output.template, value));
  write(output.type === 'yaml' ? stringify(value, { lineWidth: 0 }) : JSON.stringify(value, undefined, 2));
}

/** Filtered by labels and cut to the limit. */
export function chosen<T>(
  { kind, labels }: Listed<T>,
  all: readonly T[],
  { selector, limit }: ListOptions,
): readonly T[] {
  if (selector !== undefined && !labels)
    throw usageFailure(`no ${kind} can be found by labels`, 'none has any', 'leave -l out');
  const wanted = selector === undefined ? undefined : parseLabelSelector(selector);
  const matching = wanted ? all.filter((item) => wanted.matches(labels?.(item) ?? {})) : all;
  return limit === undefined || limit === 0 ? matching : matching.slice(0, limit);
}

export function rowsOf<T>({ columns }: Listed<T>, items: readonly T[], wide: boolean): readonly (readonly string[])[] {
  const shown = columns.filter((column) => wide || !column.wide);
  return items.map((item) => shown.map(({ of }) => of(item) || '–'));
}

function tableOf<T>(listed: Listed<T>, items: readonly T[], wide: boolean, headers: boolean): string {
  const head = listed.columns.filter((column) => wide || !column.wide).map((column) => column.head);
  const { columns } = process.stdout;
  const text = table(head, rowsOf(listed, items, wide), columns ? { width: columns } : {});
  return headers ? text : text.slice(text.indexOf('\n') + 1);
}

/** Text with `{paths}` in it and `{range PATH}…{end}`, as kubectl takes it. */
export function fromTemplate(template: string, root: unknown): string {
  const bare = /^[.$@[]/.test(template) ? `{${template}}` : template;
  const parts = bare.split(/(\{[^{}]*\})/).filter((part) => part !== '');
  return filled(parts, root, root).text;
}

function filled(
  parts: readonly string[],
  value: unknown,
  root: unknown,
): { readonly text: string; readonly used: number } {
  let text = '';
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index] ?? '';
    const inner = /^\{([^]*)\}$/.exec(part)?.[1]?.trim();
    if (inner === 'end') return { text, used: index + 1 };
    if (inner === undefined) text += part;
    else if (inner.startsWith('range ')) {
      const rest = parts.slice(index + 1);
      const each = parseJsonPath(inner.slice('range '.length).trim()).find(value);
      text += each.map((item) => filled(rest, item, root).text).join('');
      index += filled(rest, undefined, root).used;
    } else text += expression(inner, value, root);
  }
  return { text, used: parts.length };
}

function expression(inner: string, value: unknown, root: unknown): string {
  const literal = /^["']([^]*)["']$/.exec(inner)?.[1];
  if (literal !== undefined) return literal.replaceAll('\\n', '\n').replaceAll('\\t', '\t');
  return parseJsonPath(inner)
    .find(inner.startsWith('$') ? root : value)
    .map(printJsonValue)
    .join(' ');
}

/** A word about how something is, in the colour of its meaning; the word alone must do without colour. */
export function stateWord(word: string): string {
  if (/^(running|ready|true|healthy|placed|ok|allowed|completed)$/i.test(word)) return pc.green(word);
  if (/^(failed|unavailable|false|refused|denied|nowhere|stuck|failing)$/i.test(word)) return pc.red(word);
  if (/^(inprocess|creating|propagating|unknown|pending|deleting|terminal|moved)$/i.test(word)) return pc.yellow(word);
  return word;
}
