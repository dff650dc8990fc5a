import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Pod } from '#gen/kube/types.ts';
import { containerOf } from './container.ts';

const pod = (...names: readonly string[]): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p' },
  spec: { initContainers: [{ name: 'init' }], containers: names.map((name) => ({ name })) },
});

describe('the container of a request', () => {
  it('is the only one when none is named', () => assert.equal(containerOf(pod('a'), undefined), 'a'));
  it('is the one named, also when it ran before the others', () =>
    assert.equal(containerOf(pod('a', 'b'), 'init'), 'init'));

  const refused: [because: string, asked: string | undefined, of: Pod, message: string][] = [
    ['it is not there', 'x', pod('a'), 'container x is not valid for pod p'],
    [
      'it could be several',
      '',
      pod('a', 'b'),
      'a container name must be specified for pod p, choose one of: [init a b]',
    ],
    ['there is none', undefined, pod(), 'a container name must be specified for pod p'],
  ];
  for (const [because, asked, of, message] of refused) {
    it(`is refused when ${because}`, () =>
      assert.throws(() => containerOf(of, asked), { reason: 'BadRequest', message }));
  }
});
