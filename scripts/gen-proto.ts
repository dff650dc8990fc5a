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

const ROOT = resolve(import.meta.dirname, '..');
const OUT = 'gen/proto';

/** Every generated file, by its path below the repository. */
export function generate(): Map<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'gen-proto-'));
  try {
    buf('generate', '--output', folder);
    return filesBelow(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
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
