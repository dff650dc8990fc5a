/**
 * The whole test command: format, lint, types, then every test, in one run with one verdict.
 *
 *     node scripts/test.ts              everything, as CI does
 *     node scripts/test.ts --unit PATH  only node:test files, below PATH
 *
 * Ends with a line `N passed, N failed, N skipped`. Skips are listed with their reason; with CI=true they are failures
 * unless the test says they belong to another machine.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { relative, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { run } from 'node:test';
import { inspect } from 'node:util';
import { type Entry, entriesOf, groupsOf } from './test-groups.ts';
import { setUpTools } from './test-tools.ts';

const ROOT = resolve(import.meta.dirname, '..');
/** Journeys come first: they are the longest, and a long one begun last would keep everybody waiting for it alone. */
const UNIT = [
  'e2e/services/*.test.ts',
  'e2e/*.test.ts',
  'e2e/{docs,kube,requirements}/*.test.ts',
  'src/karmada/engine/*.test.ts',
  'src/**/*.test.ts',
  'cmd/**/*.test.ts',
  'scripts/**/*.test.ts',
  'console/src/**/*.test.ts',
];

interface Tally {
  passed: number;
  failed: number;
  readonly skipped: string[];
  /** What failed, told once more at the end: the end of a long log is what people are shown. */
  readonly failures: string[];
}

function step(name: string, command: string, args: readonly string[]): boolean {
  const started = Date.now();
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: ROOT, encoding: 'utf8' });
  console.log(`${status === 0 ? '✓' : '✗'} ${name} (${seconds(started)})`);
  if (status !== 0) console.log(`${stdout}${stderr}`);
  return status === 0;
}

const seconds = (since: number) => `${((Date.now() - since) / 1000).toFixed(1)} s`;

/** Runs node:test files, a process for each group, and prints one line a file and every failure in full. */
function runNodeTests(entries: readonly Entry[], concurrency: number, tally: Tally): Promise<void> {
  const filesOf = new Map(entries.map(({ path, files }) => [path, files]));
  const errors = new Map<string, string>();
  const perFile = new Map<string, { passed: number; failed: number; ms: number }>();
  const of = (file: string | undefined) => {
    const name = relative(ROOT, file ?? '?');
    const counts = perFile.get(name) ?? { passed: 0, failed: 0, ms: 0 };
    perFile.set(name, counts);
    return counts;
  };
  const stream = run({
    files: entries.map(({ path }) => path),
    concurrency,
    isolation: 'process',
    execArgv: ['--import', resolve(ROOT, 'cmd/quick-imports.ts')],
    // A test that hangs is a failure with a name, not a run that never ends.
    timeout: 300_000,
    cwd: ROOT,
  });
  stream.on('test:pass', ({ file, name, skip, details }) => {
    if (details.type === 'suite') return;
    if (skip !== undefined) {
      tally.skipped.push(`${relative(ROOT, file ?? '')}: ${name}${typeof skip === 'string' ? ` (${skip})` : ''}`);
      return;
    }
    const counts = of(file);
    counts.passed += 1;
    counts.ms += details.duration_ms;
  });
  stream.on('test:fail', ({ file, name, details }) => {
    if (details.type === 'suite' || isEcho(details.error)) return;
    // The process itself, when it bears the name of what it was started with.
    const ended = name === file ? filesOf.get(name) : undefined;
    for (const failed of ended ?? [file]) {
      of(failed).failed += 1;
      const what = ended ? `its process ended with ${howItEnded(details.error)}` : name;
      const why = ended ? (errors.get(name) ?? '') : describe(details.error);
      const failure = `\n✗ ${relative(ROOT, failed ?? '')}: ${what}\n${indent(why)}\n`;
      console.log(failure);
      tally.failures.push(failure);
    }
  });
  // What a process wrote is shown when it failed itself; chatter of passing tests is noise.
  stream.on('test:stderr', ({ file, message }) => {
    errors.set(file, ((errors.get(file) ?? '') + message).slice(-4_000));
    if (process.env['VERBOSE']) process.stderr.write(`${relative(ROOT, file)}: ${message}`);
  });
  return new Promise((done, fail) => {
    stream.on('error', fail);
    stream.on('end', () => {
      for (const [name, { passed, failed, ms }] of [...perFile].sort(([a], [b]) => (a < b ? -1 : 1))) {
        console.log(
          `${failed === 0 ? '✓' : '✗'} ${name}  ${passed} passed${failed ? `, ${failed} failed` : ''}  ${Math.round(ms)} ms`,
        );
        tally.passed += passed;
        tally.failed += failed;
      }
      done();
    });
    stream.resume();
  });
}

