import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { knownInstance } from './known-instance.ts';

describe('a list', () => {
  const ask = (name: string, instance: string, items: readonly string[]) => {
    const looked: string[] = [];
    const guard = knownInstance(async (asked) => {
      looked.push(asked);
      return asked === 'demo';
    });
    const next = async () => ({ stream: false, message: { items, pagination: { total: items.length } } }) as never;
    const request = { stream: false, method: { name }, message: { instance } } as never;
    return { looked, answer: guard(next)(request) };
  };

  it('of an instance that is not there is not found, and says which', async () => {
    await assert.rejects(ask('ListDeployments', 'none', []).answer, {
      reason: 'NotFound',
      message: 'instances.kairship.io "none" not found',
    });
  });

  it('may be empty where the instance is there, and names none where it is of all', async () => {
    await ask('ListDeployments', 'demo', []).answer;
    await ask('ListInstances', '', []).answer;
    await ask('ListInstanceBackups', 'none', []).answer;
    await ask('GetDeployment', 'none', []).answer;
  });

  it('that shows something costs nothing more', async () => {
    const { looked, answer } = ask('ListDeployments', 'demo', ['web']);
    await answer;
    assert.deepEqual(looked, []);
  });
});
