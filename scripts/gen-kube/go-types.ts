/**
 * Reads the type declarations of Go packages: as much of the language as Kubernetes' API packages use.
 *
 * Only the Go sources know three things at once: the order of fields (the key order of every JSON answer), the
 * protobuf numbers, and what Go leaves out when a value is empty. Anything this reader does not understand is an error.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Modules, packageDirectory } from './modules.ts';

/** A type expression with package names resolved: `{ name: 'k8s.io/api/core/v1.PodSpec' }`. */
export type GoExpression =
  | { readonly form: 'pointer' | 'list'; readonly of: GoExpression }
  | { readonly form: 'map'; readonly key: GoExpression; readonly of: GoExpression }
  | { readonly form: 'name'; readonly package: string; readonly name: string }
  | { readonly form: 'primitive'; readonly name: string };

export interface GoField {
  /** Absent on an embedded struct whose fields are promoted. */
  readonly json?: string;
  readonly omitEmpty: boolean;
  readonly omitZero: boolean;
  readonly type: GoExpression;
  /** 0: not on the wire. */
  readonly number: number;
  readonly patchStrategy?: string;
  readonly patchMergeKey?: string;
}

export type GoDeclaration =
  | { readonly form: 'struct'; readonly fields: readonly GoField[] }
  | { readonly form: 'defined'; readonly as: GoExpression };

export type GoPackage = ReadonlyMap<string, GoDeclaration>;

/** A reader that parses each package once. */
export function goPackages(modules: Modules): (path: string) => GoPackage {
  const read = new Map<string, GoPackage>();
  return (path) => {
    let found = read.get(path);
    if (!found) read.set(path, (found = readPackage(packageDirectory(modules, path), path)));
    return found;
  };
}

function readPackage(directory: string, path: string): GoPackage {
  const declarations = new Map<string, GoDeclaration>();
  const files = readdirSync(directory).filter((file) => /^[^_]\w*\.go$/.test(file));
  for (const file of files) {
    if (/^zz_generated|^generated\.|_test\.go$/.test(file)) continue;
    readFile(readFileSync(join(directory, file), 'utf8'), path, declarations);
  }
  return declarations;
}

function readFile(source: string, path: string, declarations: Map<string, GoDeclaration>): void {
  const text = source.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '');
  const imports = readImports(text);
  for (const [, name = '', body = ''] of text.matchAll(/^type (\w+) struct ?\{(?:\}|\n([\s\S]*?)^\})/gm)) {
    declarations.set(name, { form: 'struct', fields: readFields(body, path, imports) });
  }
  for (const [, name = '', , as = ''] of text.matchAll(/^type (\w+) (= )?([\w.*[\]]+)$/gm)) {
    declarations.set(name, { form: 'defined', as: parseExpression(as, path, imports) });
  }
}

function readImports(text: string): ReadonlyMap<string, string> {
  const imports = new Map<string, string>();
  const block = /^import \(([\s\S]*?)^\)/m.exec(text)?.[1] ?? '';
  const single = [...text.matchAll(/^import (.*)$/gm)].map((match) => match[1] ?? '');
  for (const line of [...block.split('\n'), ...single]) {
    const match = /(?:(\w+) )?"([^"]+)"/.exec(line);
    const target = match?.[2];
    if (target) imports.set(match[1] ?? target.slice(target.lastIndexOf('/') + 1), target);
  }
  return imports;
}

function readFields(body: string, path: string, imports: ReadonlyMap<string, string>): GoField[] {
  const fields: GoField[] = [];
  for (const line of body.split('\n')) {
    const match = /^\s+(?:(\w+)\s+)?([\w.*[\]]+)\s*(?:`([^`]*)`)?/.exec(line);
    const type = match?.[2];
    if (!type) continue;
    const field = readField(type, tagsOf(match[3] ?? ''), path, imports);
    if (field) fields.push(field);
  }
  return fields;
}

function readField(
  type: string,
  tags: Readonly<Record<string, string>>,
  path: string,
  imports: ReadonlyMap<string, string>,
): GoField | undefined {
  const [name = '', ...options] = (tags['json'] ?? '').split(',');
  if (name === '-' || tags['json'] === undefined) return undefined;
  if (name === '' && !options.includes('inline')) throw new Error(`a field of type ${type} has no JSON name`);
  return {
    ...(name === '' ? {} : { json: name }),
    omitEmpty: options.includes('omitempty'),
    omitZero: options.includes('omitzero'),
    type: parseExpression(type, path, imports),
    number: Number((tags['protobuf'] ?? '').split(',')[1] ?? 0),
    ...(tags['patchStrategy'] ? { patchStrategy: tags['patchStrategy'] } : {}),
    ...(tags['patchMergeKey'] ? { patchMergeKey: tags['patchMergeKey'] } : {}),
  };
}

function tagsOf(tag: string): Readonly<Record<string, string>> {
  return Object.fromEntries([...tag.matchAll(/(\w+):"([^"]*)"/g)].map((match) => [match[1], match[2]]));
}

const PRIMITIVES = new Set(['string', 'bool', 'int', 'int32', 'int64', 'uint32', 'uint64', 'float64', 'byte', 'uint8']);

function parseExpression(text: string, path: string, imports: ReadonlyMap<string, string>): GoExpression {
  const parse = (rest: string) => parseExpression(rest, path, imports);
  if (text.startsWith('*')) return { form: 'pointer', of: parse(text.slice(1)) };
  if (text.startsWith('[]')) return { form: 'list', of: parse(text.slice(2)) };
  const map = /^map\[([^\]]+)\](.*)$/.exec(text);
  if (map) return { form: 'map', key: parse(map[1] ?? ''), of: parse(map[2] ?? '') };
  if (PRIMITIVES.has(text)) return { form: 'primitive', name: text };
  const dot = text.indexOf('.');
  if (dot < 0) return { form: 'name', package: path, name: text };
  const target = imports.get(text.slice(0, dot));
  // A package that is not imported under its own name is one nobody asks for: constants and helpers beside the types.
  return { form: 'name', package: target ?? text.slice(0, dot), name: text.slice(dot + 1) };
}
