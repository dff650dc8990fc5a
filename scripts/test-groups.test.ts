import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { describe, it } from 'node:test';
import { entriesOf, groupsOf } from './test-groups.ts';

const files = (room: string, count: number) => Array.from({ length: count }, (_, n) => `${room}/${n}.test.ts`);

describe('test files', () => {
  it('of a room share a process, a few at a time, and each is in one', () => {
    const all = [...files('src/kube/store', 9), ...files('src/kube/store/sqlite', 2), ...files('src/base/time', 3)];
    const groups = groupsOf(all, () => '');
    assert.deepEqual(groups.flat().toSorted(), all.toSorted());
    assert.deepEqual(
      groups.map(({ length }) => length),
      [8, 3, 3],
    );
  });

  it('are alone as journeys, and when they touch what a process has only one of', () => {
    const texts: Readonly<Record<string, string>> = {
      'src/a/plain.test.ts': "it('reads', () => {});",
      'src/a/suite.test.ts': "describe('one', () => {\n  before(() => {});\n});",
      'src/a/hook.test.ts': '\nafter(() => server.close());',
      'src/a/env.test.ts': "  process.env['HOME'] = '/';",
      'src/a/clock.test.ts': "mock.timers.enable({ apis: ['Date'] });",
      'src/a/program.test.ts': "import { spawn } from 'node:child_process';",
      'e2e/journey.test.ts': '',
    };
    const groups = groupsOf(Object.keys(texts), (file) => texts[file] ?? '');
    assert.deepEqual(
      groups.filter(({ length }) => length > 1),
      [['src/a/plain.test.ts', 'src/a/suite.test.ts']],
    );
  });

  it('are imported by a module of their group, or started themselves', (t) => {
    const { entries, directory } = entriesOf([['/a b/1.test.ts', '/a b/2.test.ts'], ['/a b/3.test.ts']]);
    t.after(() => rmSync(directory, { recursive: true }));
    const [group, alone] = entries;
    assert.equal(alone?.path, '/a b/3.test.ts');
    assert.equal(
      readFileSync(group?.path ?? '', 'utf8'),
      'import "file:///a%20b/1.test.ts";\nimport "file:///a%20b/2.test.ts";\n',
    );
  });
});
