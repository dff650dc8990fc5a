import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import { PROGRAMS } from './compile.ts';

describe('kairship __compile', () => {
  it('loads every program that the command line starts', () => {
    const wiring = ['kairship.ts', 'agent-command.ts', 'karmada-command.ts', 'platform/commands.ts'];
    const loaded = wiring.flatMap((file) => {
      const text = readFileSync(join(import.meta.dirname, file), 'utf8');
      return [...text.matchAll(/import\('\.{1,2}\/([\w-]+\.ts)'\)/g)].map(([, name = '']) => basename(name));
    });
    assert.deepEqual(PROGRAMS.toSorted(), [...new Set(loaded)].filter((name) => name !== 'compile.ts').sort());
  });
});
