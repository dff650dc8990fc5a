/** R13–R16, R29: three apiservers and three controller-managers; killed and held still, nothing wrong, lost or stale. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { ghippoClients } from '#ghippo/apis/resources.ts';
import { RESOURCE_REGISTRATION, type ResourceRegistration } from '#ghippo/apis/kinds.ts';
import { instanceScope } from '#ghippo/apis/scope.ts';
import { INSTANCES } from '#kairship/instances/index.ts';
import { eventually, temporaryDirectory } from '../platform.ts';
import { newToken } from '../person.ts';
import { freePort } from '../real/processes.ts';
import { INSTANCE, LEASE, type Replica, type Replicas, startReplicas } from './replicas.ts';

const MAPS = `/instances/${INSTANCE}/kube/api/v1/namespaces/default/configmaps`;
const LEASES = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases' };
const CONTROLLER_LEASE = { namespace: 'kairship-system', name: 'kairship-controller-manager' };

describe('replicas on one global cluster', () => {
  const { path: directory, remove } = temporaryDirectory();
  let replicas: Replicas;
  before(async () => {
    replicas = await startReplicas(directory, { apiservers: 3, managers: 3 });
  });
  after(async () => {
    await replicas?.stop();
    remove();
  });

  /** Asks one after the other until one answers: what a load balancer does when a replica is gone. */
  async function anywhere(from: number, path: string, options: Parameters<Replicas['ask']>[2] = {}) {
    const { apiservers } = replicas;
    for (let i = 0; ; i += 1) {
      const replica = apiservers[(from + i) % apiservers.length] as Replica;
      try {
        return await replicas.ask(replica, path, { withinMs: 2_000, ...options });
      } catch (error) {
        if (i > 60) throw error;
        await pause(i < apiservers.length ? 0 : 100);
      }
    }
  }

  it('R12: are ready once they know who may do what, and say so', async () => {
    for (const replica of replicas.apiservers) {
      const { status, text } = await replicas.ask(replica, '/readyz?verbose');
      assert.equal(status, 200, text);
      assert.match(text, /\[\+\]permissions ok\n/);
      assert.equal((await replicas.ask(replica, '/metrics', { token: 'forged' })).status, 401);
      assert.match((await replicas.ask(replica, '/metrics')).text, /process_resident_memory_bytes \d/);
    }
  });

  it('R12: one that cannot learn who may do what is not ready, until it can', async () => {
    const port = await freePort();
    replicas.globalServer?.kill('SIGSTOP');
    const starting = replicas.startApiserver(port);
    const early = { ...(replicas.apiservers[0] as Replica), port };
    await eventually(async () => {
      const { status, text } = await replicas.ask(early, '/readyz?verbose');
      assert.equal(status, 503);
      assert.match(text, /\[-\]started failed: the platform is starting\n/);
      assert.equal((await replicas.ask(early, MAPS)).status, 503);
    });
    replicas.globalServer?.kill('SIGCONT');
    const late = await starting;
    await eventually(async () => assert.equal((await replicas.ask(late, '/readyz')).status, 200));
    await eventually(async () => assert.equal((await replicas.ask(late, MAPS)).status, 200));
    await late.stop();
  });

  it('R13: every answer is right while one is killed, started again, and another held still', async () => {
    const acknowledged = new Map<string, string>();
    let wrong = 0;
    const over = new AbortController();

    async function write(worker: number): Promise<void> {
      for (let i = 0; !over.signal.aborted; i += 1) {
        const [name, value] = [`map-${worker}-${i % 20}`, `${i}`];
        const known = acknowledged.has(name);
        const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { value } };
        // Not acknowledged is not lost: a write whose answer did not come is made again, until one does.
        const { status, text } = await anywhere(worker + i, known ? `${MAPS}/${name}` : MAPS, {
          method: known ? 'PUT' : 'POST',
          body,
        });
        if (status === 409 && !known) {
          acknowledged.set(name, '');
          continue;
        }
        assert.ok(status === 200 || status === 201, `${status} ${text}`);
        acknowledged.set(name, value);
        const read = await anywhere(worker + i + 1, `${MAPS}/${name}`);
        if (JSON.parse(read.text).data?.value !== value) wrong += 1;
      }
    }

    const workers = [0, 1, 2].map(write);
    const [first, second] = replicas.apiservers as [Replica, Replica];
    await pause(1_000);
    first.kill('SIGKILL');
    await pause(1_000);
    replicas.apiservers[0] = await replicas.startApiserver();
    second.kill('SIGSTOP');
    await pause(3_000);
    second.kill('SIGCONT');
    await pause(1_000);
    over.abort();
    await Promise.all(workers);

    assert.equal(wrong, 0);
    assert.ok(acknowledged.size >= 3);
    for (const replica of replicas.apiservers) {
      const { items } = JSON.parse((await replicas.ask(replica, MAPS)).text) as {
        readonly items: readonly {
          readonly metadata: { readonly name: string };
          readonly data?: { readonly value: string };
        }[];
      };
      const found = new Map(items.map(({ metadata, data }) => [metadata.name, data?.value]));
      for (const [name, value] of acknowledged) if (value !== '') assert.equal(found.get(name), value, name);
    }
  });

  it('R29: whoever loses a right is refused at every one of them, and what they had open ends', async () => {
    const people = ghippoClients(replicas.global);
    await people.users.create({ metadata: { name: 'alice' }, spec: {} });
    const subjects = [{ kind: 'User' as const, name: 'alice' }];
    const spec = { role: 'instance-viewer', scope: instanceScope(INSTANCE), subjects };
    await people.bindings.create({ metadata: { name: 'alice' }, spec });
    const token = await newToken(people, 'alice');
    const everywhere = async (status: number) => {
      for (const replica of replicas.apiservers)
        assert.equal((await replicas.ask(replica, MAPS, { token })).status, status, replica.name);
    };
    await eventually(() => everywhere(200));
    const ended = replicas.apiservers.map((replica) => {
      const { promise: open, resolve } = Promise.withResolvers<void>();
      const path = `${MAPS}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`;
      const over = replicas.ask(replica, path, { token, withinMs: 120_000, onData: () => resolve() }).then(
        () => undefined,
        () => undefined,
      );
      return { open, over };
    });
    await Promise.all(ended.map(({ open }) => open));
    const revoked = Date.now();
    await people.bindings.remove('alice');
    await eventually(() => everywhere(403));
    const refusedMs = Date.now() - revoked;
    await Promise.all(ended.map(({ over }) => over));
    console.log(`refused everywhere after ${refusedMs} ms, open watches ended after ${Date.now() - revoked} ms`);
  });

  const leader = async (): Promise<Replica> => {
    const lease = await replicas.global.get(LEASES, CONTROLLER_LEASE);
    const { holderIdentity } = (lease as unknown as { readonly spec: { readonly holderIdentity: string } }).spec;
    const found = replicas.managers.find(({ identity }) => identity === holderIdentity);
    assert.ok(found, `nobody leads: ${holderIdentity}`);
    return found;
  };
  const called = async (alias: string) => {
    const body = { spec: { alias } };
    await replicas.global.patch(INSTANCES, { name: INSTANCE }, { type: 'merge', body });
  };
  const registered = async (alias: string) => {
    const key = { name: `instance-${INSTANCE}` };
    const found = await replicas.global.get<ResourceRegistration>(RESOURCE_REGISTRATION, key);
    assert.equal(found.spec.displayName, alias);
  };

  it('R14, R15: a killed leader is followed by another within the lease and a retry', async () => {
    await called('one');
    await eventually(() => registered('one'));
    const first = await leader();
    const killed = Date.now();
    first.kill('SIGKILL');
    await called('two');
    await eventually(() => registered('two'));
    assert.notEqual((await leader()).identity, first.identity);
    console.log(`the next leader had written ${Date.now() - killed} ms after the kill (lease ${LEASE.leaseMs} ms)`);
    replicas.managers[replicas.managers.indexOf(first)] = await replicas.startManager();
  });

  it('R15: a leader that was held still writes nothing of what it had in mind', async () => {
    const seen: string[] = [];
    const stop = new AbortController();
    const watching = (async () => {
      const events = replicas.global.watch<ResourceRegistration>(RESOURCE_REGISTRATION, { signal: stop.signal });
      for await (const { object } of events)
        if (object.metadata.name === `instance-${INSTANCE}`) seen.push(object.spec.displayName ?? '');
    })().catch(() => undefined);
    const first = await leader();
    // Held still in the middle of work: some of it is decided, none of it is written.
    const names = Array.from({ length: 30 }, (_, i) => `n${String(i).padStart(2, '0')}`);
    for (const name of names.slice(0, 15)) await called(name);
    first.kill('SIGSTOP');
    for (const name of names.slice(15)) await called(name);
    await eventually(() => registered('n29'));
    assert.notEqual((await leader()).identity, first.identity);
    first.kill('SIGCONT');
    await eventually(async () => {
      const measured = await fetch(`http://127.0.0.1:${first.port}/metrics`);
      assert.match(await measured.text(), /^kairship_controller_manager_leader 0$/m);
    });
    await registered('n29');
    stop.abort();
    await watching;
    const numbered = seen.filter((name) => /^n\d\d$/.test(name));
    assert.deepEqual(numbered, numbered.toSorted(), 'an older name was written over a newer one');
    const leading = await Promise.all(
      replicas.managers.map(async ({ port }) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()),
    );
    assert.equal(leading.filter((text) => /^kairship_controller_manager_leader 1$/m.test(text)).length, 1);
  });

  it('R41: an operator beside them runs embedded instances, and takes them back', async () => {
    const operator = await replicas.startOperator();
    const spec = { mode: 'embedded' };
    const metadata = { name: 'own' };
    await replicas.global.create(INSTANCES, { apiVersion: 'kairship.io/v1alpha1', kind: 'Instance', metadata, spec });
    const path = '/instances/own/kube/api/v1/namespaces/default';
    await eventually(async () => assert.equal((await anywhere(0, path)).status, 200));
    await replicas.global.delete(INSTANCES, { name: 'own' });
    await eventually(async () => {
      const { items } = await replicas.global.list(INSTANCES);
      assert.ok(!items.some((each) => each.metadata.name === 'own'));
    });
    await operator.stop();
  });
});
