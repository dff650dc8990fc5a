import assert from 'node:assert/strict';
import { test } from 'node:test';
import { staticTokens } from '#kube/apiserver/index.ts';
import { memoryStore } from '#kube/store/index.ts';
import { karmadaApiServer } from './karmada-api-server.ts';

test('R80: the health of an instance tells of its store, its scheduler and each controller, and which has stopped', async (t) => {
  const authenticators = [staticTokens({ admin: { name: 'admin', groups: ['system:masters'] } })];
  const karmada = await karmadaApiServer({ store: memoryStore(), authenticators });
  t.after(() => karmada.close());
  await karmada.ready;
  const { url } = await karmada.server.listen();
  const health = async (path: string) => {
    const answer = await fetch(`${url}${path}`, { headers: { authorization: 'Bearer admin' } });
    return { code: answer.status, text: await answer.text() };
  };
  const { code, text } = await health('/readyz?verbose');
  assert.equal(code, 200);
  for (const part of ['ping', 'store', 'controller-scheduler', 'controller-detector', 'controller-execution']) {
    assert.match(text, new RegExp(`^\\[\\+\\]${part} ok$`, 'm'));
  }
  assert.equal((await health('/readyz/controller-binding')).text, 'ok');
  t.mock.method(karmada.engine, 'isRunning', (name: string) => name !== 'binding');
  const stopped = await health('/readyz?verbose');
  assert.equal(stopped.code, 500);
  assert.match(stopped.text, /^\[-\]controller-binding failed/m);
  assert.match(stopped.text, /^\[\+\]controller-scheduler ok$/m);
  // Whoever asks whether the process should be started again is not told so: the server itself works.
  assert.equal((await health('/livez')).code, 200);
});
