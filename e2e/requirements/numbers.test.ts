/** Every requirement of the platform has a test that bears its number, and the table of proofs names files there are. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { it } from 'node:test';

const ROOT = resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const FILES = globSync(['{src,cmd,scripts}/**/*.test.ts', 'e2e/**/*.ts'], { cwd: ROOT });
/** `it('R14, R15: …'`, `describe('R43–R46: …'`. */
const NUMBERED = /\b(?:it|describe)\(\s*['"`]((?:R\d+(?:, |–)?)+): /g;
/** What only a measurement can show, and which one. */
const MEASURED = new Map([[37, 'bench/kpanda']]);
const LAST = 47;

function numbersIn(text: string): number[] {
  return [...text.matchAll(/R(\d+)(?:–R(\d+))?/g)].flatMap(([, from, to]) => {
    const first = Number(from);
    return Array.from({ length: Number(to ?? from) - first + 1 }, (_, at) => first + at);
  });
}

it('every requirement from R1 on is in the name of a test, or is measured', () => {
  const named = new Set(
    FILES.flatMap((file) => [...read(file).matchAll(NUMBERED)].flatMap(([, numbers = '']) => numbersIn(numbers))),
  );
  const missing = Array.from({ length: LAST }, (_, at) => at + 1).filter((n) => !named.has(n) && !MEASURED.has(n));
  assert.deepEqual(missing, []);
  for (const place of MEASURED.values()) assert.ok(existsSync(join(ROOT, place)), place);
});

it('the table of proofs has a row for every requirement, and the files it names are there', () => {
  const table = read('docs/verification.md').split('## Which test proves what was promised')[1] ?? '';
  const rows = [...table.matchAll(/^\| (.*?) \| (.*) \|$/gm)].slice(1);
  const told = new Set(rows.flatMap(([, requirement = '']) => numbersIn(requirement)));
  const untold = Array.from({ length: LAST }, (_, at) => at + 1).filter((n) => !told.has(n));
  assert.deepEqual(untold, []);
  const known = new Set(
    globSync(['src/**', 'e2e/**', 'scripts/*', 'docs/*', 'bench/**', 'console/src/**'], { cwd: ROOT }),
  );
  const names = new Set([...known].map((path) => basename(path)));
  const files = rows.flatMap(([, , proof = '']) =>
    [...proof.matchAll(/`([\w./-]+\.(?:ts|yaml))`/g)].map(([, file = '']) => file),
  );
  assert.deepEqual(
    files.filter((file) => !known.has(file) && !(names.has(file) && !file.includes('/'))),
    [],
  );
});
