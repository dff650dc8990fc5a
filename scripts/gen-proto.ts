/**
 * Makes gen/proto from proto/: `npm run gen:proto`.
 *
 * buf reads the files and runs protoc-gen-es; only what differs is written, so that programs that are running meanwhile
 * never miss a file. A test asks {@link generate} for the same and compares.
 */
import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fromBinary } from '@bufbuild/protobuf';
import { type FileDescriptorProto, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';

const ROOT = resolve(import.meta.dirname, '..');
const OUT = 'gen/proto';

/** Every generated file, by its path below the repository. */
export function generate(): Map<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'gen-proto-'));
  try {
    buf('generate', '--output', folder);
    return filesBelow(folder).set(`${OUT}/comments.ts`, commentsModule(folder));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The comments of our own proto files, by full name: what generated code leaves out, and OpenAPI wants to have. */
function commentsModule(folder: string): string {
  const image = join(folder, 'image.binpb');
  buf('build', '--output', image);
  const { file } = fromBinary(FileDescriptorSetSchema, readFileSync(image));
  const comments = file.filter(({ package: name }) => /^(kairship|kpanda|ghippo|rpc)\./.test(name)).flatMap(commentsOf);
  return [
    '// Generated from proto/ by scripts/gen-proto.ts.',
    '',
    'export const COMMENTS: Readonly<Record<string, string>> = {',
    ...comments
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, text]) => `  ${JSON.stringify(name)}: ${JSON.stringify(text)},`),
    '};',
    '',
  ].join('\n');
}

function commentsOf(file: FileDescriptorProto): [name: string, text: string][] {
  return (file.sourceCodeInfo?.location ?? []).flatMap(({ path, leadingComments }) => {
    const name = nameAt(file, path);
    const text = leadingComments.trim().replaceAll(/\s+/g, ' ');
    return name === undefined || text === '' ? [] : [[`${file.package}.${name}`, text]];
  });
}

interface Named {
  readonly name: string;
  readonly field?: readonly Named[];
  readonly nestedType?: readonly Named[];
  readonly enumType?: readonly Named[];
  readonly value?: readonly Named[];
  readonly method?: readonly Named[];
}

/** The name of what stands at a path of descriptor.proto: pairs of a field's number and an index. */
function nameAt(file: FileDescriptorProto, path: readonly number[]): string | undefined {
  const top: Readonly<Record<number, readonly Named[]>> = { 4: file.messageType, 5: file.enumType, 6: file.service };
  let at = top[path[0] ?? 0]?.[path[1] ?? 0];
  if (path.length % 2 !== 0 || !at) return undefined;
  const names = [at.name];
  for (let index = 2; index < path.length; index += 2) {
    // Fields and methods and values all have the number 2; 3 and 4 are messages and enums within a message.
    const within: Readonly<Record<number, readonly Named[] | undefined>> = {
      2: at.field ?? at.method ?? at.value,
      3: at.nestedType,
      4: at.enumType,
    };
    at = within[path[index] ?? 0]?.[path[index + 1] ?? 0];
    if (!at) return undefined;
    names.push(at.name);
  }
  return names.join('.');
}

/** What is committed, in the same form. */
export const generated = () => filesBelow(ROOT);

/** Runs buf on the repository and answers what it printed; throws what it complains about. */
export function buf(...args: readonly string[]): string {
  const command = join(ROOT, 'node_modules/.bin/buf');
  const path = `${join(ROOT, 'node_modules/.bin')}:${dirname(process.execPath)}:${process.env['PATH']}`;
  try {
    return execFileSync(command, args, {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: 'pipe',
      env: { ...process.env, PATH: path },
    });
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout?: string; readonly stderr?: string };
    throw new Error(`buf ${args.join(' ')}:\n${stdout}${stderr}`, { cause: error });
  }
}

function filesBelow(folder: string): Map<string, string> {
  const names = globSync(`${OUT}/**/*.ts`, { cwd: folder }).sort();
  return new Map(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

function write(): void {
  const [wanted, present] = [generate(), generated()];
  for (const [name, text] of wanted) {
    if (present.get(name) === text) continue;
    mkdirSync(dirname(join(ROOT, name)), { recursive: true });
    writeFileSync(join(ROOT, name), text);
    console.log(`wrote ${name}`);
  }
  for (const name of present.keys()) {
    if (wanted.has(name)) continue;
    rmSync(join(ROOT, name));
    console.log(`removed ${name}`);
  }
}

if (import.meta.main) write();
