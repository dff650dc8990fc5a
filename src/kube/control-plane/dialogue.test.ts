/** The exchanges of the recorded dialogue that need roles, tokens or reviews, against a whole control plane. */
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { fakeClock } from '#base/clock.ts';
import { differences, readDialogue, translation, type Turn } from '#kube/apiserver/dialogue/dialogue.ts';
import { staticTokens } from '#kube/apiserver/index.ts';
import { call } from '#kube/apiserver/testing.ts';
import { memoryStore } from '#kube/store/index.ts';
import { controlPlane } from './control-plane.ts';

const RECORDED = Date.UTC(2026, 10, 15, 18, 59, 7);
const NAMESPACE = 'gmwi77ki4';

/** Who asks; the administrator where nobody is named. */
const LABELS: Readonly<Record<string, 'admin' | 'alice' | 'nobody' | 'stranger'>> = {
  '401': 'stranger',
  anonymous: 'nobody',
  '403 resource': 'alice',
  '403 list cluster': 'alice',
  '403 nonresource': 'alice',
  '403 create apps': 'alice',
  impersonate: 'admin',
  'token request': 'admin',
  'rbac role bad': 'admin',
  'rbac escalate': 'alice',
  ssar: 'admin',
  'sar alice': 'admin',
  ssrr: 'alice',
  tokenreview: 'admin',
  'tokenreview bad': 'admin',
  selfsubjectreview: 'admin',
};

const TOKENS = { admin: 'Bearer admin', alice: 'Bearer tok-alice', stranger: 'Bearer who', nobody: '' };

async function plane(t: TestContext): Promise<string> {
  const server = await controlPlane({
    store: memoryStore(),
    clock: fakeClock(RECORDED),
    anonymous: true,
    authenticators: [
      staticTokens({
        admin: { name: 'admin', uid: 'admin-uid', groups: ['system:masters'] },
        'tok-alice': { name: 'alice', uid: 'alice-uid', groups: ['devs'] },
      }),
    ],
  });
  t.after(() => server.close());
  const client = server.client();
  const core = { group: '', version: 'v1' };
  await client.create(
    { ...core, resource: 'namespaces' },
    {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: NAMESPACE },
    },
  );
  await client.create(
    { ...core, resource: 'serviceaccounts' },
    {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'sa1', namespace: NAMESPACE },
    },
  );
  return (await server.listen()).url;
}

describe('the recorded dialogue about who may do what', () => {
  it('is answered alike', async (t) => {
    const url = await plane(t);
    const turns = readDialogue().filter(({ label }) => label in LABELS);
    assert.equal(turns.length, Object.keys(LABELS).length);
    const differing: string[] = [];
    for (const turn of turns) differing.push(...(await answered(url, turn)).map((text) => `${turn.label}: ${text}`));
    assert.deepEqual(differing, []);
  });
});

async function answered(url: string, turn: Turn): Promise<readonly string[]> {
  const { method, path, headers, body } = turn.req;
  const authorization = TOKENS[LABELS[turn.label] ?? 'admin'];
  const answer = await call(url, method, path, body, { ...headers, authorization });
  const { learn, toOurs } = translation();
  learn(turn, answer);
  return differences(turn, answer, toOurs);
}
