/** What admission and the detector make of policies, and what the control plane serves besides objects. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  CLUSTER_PROPAGATION_POLICY,
  OVERRIDE_POLICY,
  PROPAGATION_POLICY,
  type PropagationPolicy,
} from '#karmada/apis/index.ts';
import type { Explanation } from '#karmada/scheduler/explanation.ts';
import { staticTokens } from '#kube/apiserver/index.ts';
import { httpClient } from '#kube/client/http-client.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { CONFIG_MAP, configMap, sharedPlane, testSpace } from './testing.ts';

const EXPLANATION = { group: 'placement.kairship.io', version: 'v1alpha1', resource: 'explanations' };
const to = (...clusterNames: string[]) => ({ placement: { clusterAffinity: { clusterNames } } });

const shared = sharedPlane(['m1', 'm2'], {
  engine: { preemption: true },
  authenticators: [staticTokens({ alice: { name: 'alice', groups: ['system:masters'] } })],
});

describe('policies', { concurrency: true }, () => {
  it('that break a rule are refused in the words of the webhook', async () => {
    const { client, policy } = await testSpace(await shared());
    const spreadConstraints = [{ spreadByField: 'region', maxGroups: 1, minGroups: 1 } as const];
    await assert.rejects(client.create(PROPAGATION_POLICY, policy('p', { placement: { spreadConstraints } })), {
      reason: 'Forbidden',
      message:
        'admission webhook "propagationpolicy.karmada.io" denied the request: spec.placement.spreadConstraints: Invalid value: [{"spreadByField":"region","maxGroups":1,"minGroups":1}]: the cluster spread constraint must be enabled in one of the constraints in case of SpreadByField is enabled',
    });
    const created = await client.create<PropagationPolicy>(PROPAGATION_POLICY, policy('p'));
    const changed = { ...created, spec: { ...created.spec, schedulerName: 'mine' } };
    await assert.rejects(client.update(PROPAGATION_POLICY, changed), /should not be updated/);
  });

  it('a protected template cannot be deleted until it says otherwise', async () => {
    const space = await testSpace(await shared());
    const label = 'resourcetemplate.karmada.io/deletion-protected';
    const made = await space.client.create(CONFIG_MAP, space.configMap('a', { labels: { [label]: 'Always' } }));
    await assert.rejects(space.client.delete(CONFIG_MAP, space.key('a')), {
      message: `admission webhook "resourcedeletionprotection.karmada.io" denied the request: This resource is protected, please make sure to remove the label: ${label}`,
    });
    await space.client.update(CONFIG_MAP, { ...made, metadata: { ...made.metadata, labels: {} } });
    await space.client.delete(CONFIG_MAP, space.key('a'));
  });

  it('wait for the override policies they depend on', async () => {
    const space = await testSpace(await shared());
    const { client, namespace } = space;
    const named = (name: string) => [{ apiVersion: 'v1', kind: 'ConfigMap', namespace, name }];
    const waits = { ...to('m1'), resourceSelectors: named('a'), dependentOverrides: ['o'] };
    await client.create(PROPAGATION_POLICY, space.policy('p', waits));
    await client.create(PROPAGATION_POLICY, space.policy('q', { ...to('m1'), resourceSelectors: named('b') }));
    await client.create(CONFIG_MAP, space.configMap('a'));
    await client.create(CONFIG_MAP, space.configMap('b'));
    await space.appears(CONFIG_MAP, 'b', 'm1');
    assert.equal(await space.find(CONFIG_MAP, 'a', 'm1'), undefined);
    const { apiVersion, kind } = OVERRIDE_POLICY;
    await client.create(OVERRIDE_POLICY, { apiVersion, kind, metadata: space.key('o'), spec: { overrideRules: [] } });
    await space.appears(CONFIG_MAP, 'a', 'm1');
  });

  it('take over, with preemption, what a lesser policy or a cluster policy holds', async () => {
    const space = await testSpace(await shared());
    const { client, namespace } = space;
    const resourceSelectors = [{ apiVersion: 'v1', kind: 'ConfigMap', namespace, name: 'a' }];
    const { apiVersion, kind } = CLUSTER_PROPAGATION_POLICY;
    const spec = { ...to('m1'), resourceSelectors, priority: 9 };
    await client.create(CLUSTER_PROPAGATION_POLICY, { apiVersion, kind, metadata: { name: 'c' }, spec });
    await client.create(CONFIG_MAP, space.configMap('a'));
    await space.appears(CONFIG_MAP, 'a', 'm1');
    const preempting = { resourceSelectors, preemption: 'Always' } as const;
    await client.create(PROPAGATION_POLICY, space.policy('low', { ...to('m2'), ...preempting }));
    await space.appears(CONFIG_MAP, 'a', 'm2');
    const holder = ({ metadata }: KubeObject) => metadata.annotations?.['propagationpolicy.karmada.io/name'];
    const claimed = await client.get(CONFIG_MAP, space.key('a'));
    assert.equal(holder(claimed), 'low');
    assert.equal(claimed.metadata.annotations?.['clusterpropagationpolicy.karmada.io/name'], undefined);
    await client.create(PROPAGATION_POLICY, space.policy('high', { ...to('m1'), ...preempting, priority: 2 }));
    await space.appears(CONFIG_MAP, 'a', undefined, (object) => holder(object) === 'high');
  });
});

describe('extensions', { concurrency: true }, () => {
  it('explain every decision, by the name of its binding', async () => {
    const space = await testSpace(await shared());
    const { client } = space;
    await client.create(PROPAGATION_POLICY, space.policy('p', to('m1')));
    await client.create(CONFIG_MAP, space.configMap('a'));
    await space.appears(CONFIG_MAP, 'a', 'm1');
    const answer = await client.get<KubeObject & { explanation: Explanation }>(EXPLANATION, space.key('a-configmap'));
    assert.equal(answer.explanation.binding, `${space.namespace}/a-configmap`);
    const verdicts = answer.explanation.attempts[0]?.clusters.map(({ name, verdict }) => [name, verdict]);
    assert.deepEqual(verdicts, [
      ['m1', 'placed'],
      ['m2', 'refused'],
    ]);
    await assert.rejects(client.get(EXPLANATION, space.key('nothing')), { reason: 'NotFound' });
  });

  it('pass requests and watches on to a member, as whoever asks', async (t) => {
    const plane = await shared();
    await plane.member('m1').client.create(CONFIG_MAP, configMap('there'));
    const { url } = await plane.karmada.server.listen();
    const client = httpClient({ server: `${url}/apis/cluster.karmada.io/v1alpha1/clusters/m1/proxy`, token: 'alice' });
    t.after(() => client.close());
    const found = await client.get(CONFIG_MAP, { namespace: 'default', name: 'there' });
    assert.equal(found.metadata.name, 'there');
    const stop = new AbortController();
    const seen: string[] = [];
    const { metadata } = await client.list(CONFIG_MAP, { namespace: 'default' });
    const options = { namespace: 'default', resourceVersion: metadata.resourceVersion, signal: stop.signal };
    const watching = (async () => {
      for await (const { object } of client.watch(CONFIG_MAP, options)) {
        seen.push(object.metadata.name);
        stop.abort();
      }
    })();
    await client.create(CONFIG_MAP, configMap('through'));
    await watching;
    assert.deepEqual(seen, ['through']);
    const review = await client.create<KubeObject & { status: { userInfo: { username: string } } }>(
      { group: 'authentication.k8s.io', version: 'v1', resource: 'selfsubjectreviews' },
      {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'SelfSubjectReview',
        metadata: {},
        status: { userInfo: { username: '' } },
      },
    );
    assert.equal(review.status.userInfo.username, 'alice');
  });
});
