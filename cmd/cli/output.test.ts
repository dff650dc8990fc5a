import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { InvalidArgumentError } from 'commander';
import { StatusError } from '#base/status-error.ts';
import { CommandFailure, EXIT, failureOf, usageLines } from './failure.ts';
import { duration, labelChanges } from './options.ts';
import { chosen, format, fromTemplate, type Listed } from './output.ts';
import { referenceOf } from './reference.ts';
import { progress } from './screen.ts';

describe('what a command fails with', () => {
  for (const [reason, code] of [
    ['NotFound', EXIT.notFound],
    ['Forbidden', EXIT.denied],
    ['Unauthorized', EXIT.denied],
    ['Timeout', EXIT.timedOut],
    ['BadRequest', EXIT.usage],
    ['Conflict', EXIT.failed],
  ] as const)
    it(`is ${code} when the server says ${reason}, in three lines`, () => {
      const { lines, code: ended } = failureOf(new StatusError(reason, 'what'));
      assert.equal(ended, code);
      assert.deepEqual(
        lines.map((line) => line.slice(0, 7)),
        ['Error: ', '  Why: ', '  Next:'],
      );
    });

  it('names the fields that were refused', () => {
    const details = { causes: [{ field: 'spec.replicas', message: 'must not be negative' }] };
    assert.equal(
      failureOf(new StatusError('Invalid', 'no', { details })).lines[1],
      '  Why:  spec.replicas: must not be negative',
    );
  });

  it('says what was refused once, not twice', () => {
    const details = { causes: [{ field: 'metadata.name', message: 'Invalid value: "A b": lower case only' }] };
    const message = 'Instance.kairship.io "A b" is invalid: metadata.name: Invalid value: "A b": lower case only';
    assert.deepEqual(failureOf(new StatusError('Invalid', message, { details })).lines.slice(0, 2), [
      'Error: Instance.kairship.io "A b" is invalid',
      '  Why:  metadata.name: Invalid value: "A b": lower case only',
    ]);
  });

  it('points to the list of what was not found', () => {
    const next = (message: string) => failureOf(new StatusError('NotFound', message)).lines[2];
    assert.equal(next('users.ghippo.io "nobody" not found'), '  Next: see what is there: kairship user list');
    assert.equal(
      next('clusters.cluster.karmada.io "nowhere" not found'),
      '  Next: see what is there: kairship cluster list',
    );
    assert.equal(
      next('deployments.apps "nope" not found'),
      '  Next: see what is there: kairship get deployments.apps -A --scope all',
    );
  });

  it('is a wrong command line also when only the command could tell', () => {
    const { lines, code } = failureOf(new InvalidArgumentError('say KEY=VALUE'), 'cluster label');
    assert.equal(code, EXIT.usage);
    assert.deepEqual(lines, [
      'Error: say KEY=VALUE',
      '  Why:  the command line was not understood',
      '  Next: kairship cluster label --help',
    ]);
  });

  it('is a file that is not there', () => {
    const absent = Object.assign(new Error("ENOENT: no such file or directory, open 'x.yaml'"), {
      code: 'ENOENT',
      path: 'x.yaml',
    });
    assert.deepEqual(failureOf(absent), {
      lines: ['Error: cannot read x.yaml', '  Why:  there is no such file or folder', '  Next: check the path'],
      code: EXIT.notFound,
    });
  });

  it('is what the command knows, or an invitation to look closer', () => {
    assert.equal(failureOf(new CommandFailure('a', { why: 'b', next: 'c', code: 6 })).code, 6);
    assert.match(failureOf(new Error('x')).lines[2] ?? '', /KAIRSHIP_LOG=debug/);
  });

  it('reads the same for a command line that makes no sense', () => {
    assert.equal(
      usageLines("error: unknown command 'cluter'\n(Did you mean cluster?)", ''),
      "Error: unknown command 'cluter'\n  Why:  (Did you mean cluster?)\n  Next: kairship --help\n",
    );
  });
});

describe('what a command prints', () => {
  const value = {
    items: [
      { metadata: { name: 'a' }, n: 1 },
      { metadata: { name: 'b' }, n: 2 },
    ],
  };
  for (const [template, text] of [
    ['{.items[*].n}', '1 2'],
    ['.items[0].metadata.name', 'a'],
    ['{range .items[*]}{.metadata.name}={.n}{"\\n"}{end}', 'a=1\nb=2\n'],
    ['{.none}', ''],
  ] as const)
    it(`fills ${template}`, () => assert.equal(fromTemplate(template, value), text));

  it('is one of the forms that are known', () => {
    assert.deepEqual(format('wide'), { type: 'table', wide: true });
    assert.deepEqual(format('jsonpath={.a}'), { type: 'jsonpath', template: '{.a}' });
    assert.throws(() => format('xml'), /one of json/);
  });

  it('is cut to a limit after it was selected', () => {
    const listed: Listed<string> = {
      kind: 'x',
      name: String,
      object: String,
      labels: (name) => ({ name }),
      columns: [],
    };
    assert.deepEqual(chosen(listed, ['a', 'b', 'c'], { selector: 'name!=a', limit: 1 }), ['b']);
  });
});

describe('what people type', () => {
  it('names objects, also in one cluster', () => {
    assert.deepEqual(referenceOf('deploy/web'), { kind: 'deploy', name: 'web' });
    assert.deepEqual(referenceOf('a/pod/web-0'), { cluster: 'a', kind: 'pod', name: 'web-0' });
    for (const wrong of ['web', '/web', 'a/b/c/d', 'deploy/'])
      assert.throws(() => referenceOf(wrong), /names no object/);
  });

  it('says how long, and which labels', () => {
    assert.equal(duration('1h30m'), 5_400_000);
    assert.equal(duration('30d'), 30 * 86_400_000);
    assert.throws(() => duration('soon'));
    assert.deepEqual(labelChanges(['a=b', 'c=', 'd-']), { set: { a: 'b', c: '' }, remove: ['d'] });
    assert.throws(() => labelChanges(['a']));
  });
});

describe('progress', () => {
  const screen = (isTerminal: boolean) => {
    let text = '';
    return { isTerminal, columns: 12, write: (more: string) => void (text += more), text: () => text };
  };

  it('is rewritten in place on a terminal, and cut to its width', () => {
    const at = screen(true);
    const lines = progress(at);
    lines.set('a', 'one');
    lines.set('b', 'something long');
    lines.set('a', 'two');
    assert.equal(
      at.text(),
      'one\n\u001b[1A\u001b[0Jone\nsomething …\u001b[0m\n\u001b[2A\u001b[0Jtwo\nsomething …\u001b[0m\n',
    );
  });

  it('is appended elsewhere, once for each change', () => {
    const at = screen(false);
    const lines = progress(at);
    for (const text of ['one', 'one', 'two']) lines.set('a', text);
    lines.end(false);
    assert.equal(at.text(), 'one\ntwo\n');
  });
});
