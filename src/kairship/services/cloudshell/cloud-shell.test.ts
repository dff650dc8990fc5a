import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { optionsOf, wordsOf } from './command-line.ts';
import { COMMANDS, type Desk } from './commands.ts';
import { rowsOf, tableText } from './print.ts';
import { LINE_LIMITS, runLine, type Said } from './run-line.ts';

describe('A line', () => {
  it('is words, kept together by quotes and backslashes', () => {
    assert.deepEqual(wordsOf(`kubectl get  pods -l 'a=b c' "x\\"y" z\\ z ''`), [
      'kubectl',
      'get',
      'pods',
      '-l',
      'a=b c',
      'x"y',
      'z z',
      '',
    ]);
    assert.deepEqual(wordsOf(' '), []);
  });

  for (const line of [
    'kubectl get pods | sh',
    'a; b',
    'a && b',
    'a > /etc/passwd',
    'echo $HOME',
    '`id`',
    '$(id)',
    'a\nb',
  ])
    it(`is refused when it is more than one command: ${JSON.stringify(line)}`, () => {
      assert.throws(() => wordsOf(line), { reason: 'BadRequest' });
    });

  it('has the options that commands know, and no others', () => {
    const options = optionsOf(['pods', '-n', 'shop', '-A', '-f', '-', '--replicas=3']);
    assert.deepEqual(options.words, ['pods']);
    assert.deepEqual(
      [options.text('namespace'), options.flag('all-namespaces'), options.text('filename')],
      ['shop', true, '-'],
    );
    assert.equal(options.text('replicas'), '3');
    assert.throws(() => optionsOf(['--kubeconfig', '/etc/x']), { reason: 'BadRequest' });
  });
});

describe('A command', () => {
  const desk: Desk = {
    instance: 'demo',
    client: () => Promise.reject(new Error('nothing is asked')),
    members: async () => [],
    input: '',
    signal: new AbortController().signal,
  };
  const run = async (line: string, more: Partial<Desk> = {}) => {
    const said: Said[] = [];
    for await (const one of runLine(line, { ...desk, ...more })) said.push(one);
    return { text: said.map(({ output = '' }) => output).join(''), code: said.at(-1)?.exitCode };
  };

  it('is one of ours: no other program is run, whatever it is called', async () => {
    for (const line of ['sh -c id', '/bin/sh', 'constructor', 'node -e 1']) assert.equal((await run(line)).code, 3);
    for (const line of ['kubectl exec a', 'kubectl proxy', 'kubectl constructor', 'kairship up']) {
      assert.equal((await run(line)).code, 2);
    }
  });

  it('reads no file', async () => {
    const client = () => Promise.resolve({} as never);
    for (const line of ['kubectl apply -f /etc/passwd', 'kairship plan -f x.yaml'])
      assert.deepEqual(await run(line, { client }), {
        text: 'error: -f -: there are no files here, send the manifests with the command\n',
        code: 2,
      });
  });

  it('has limits for its line, its input and what it says', async () => {
    assert.equal((await run(`kubectl ${'a'.repeat(LINE_LIMITS.lineCharacters)}`)).code, 2);
    assert.equal((await run('kubectl version', { input: 'x'.repeat(LINE_LIMITS.inputBytes + 1) })).code, 2);
    const long = { getText: async () => JSON.stringify({ gitVersion: 'v'.repeat(LINE_LIMITS.outputCharacters) }) };
    const { text, code } = await run('kubectl version', { client: async () => long as never });
    assert.equal(code, 1);
    assert.ok(text.length < LINE_LIMITS.outputCharacters + 100);
  });

  it('says what there is', async () => {
    const { text } = await run('help');
    for (const name of Object.keys(COMMANDS['kubectl'] ?? {})) assert.match(text, new RegExp(`\\b${name}\\b`));
  });
});

describe('A table', () => {
  it('has the columns that matter, and all of them when it may be wide', () => {
    const table = {
      columnDefinitions: [{ name: 'Name' }, { name: 'Extra', priority: 1 }],
      rows: [{ cells: ['a', 'b'], object: { metadata: { namespace: 'n' } } }],
    };
    assert.equal(tableText(rowsOf(table, { wide: false, namespaces: true })), 'NAMESPACE   NAME\nn           a\n');
    assert.equal(tableText(rowsOf(table, { wide: true, namespaces: false })), 'NAME   EXTRA\na      b\n');
  });
});
