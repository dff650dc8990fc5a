import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { draftOf } from '#base/json.ts';
import { allCases } from './testing/cases/all-cases.ts';
import type { Refusal } from './testing/kind-cases.ts';
import {
  changed,
  createProblems,
  created,
  definitionOf,
  manifest,
  updated,
  updateProblems,
} from './testing/lifecycle.ts';

/** Kubernetes says exactly these lines; one that ends in `…` may go on. */
function assertLines(found: readonly string[], expected: readonly string[]): void {
  const cut = found.map((line, at) => {
    const wanted = expected[at];
    return wanted?.endsWith('…') && line.startsWith(wanted.slice(0, -1)) ? wanted : line;
  });
  assert.deepEqual(cut, expected);
}

for (const { kind, apiVersion, least, refused, fixed = [], existing = {} } of allCases) {
  describe(`${kind} of ${apiVersion}`, () => {
    const definition = definitionOf(kind, apiVersion);

    it('accepts the least there is to say', () => {
      assert.deepEqual(createProblems(definition, least), []);
    });

    it('fills in the same a second time', () => {
      const first = created(definition, least);
      const second = draftOf(first);
      definition.strategy.applyDefaults?.(second);
      assert.deepEqual(second, first);
    });

    it('accepts itself as a change', () => {
      const old = created(definition, changed(least, existing));
      assert.deepEqual(updateProblems(definition, old, old), []);
    });

    it('prints a cell for every column, with nothing there to print', () => {
      for (const object of [created(definition, least), manifest(definition, {})]) {
        const cells = definition.columns.map((column) => column.cell(object, 0));
        // A time of creation is the server's to give.
        assert.deepEqual(
          cells.filter((cell, at) => cell === undefined && definition.columns[at]?.type !== 'date'),
          [],
        );
      }
    });

    for (const [because, change, ...lines] of refused satisfies readonly Refusal[]) {
      it(because, () => assertLines(createProblems(definition, changed(least, change)), lines));
    }

    for (const [because, change, ...lines] of fixed) {
      it(`${because} once it exists`, () => {
        const old = created(definition, changed(least, existing));
        for (const [path, value] of Object.entries(existing)) {
          if (path.startsWith('status/')) Object.assign(old, changed(old, { [path]: value }));
        }
        assertLines(updateProblems(definition, old, changed(old, change)), lines);
        assert.doesNotThrow(() => updated(definition, old, old));
      });
    }
  });
}
