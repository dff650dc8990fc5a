/**
 * Documents are right: what they say is typed in order, on one platform, and comes out as they say.
 *
 *     npm run test:docs         all of them
 *
 * `npm test` types the first of them. What cannot be run here says so in the document itself, and is listed.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Block, readDocument } from './read-document.ts';
import { type Place, place, type Reader, reader } from './reader.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** In the order in which somebody would read them: later ones may count on what earlier ones did. */
const ORDER = [
  'README.md',
  'docs/guide/first-steps.md',
  'docs/guide/distribute.md',
  'docs/guide/differ-per-cluster.md',
  'docs/guide/fail-over.md',
  'docs/guide/people-and-rights.md',
  'docs/guide/what-if-in-ci.md',
  'docs/guide/import-a-cluster.md',
];
const ALWAYS = ORDER.slice(0, 2);

const ALL = globSync(['README*.md', 'CONTRIBUTING.md', 'docs/*.md', 'docs/guide/*.md'], { cwd: ROOT }).sort();
const blocksOf = (file: string) => readDocument(readFileSync(join(ROOT, file), 'utf8'));
const others = ALL.filter((file) => !ORDER.includes(file) && file !== 'README.zh.md');
const DOCUMENTS = process.env['EVERYTHING'] ? [...ORDER, ...others] : ALWAYS;

describe('documents', { timeout: 900_000 }, () => {
  let here: Place;
  before(async () => {
    here = await place();
  });
  after(() => here.leave());

  for (const file of DOCUMENTS)
    describe(file, () => {
      let somebody: Reader;
      before(() => {
        somebody = reader(here);
      });
      after(() => somebody.leave());
      for (const block of blocksOf(file))
        it(titleOf(block), async (t) => {
          if (block.excuse === undefined) await somebody.follow(block);
          else t.diagnostic(`${file}:${block.line} is not run: ${block.excuse}`);
        });
    });
});

describe('documents that are not run here', () => {
  it('say in every block why', () => {
    for (const file of ALL) for (const { excuse } of blocksOf(file)) assert.notEqual(excuse, '', file);
  });

  it('README.zh.md has the commands of README.md', () => {
    const typed = (file: string) =>
      blocksOf(file).flatMap(({ commands }) => commands.map(({ text }) => text.replace(/\s+# .*$/, '')));
    assert.deepEqual(typed('README.zh.md'), typed('README.md'));
  });
});

function titleOf({ kind, name, line, commands }: Block): string {
  return kind === 'file' ? `line ${line}: ${name}` : `line ${line}: ${commands[0]?.text.split('\n')[0] ?? 'nothing'}`;
}
