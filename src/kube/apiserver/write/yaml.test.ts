import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseYaml } from './yaml.ts';

const read = (text: string, timeoutMs?: number) => parseYaml(Buffer.from(text), timeoutMs);

describe('A body in YAML', () => {
  it('is read as Go reads it', async () => {
    const text = 'on: yes\nday: 2026-01-01\nmode: 0644\nlist: [1, "2"]\ntext: |\n  a\n  b\n';
    const value = { true: true, day: '2026-01-01', mode: 420, list: [1, '2'], text: 'a\nb\n' };
    assert.deepEqual(await read(text), value);
    assert.deepEqual(await read('a: &a {b: c}\nd: *a\n---\nsecond: document'), { a: { b: 'c' }, d: { b: 'c' } });
    assert.equal(await read(''), undefined);
  });

  it('may be JSON, or nearly', async () => {
    assert.deepEqual(await read('{"a": [1, true, null]}'), { a: [1, true, null] });
    assert.deepEqual(await read('{a: b,}'), { a: 'b' });
  });

  it('is refused with its mistake', async () => {
    await assert.rejects(read('a: [b'), /error converting YAML to JSON: yaml: Flow sequence .* line 1/);
    await assert.rejects(read('a: b: c'), /error converting YAML to JSON: yaml: Nested mappings are not allowed/);
    await assert.rejects(read('x: {__proto__: 1}'), /the key "__proto__" is not supported/);
  });

  it('is refused when it nests too deep or repeats itself too often', async () => {
    await assert.rejects(read(`a: ${'['.repeat(5_000)}${']'.repeat(5_000)}`), /exceeded max depth/);
    const levels = 'abcdefgh'.split('').map((name, i, names) => `${name}: &${name} [${`*${names[i - 1]},`.repeat(9)}]`);
    await assert.rejects(read(['a: &a [x]', ...levels.slice(1)].join('\n')), /Excessive alias count/);
  });

  it('is given up after its time, and the next one is read all the same', async () => {
    const endless = '? '.repeat(50_000);
    const [first, second] = await Promise.allSettled([read(endless, 200), read('a: b')]);
    assert.equal(first.status, 'rejected');
    assert.match(String(first.reason), /the document takes too long to read/);
    assert.deepEqual(second, { status: 'fulfilled', value: { a: 'b' } });
  });
});