function describe(error: Error): string {
  const cause = error.cause;
  return cause instanceof Error
    ? (cause.stack ?? cause.message)
    : `${error.message}${cause ? `\n${inspect(cause)}` : ''}`;
}

function howItEnded(error: Error): string {
  const { exitCode, signal } = error as { readonly exitCode?: number | null; readonly signal?: string | null };
  return String(signal ?? exitCode ?? error.message);
}

/** A parent that failed only because a child did. */
const isEcho = (error: Error) => 'failureType' in error && error.failureType === 'subtestsFailed';

const indent = (text: string) => text.replaceAll(/^/gm, '    ');

/** Runs the tests in a browser; what came of them is told when it is asked for. */
function browserTests(tally: Tally): () => Promise<void> {
  const playwright = spawn('playwright', ['test', '-c', 'e2e/browser/playwright.config.ts'], { cwd: ROOT });
  const ended = Promise.all([once(playwright, 'close'), text(playwright.stdout), text(playwright.stderr)]);
  return async () => {
    const [[status], stdout, stderr] = await ended;
    console.log(stdout.trim());
    const count = (word: string) => Number(stdout.match(new RegExp(`(\\d+) ${word}`))?.[1] ?? 0);
    tally.passed += count('passed');
    tally.failed += count('failed') || (status === 0 ? 0 : 1);
    if (status !== 0) console.log(stderr);
  };
}

// More than a hundred processes load much the same modules: compiled once, that is almost half of the whole run.
process.env['NODE_COMPILE_CACHE'] ??= resolve(ROOT, 'node_modules/.cache/kairship');

const only = process.argv.indexOf('--unit');
const paths = only < 0 ? [] : process.argv.slice(only + 1);
const tally: Tally = { passed: 0, failed: 0, skipped: [], failures: [] };
let ok = true;

if (only < 0) {
  ok = step('format', 'biome', ['format', '.']) && ok;
  ok = step('lint', 'oxlint', ['--type-aware', '--deny-warnings']) && ok;
  ok = step('types', 'tsc', ['--noEmit']) && ok;
  ok = step('types of the console', 'tsc', ['--noEmit', '-p', 'console']) && ok;
  const missing = setUpTools();
  for (const line of missing) console.log(`missing tool: ${line}`);
  if (missing.length > 0 && process.env['CI'] === 'true') ok = false;
}
const files = [...new Set(UNIT.flatMap((pattern) => globSync(pattern, { cwd: ROOT }).sort()))].filter(
  (file) => paths.length === 0 || paths.some((path) => file.startsWith(path)),
);
const groups = groupsOf(files, (file) => readFileSync(resolve(ROOT, file), 'utf8'));
const { entries, directory } = entriesOf(groups.map((group) => group.map((file) => resolve(ROOT, file))));
// One more at a time than there are cores: journeys wait for other processes most of their time. The browser is one.
const cores = availableParallelism();
const browser = only < 0 ? browserTests(tally) : undefined;
await runNodeTests(entries, browser ? cores : cores + 1, tally).finally(() => rmSync(directory, { recursive: true }));
await browser?.();

for (const failure of tally.failures) console.log(failure);
for (const line of tally.skipped) console.log(`skipped: ${line}`);
console.log(`${tally.passed} passed, ${tally.failed} failed, ${tally.skipped.length} skipped`);
process.exit(ok && tally.failed === 0 && tally.passed > 0 ? 0 : 1);
