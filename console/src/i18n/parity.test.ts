import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, it } from 'node:test';
import { en } from './en.ts';
import { zh } from './zh.ts';

type Texts = { readonly [key: string]: string | Texts };

/** Every text by its whole key. Chinese has one form for all numbers, English two: they are one key. */
function flat(texts: Texts, prefix = ''): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(texts).flatMap(([key, value]) =>
      typeof value === 'string' ? [[`${prefix}${key}`, value] as const] : [...flat(value, `${prefix}${key}.`)],
    ),
  );
}

const base = (key: string) => key.replace(/_(one|other)$/, '');
const keysOf = (texts: Texts) => new Set([...flat(texts).keys()].map(base));
const holes = (text: string) => Array.from(text.matchAll(/{{(\w+)}}/g), ([, name = '']) => name).sort();

describe('the languages of the console', () => {
  it('have the same keys', () => {
    assert.deepEqual([...keysOf(zh)].sort(), [...keysOf(en)].sort());
  });

  it('have something to say for each of them', () => {
    const empty = [...flat(en), ...flat(zh)].filter(([, text]) => text.trim() === '').map(([key]) => key);
    assert.deepEqual(empty, []);
  });

  it('leave room for the same values', () => {
    const english = flat(en);
    const different = [...flat(zh)].filter(([key, text]) => {
      const other = english.get(key);
      return other !== undefined && holes(other).join() !== holes(text).join();
    });
    assert.deepEqual(different, []);
  });

  it('have every key that the pages name, and no page has words of its own', () => {
    const root = resolve(import.meta.dirname, '..');
    const known = keysOf(en);
    const missing = globSync('**/*.tsx', { cwd: root }).flatMap((file) =>
      [...readFileSync(resolve(root, file), 'utf8').matchAll(/\bt\('([\w.]+)'/g)]
        .map(([, key = '']) => key)
        .filter((key) => !known.has(key))
        .map((key) => `${file}: ${key}`),
    );
    assert.deepEqual(missing, []);
  });
});
