/** R41: the platform on a real Kubernetes as its global cluster: its kinds are accepted, its controllers converge. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ghippoClients } from '#ghippo/apis/resources.ts';
import { instanceScope } from '#ghippo/apis/scope.ts';
import { INSTANCES, type Instance } from '#kairship/instances/index.ts';
import { CLUSTERS_REMAIN } from '#kairship/instances/instance-controller.ts';
import { clusters } from '#kpanda/registry/index.ts';
import { findCondition } from '#kube/meta/condition.ts';
import { newToken } from '../person.ts';
import { eventually, kubectl, temporaryDirectory } from '../platform.ts';
import { INSTANCE, type Replica, type Replicas, startReplicas } from '../resilience/replicas.ts';
import { type RealKube, realMissing, startRealKube } from './real-kube.ts';

const missing = realMissing();

describe('the platform on a real Kubernetes', { skip: missing ?? false }, () => {
  const { path: directory, remove } = temporaryDirectory();
  let kube: RealKube | undefined;
  let replicas: Replicas;
  before(async () => {
    kube = await startRealKube({ directory: join(directory, 'kube') });
    replicas = await startReplicas(join(directory, 'platform'), { apiservers: 2, managers: 2 }, kube.kubeconfig);
  });
  after(async () => {
    await replicas?.stop();
    await kube?.stop();
    remove();
  });

  it('follows an instance into its state, its numbers and its hidden cluster', () =>
    eventually(async () => {
      const { status } = await replicas.global.get<Instance>(INSTANCES, { name: INSTANCE });
      assert.equal(status?.state, 'RUNNING');
      assert.ok(status.summary, 'nothing was counted yet');
      assert.ok(await clusters(replicas.global).find(`k-${INSTANCE}`));
    }));

  it('lets in whom its bindings let in, at every replica', async () => {
    const people = ghippoClients(replicas.global);
    await people.users.create({ metadata: { name: 'carol' }, spec: {} });
    const token = await newToken(people, 'carol');
    const path = `/apis/kairship.io/v1alpha1/instances/${INSTANCE}/namespaces`;
    const everywhere = async (expected: number) => {
      for (const replica of replicas.apiservers) {
        const { status, text } = await replicas.ask(replica, path, { token });
        assert.equal(status, expected, text);
      }
    };
    await eventually(() => everywhere(403));
    const subjects = [{ kind: 'User' as const, name: 'carol' }];
    const spec = { role: 'instance-viewer', scope: instanceScope(INSTANCE), subjects };
    await people.bindings.create({ metadata: { name: 'carol' }, spec });
    await eventually(() => everywhere(200));
  });

  it('serves the global cluster itself to its administrator alone', async () => {
    const [first] = replicas.apiservers as [Replica];
    const path = '/global/kube/apis/kairship.io/v1alpha1/instances';
    assert.equal((await replicas.ask(first, path)).status, 200);
    assert.equal((await replicas.ask(first, path, { token: 'forged' })).status, 401);
  });

  it('keeps an instance that kubectl deletes while it has clusters, says which, and leaves nothing in the end', async () => {
    const [first] = replicas.apiservers as [Replica];
    const told = async (method: 'POST' | 'DELETE', path: string, body?: object) => {
      const { status, text } = await replicas.ask(first, `/apis${path}`, {
        method,
        ...(body ? { body } : {}),
        withinMs: 60_000,
      });
      assert.equal(status, 200, `${method} ${path}: ${text}`);
    };
    const global = kubectl(kube?.kubeconfig ?? '');
    const operator = await replicas.startOperator();
    await told('POST', '/kairship.io/v1alpha1/instances', { data: { metadata: { name: 'second' } } });
    await eventually(async () => {
      const { status } = await replicas.global.get<Instance>(INSTANCES, { name: 'second' });
      assert.equal(status?.state, 'RUNNING');
    });
    const kubeconfig = await replicas.startMember('berlin');
    await told('POST', '/kpanda.io/v1alpha1/clusters', { name: 'berlin', kubeconfig });
    await told('POST', '/kairship.io/v1alpha1/instances/second/clusters/berlin', {});

    const deleted = await global('delete', 'instance', 'second', '--wait=false');
    assert.equal(deleted.code, 0, deleted.stderr);
    await eventually(async () => {
      const { status } = await replicas.global.get<Instance>(INSTANCES, { name: 'second' });
      const held = findCondition(status?.conditions, CLUSTERS_REMAIN);
      assert.equal(held?.status, 'True');
      assert.match(
        held.message ?? '',
        /1 worker clusters \(berlin\).*kairship cluster remove berlin --instance second/,
      );
      const events = await global('get', 'events', '-A', '-o', 'jsonpath={range .items[*]}{.reason} {.message}{end}');
      assert.match(events.stdout, /ClustersRemain instance "second" still has/);
    });
    // It goes on serving: whoever shall empty it needs it.
    await told('DELETE', '/kairship.io/v1alpha1/instances/second/clusters/berlin');
    const gone = await global('wait', '--for=delete', 'instance/second', '--timeout=50s');
    assert.equal(gone.code, 0, gone.stderr);
    const { stdout } = await global('get', 'karmadas,secrets,clusters.kpanda.io,leases', '-A', '-o', 'name');
    assert.doesNotMatch(stdout, /second/);
    assert.match(stdout, /cluster.kpanda.io\/berlin/);
    const kept = await ghippoClients(replicas.global).registrations.find('instance-second');
    assert.equal(kept, undefined);
    assert.equal(existsSync(join(directory, 'platform', 'operator', 'instances', 'second')), false);
    await operator.stop();
  });

  it('R21: takes back everything with the instance, though nobody was there when it was deleted', async () => {
    await Promise.all(replicas.managers.map((manager) => manager.stop()));
    await replicas.global.delete(INSTANCES, { name: INSTANCE });
    const held = await replicas.global.get(INSTANCES, { name: INSTANCE });
    assert.ok(held.metadata.deletionTimestamp !== undefined && (held.metadata.finalizers ?? []).length > 0);
    await replicas.startManager();
    await eventually(async () => {
      const { items } = await replicas.global.list(INSTANCES);
      assert.deepEqual(items, []);
      assert.equal(await clusters(replicas.global).find(`k-${INSTANCE}`), undefined);
      assert.equal(await ghippoClients(replicas.global).registrations.find(`instance-${INSTANCE}`), undefined);
    });
  });
});
