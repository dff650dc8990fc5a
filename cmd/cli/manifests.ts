/** The objects in files, folders and stdin, as `-f` names them. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { isObject } from '#base/json.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { CommandFailure, EXIT, usageFailure } from './failure.ts';
import { fromStdin } from './prompt.ts';

const EXTENSIONS = ['.yaml', '.yml', '.json'];

/** `-` is stdin; of a folder every YAML and JSON file, by name, not those of folders in it unless asked. */
export async function manifestsFrom(
  names: readonly string[],
  { recursive = false } = {},
): Promise<readonly KubeObject[]> {
  if (names.length === 0)
    throw usageFailure('nothing to read', 'a file, a folder or - for stdin is needed', 'add -f FILE');
  const all = await Promise.all(names.map((name) => objectsIn(name, recursive)));
  const objects = all.flat();
  if (objects.length > 0) return objects;
  throw usageFailure(`no objects in ${names.join(', ')}`, 'there is nothing in it', 'check the path after -f');
}

async function objectsIn(name: string, recursive: boolean): Promise<readonly KubeObject[]> {
  if (name === '-') return parse(await fromStdin(), 'stdin');
  const files = await filesOf(name, recursive);
  const texts = await Promise.all(files.map(async (file) => parse(await readFile(file, 'utf8'), file)));
  return texts.flat();
}

async function filesOf(name: string, recursive: boolean): Promise<readonly string[]> {
  const about = await stat(name).catch((cause: unknown) => {
    throw new CommandFailure(`cannot read ${name}`, {
      why: 'there is no such file or folder',
      next: 'check the path after -f',
      code: EXIT.notFound,
      cause,
    });
  });
  if (!about.isDirectory()) return [name];
  const entries = await readdir(name, { recursive });
  return entries
    .filter((entry) => EXTENSIONS.includes(extname(entry)))
    .sort()
    .map((entry) => join(name, entry));
}

function parse(text: string, where: string): readonly KubeObject[] {
  return parseAllDocuments(text).flatMap((document) => {
    const [error] = document.errors;
    if (error) throw unreadable(where, error.message.split('\n')[0] ?? '', error);
    const value: unknown = document.toJS();
    return value === null || value === undefined ? [] : objectsOf(value, where);
  });
}

function objectsOf(value: unknown, where: string): readonly KubeObject[] {
  if (isObject(value) && value['kind'] === 'List' && Array.isArray(value['items']))
    return (value['items'] as readonly unknown[]).flatMap((item) => objectsOf(item, where));
  const named = isObject(value) && isObject(value['metadata']) && typeof value['metadata']['name'] === 'string';
  if (!named || typeof value['apiVersion'] !== 'string' || typeof value['kind'] !== 'string')
    throw unreadable(where, 'an object in it lacks apiVersion, kind or metadata.name');
  return [value as unknown as KubeObject];
}

function unreadable(where: string, why: string, cause?: unknown): CommandFailure {
  return new CommandFailure(`${where} cannot be read`, {
    why,
    next: 'correct it and try again',
    code: EXIT.usage,
    cause,
  });
}
