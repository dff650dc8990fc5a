/** The engine beside an API server that is not its own: here one of ours, reached over HTTP like any other. */
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { randomIds } from '#base/ids.ts';
import { karmadaAdmission } from '#karmada/admission/index.ts';
import { type AnyBinding, PROPAGATION_POLICY, type PropagationPolicy, RESOURCE_BINDING } from '#karmada/apis/index.ts';
import { staticTokens } from '#kube/apiserver/index.ts';
import { httpClient } from '#kube/client/index.ts';
import { controlPlane } from '#kube/control-plane/index.ts';
import { leaseElection } from '#kube/runtime/index.ts';
import { memoryStore } from '#kube/store/index.ts';
import { installCrds } from './install-crds.ts';
import { livePlacement } from './live-placement.ts';
import { startRemoteEngine } from './remote-engine.ts';
import { appears, CONFIG_MAP, configMap, eventually, NAMESPACE, policy, register, startMember } from './testing.ts';

/** A Kubernetes that holds Karmada's kinds and knows nothing else of them, and who asked it for what. */
async function otherServer(t: TestContext) {
  const asked: string[] = [];
  const server = await controlPlane({
    store: memoryStore(),
    authenticators: [staticTokens({ engine: { name: 'engine', groups: ['system:masters'] } })],
    witness: (notes, stage) => void (stage === 'ResponseComplete' && asked.push(notes.verb ?? '')),
  });
  t.after(() => server.close());
  const stopping = new AbortController();
  await installCrds(server.client(), systemClock, stopping.signal);
  const { url } = await server.listen();
  const client = httpClient({ server: url, token: 'engine' });
  t.after(() => client.close());
  await client.create(NAMESPACE, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'karmada-system' } });
  return { client, asked };
}

type Other = Awaited<ReturnType<typeof otherServer>>;

/** An engine that takes part in the election until it is told to end. */
function engineOf({ client }: Other, identity: string) {
  const stop = new AbortController();
  const admission = karmadaAdmission({ ids: randomIds, clock: systemClock });
  const election = leaseElection({ client, namespace: 'karmada-system', name: 'engine', identity, retryMs: 50 });
  const ended = election.run(
    async (leadership) => startRemoteEngine({ client, admission, leadership, signal: leadership.signal }).ended,
    stop.signal,
  );
  return {
    leader: () => election.leader(),
    async end() {
      stop.abort();
      await ended;
    },
  };
}

describe('the engine beside an API server of others', () => {
  it('propagates, stamps what no webhook stamps, and hands over to the next', async (t) => {
    const other = await otherServer(t);
    const member = await startMember(t);
    const first = engineOf(other, 'first');
    await eventually(() => first.leader() === 'first', 'the first to lead');
    const second = engineOf(other, 'second');
    t.after(() => second.end());
    await register(other.client, 'm1', member.url);
    const placement = { placement: { clusterAffinity: { clusterNames: ['m1'] } } };
    await other.client.create(PROPAGATION_POLICY, policy('p', placement));
    await other.client.create(CONFIG_MAP, configMap('a'));
    await appears(member.client, CONFIG_MAP, 'a');
    const stamped = await other.client.get<PropagationPolicy>(PROPAGATION_POLICY, { namespace: 'default', name: 'p' });
    assert.ok(stamped.metadata.labels?.['propagationpolicy.karmada.io/permanent-id']);
    await first.end();
    await other.client.create(CONFIG_MAP, configMap('b'));
    await appears(member.client, CONFIG_MAP, 'b');
    assert.equal(second.leader(), 'second');
  });

  it('explains what another engine placed, and writes nothing', async (t) => {
    const other = await otherServer(t);
    const member = await startMember(t);
    const engine = engineOf(other, 'theirs');
    await register(other.client, 'm1', member.url);
    const placement = { placement: { clusterAffinity: { clusterNames: ['m1'] } } };
    await other.client.create(PROPAGATION_POLICY, policy('p', placement));
    await other.client.create(CONFIG_MAP, configMap('a'));
    await appears(member.client, CONFIG_MAP, 'a');
    const key = { namespace: 'default', name: 'a-configmap' };
    await appears<AnyBinding>(other.client, RESOURCE_BINDING, key, ({ status }) => !!status?.aggregatedStatus);
    await engine.end();

    other.asked.length = 0;
    const stop = new AbortController();
    const { explanations, simulate, ready } = livePlacement({ client: other.client, signal: stop.signal });
    await ready;
    const [explanation] = explanations.of('default/a-configmap');
    assert.deepEqual(
      explanation?.attempts.at(-1)?.clusters.map(({ name, verdict }) => [name, verdict]),
      [['m1', 'placed']],
    );
    assert.equal(explanation?.because, 'computed from what there is');
    const { status } = await simulate({ metadata: { name: 's' }, spec: { lose: ['m1'] } }, stop.signal);
    assert.equal(status.bindings[0]?.verdict, 'nowhere');
    const policyOf = {
      ...policy('p', placement),
      spec: { ...policy('p').spec, placement: { spreadConstraints: [{}, {}] } },
    };
    await assert.rejects(simulate({ spec: { apply: [policyOf] } }, stop.signal), { reason: 'Invalid' });
    stop.abort();
    assert.deepEqual(
      other.asked.filter((verb) => !['get', 'list', 'watch'].includes(verb)),
      [],
    );
  });
});
