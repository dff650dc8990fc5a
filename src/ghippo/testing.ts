/** For tests: a global cluster in this process, and Ghippo on it; both end with the test. */
import { type FakeClock, fakeClock } from '#base/clock.ts';
import type { Ending } from '#base/testing.ts';
import { type Caller, SYSTEM } from '#ghippo/access/caller.ts';
import { PLATFORM, type Scope } from '#ghippo/apis/scope.ts';
import type { Database } from '#ghippo/database/database.ts';
import { sqliteDatabase } from '#ghippo/database/sqlite-database.ts';
import { apiServer } from '#kube/apiserver/api-server.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { memoryStore } from '#kube/store/index.ts';
import { type Ghippo, startGhippo } from './ghippo.ts';

export interface GlobalCluster {
  readonly client: KubeClient;
  /** Aborts when the test ends, before the cluster does. */
  readonly signal: AbortSignal;
}

export async function globalCluster(t: Ending): Promise<GlobalCluster> {
  const server = await apiServer({ store: memoryStore() });
  const stop = new AbortController();
  t.after(async () => {
    stop.abort();
    await server.close();
  });
  return { client: server.client(undefined, 'ghippo'), signal: stop.signal };
}

/** Cheap enough for tests; nobody else should use it. */
const CHEAP = { ln: 4, r: 8, p: 1 };

export interface TestGhippo {
  readonly ghippo: Ghippo;
  readonly client: KubeClient;
  readonly clock: FakeClock;
  readonly database: Database;
  readonly signal: AbortSignal;
  /** A caller of this name, made as a user if need be, and given a role. */
  readonly caller: (name: string, role?: string, scope?: Scope) => Promise<Caller>;
  /** Resolves when the snapshot fulfils the condition. */
  readonly until: (condition: () => boolean) => Promise<void>;
}

export async function testGhippo(t: Ending): Promise<TestGhippo> {
  const { client, signal } = await globalCluster(t);
  const clock = fakeClock();
  const database = await sqliteDatabase();
  const ghippo = await startGhippo({ client, database, clock, signal, passwordCost: CHEAP });
  await ghippo.ready;

  function until(condition: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!condition()) return;
        end();
        resolve();
      };
      const end = ghippo.snapshot.subscribe(look);
      look();
    });
  }

  async function caller(name: string, role?: string, scope: Scope = PLATFORM): Promise<Caller> {
    if (!(await ghippo.clients.users.find(name))) await ghippo.users.createUser(SYSTEM, { name });
    const subject = { kind: 'User' as const, name };
    if (role !== undefined) await ghippo.bindings.grant(SYSTEM, { role, scope, subjects: [subject] });
    const isThere = () =>
      ghippo.snapshot
        .current()
        .bindingsOf(subject)
        .some(({ spec }) => spec.role === role);
    await until(() => ghippo.snapshot.current().user(name) !== undefined && (role === undefined || isThere()));
    return { user: name, method: 'session', address: '10.0.0.1', agent: 'test' };
  }

  return { ghippo, client, clock, database, signal, caller, until };
}

/** Records of the audit log, newest first, as short texts. */
export async function recorded(ghippo: Ghippo): Promise<readonly string[]> {
  const { records } = await ghippo.audit.query({}, { limit: 100 });
  return records
    .filter(({ user }) => user !== SYSTEM.user)
    .map(({ user, action, resourceName, verdict }) => `${user} ${action} ${resourceName} ${verdict}`);
}
