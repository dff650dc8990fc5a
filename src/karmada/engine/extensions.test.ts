/** What the control plane serves besides objects. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { PROPAGATION_POLICY, RESOURCE_BINDING } from '#karmada/apis/index.ts';
import type { Explanation } from '#karmada/scheduler/explanation.ts';
import { staticTokens } from '#kube/apiserver/index.ts';
import { httpClient } from '#kube/client/http-client.ts';
import { appears, CONFIG_MAP, configMap, policy, testPlane } from './testing.ts';

it('explains every decision, by the name of its binding', async (t) => {
  const plane = await testPlane(t);
  const placement = { clusterAffinity: { clusterNames: ['m1'] } };
  await plane.client.create(PROPAGATION_POLICY, policy('p', { placement }));
  await plane.client.create(CONFIG_MAP, configMap('a'));
  await appears(plane.member('m1').client, CONFIG_MAP, 'a');
  const answer = await plane.client.get<{ explanation: Explanation } & Awaited<ReturnType<typeof plane.client.get>>>(
    { group: 'placement.kairship.io', version: 'v1alpha1', resource: 'explanations' },
    { namespace: 'default', name: 'a-configmap' },
  );
  assert.equal(answer.explanation.binding, 'default/a-configmap');
  const verdicts = answer.explanation.attempts[0]?.clusters.map(({ name, verdict }) => [name, verdict]);
  assert.deepEqual(verdicts, [
    ['m1', 'placed'],
    ['m2', 'refused'],
  ]);
  await assert.rejects(
    plane.client.get(
      { group: 'placement.kairship.io', version: 'v1alpha1', resource: 'explanations' },
      { namespace: 'default', name: 'no' },
    ),
    { reason: 'NotFound' },
  );
  assert.ok(await plane.client.get(RESOURCE_BINDING, { namespace: 'default', name: 'a-configmap' }));
});

it('passes requests and watches on to a member, as whoever asks', async (t) => {
  const admin = { name: 'alice', groups: ['system:masters'] };
  const plane = await testPlane(t, ['m1'], { authenticators: [staticTokens({ alice: admin })] });
  await plane.member('m1').client.create(CONFIG_MAP, configMap('there'));
  const { url } = await plane.karmada.server.listen();
  const server = `${url}/apis/cluster.karmada.io/v1alpha1/clusters/m1/proxy`;
  const client = httpClient({ server, token: 'alice' });
  t.after(() => client.close());
  const found = await client.get(CONFIG_MAP, { namespace: 'default', name: 'there' });
  assert.equal(found.metadata.name, 'there');
  const stop = new AbortController();
  const seen: string[] = [];
  const { metadata } = await client.list(CONFIG_MAP, { namespace: 'default' });
  const watching = (async () => {
    const options = { namespace: 'default', resourceVersion: metadata.resourceVersion, signal: stop.signal };
    for await (const { object } of client.watch(CONFIG_MAP, options)) {
      seen.push(object.metadata.name);
      stop.abort();
    }
  })();
  await client.create(CONFIG_MAP, configMap('through'));
  await watching;
  assert.deepEqual(seen, ['through']);
  const review = await client
    .create(
      { group: 'authentication.k8s.io', version: 'v1', resource: 'selfsubjectreviews' },
      { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview', metadata: {} },
    )
    .catch(() => undefined);
  if (review) assert.equal((review['status'] as { userInfo: { username: string } }).userInfo.username, 'alice');
});
