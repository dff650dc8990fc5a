import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { parse, stringify } from 'yaml';
import {
  hasContext,
  mergeInto,
  type OwnEntry,
  type OwnUser,
  setsCurrentContext,
  withCurrentContext,
} from './merged-kubeconfig.ts';

const SERVER = 'https://127.0.0.1:7300';
const entry = (name: string, more: Partial<OwnEntry> = {}): OwnEntry => ({
  name,
  server: `${SERVER}/instances/demo/kube`,
  user: 'kairship@here',
  instance: 'demo',
  ...more,
});
const USER: OwnUser = { name: 'kairship@here', credential: { token: 't' } };

/** As kubectl leaves it, with a comment of its owner. */
const FOREIGN = `apiVersion: v1
kind: Config
# mine, do not touch
current-context: work
clusters:
- cluster:
    server: https://work.example.com
  name: work
contexts:
- context:
    cluster: work
    user: me
  name: work
users:
- name: me
  user:
    token: secret # until May
preferences: {}
`;

const namesOf = (text: string, list: string) =>
  ((parse(text) as Record<string, readonly { name: string }[]>)[list] ?? []).map(({ name }) => name);

describe('a kubeconfig with entries of ours', () => {
  it('keeps what others wrote, letter by letter, and which context is current', () => {
    const { text } = mergeInto(FOREIGN, [entry('demo')], [USER]);
    for (const line of FOREIGN.split('\n')) assert.ok(text.includes(line), line);
    assert.deepEqual(namesOf(text, 'contexts'), ['work', 'demo']);
    assert.equal((parse(text) as Record<string, unknown>)['current-context'], 'work');
  });

  it('is the same after merging the same again', () => {
    const { text } = mergeInto(FOREIGN, [entry('demo')], [USER]);
    assert.deepEqual(mergeInto(text, [entry('demo')], [USER]), { text, moved: [], removed: [] });
  });

  it('begins with a file that is not there', () => {
    const { text } = mergeInto('', [entry('demo')], [USER]);
    assert.deepEqual(namesOf(text, 'clusters'), ['demo']);
    assert.equal(setsCurrentContext(text), false);
    assert.equal(setsCurrentContext(withCurrentContext(text, 'demo')), true);
    assert.equal(hasContext(text, 'demo') && !hasContext(text, 'other'), true);
  });

  it('fills lists that were written as empty', () => {
    const { text } = mergeInto(
      'apiVersion: v1\nkind: Config\nclusters: []\ncontexts: null\nusers: []\n',
      [entry('demo')],
      [USER],
    );
    assert.match(text, /clusters:\n +- name: demo/);
    assert.deepEqual(namesOf(text, 'contexts'), ['demo']);
  });

  it('drops contexts of ours that stand for nothing any more, of this instance only', () => {
    const member = (cluster: string) => entry(`demo/${cluster}`, { cluster });
    const first = mergeInto(FOREIGN, [entry('demo'), member('a'), member('b')], [USER]).text;
    const other = mergeInto(first, [entry('prod', { instance: 'prod' })], [USER]).text;
    const { text, removed } = mergeInto(other, [entry('demo'), member('b')], [USER]);
    assert.deepEqual(removed, ['demo/a']);
    assert.deepEqual(namesOf(text, 'contexts'), ['work', 'demo', 'demo/b', 'prod']);
  });

  it('tells which contexts pointed elsewhere before', () => {
    const { text } = mergeInto('', [entry('demo')], [USER]);
    const moved = entry('demo', { server: 'https://127.0.0.1:9999/instances/demo/kube' });
    assert.deepEqual(mergeInto(text, [moved], [USER]).moved, ['demo']);
  });

  for (const [what, clash] of [
    ['context', [entry('work')]],
    ['user', []],
  ] as const)
    it(`refuses to replace a ${what} of others`, () => {
      const users = what === 'user' ? [{ ...USER, name: 'me' }] : [USER];
      assert.throws(() => mergeInto(FOREIGN, clash, users), /has a (cluster|user) "(work|me)" already/);
    });

  it('leaves every entry of others as it was, whatever it is', () => {
    const name = fc.stringMatching(/^[a-z][a-z0-9.@:/-]{0,12}$/).filter((text) => !text.startsWith('demo'));
    const value = fc.oneof(
      fc.string(),
      fc.integer(),
      fc.boolean(),
      fc.array(fc.string()),
      fc.dictionary(fc.string(), fc.string()),
    );
    const some = (body: string) =>
      fc.uniqueArray(fc.record({ name, [body]: fc.dictionary(fc.string(), value) }), {
        selector: (one) => one.name,
        maxLength: 4,
      });
    const config = fc.record({
      clusters: some('cluster'),
      users: some('user'),
      contexts: some('context'),
      'current-context': name,
    });
    fc.assert(
      fc.property(config, (before) => {
        const { text } = mergeInto(stringify(before), [entry('demo'), entry('demo/a', { cluster: 'a' })], [USER]);
        const after = parse(text) as Record<string, readonly { name: string }[]>;
        const foreign = (of: string) => after[of]?.filter((one) => !/^(demo(\/a)?|kairship@here)$/.test(one.name));
        for (const list of ['clusters', 'users', 'contexts'] as const)
          assert.deepEqual(foreign(list), parse(stringify(before[list])));
        assert.equal(after['current-context'], before['current-context']);
      }),
      { seed: 1, numRuns: 100 },
    );
  });
});
