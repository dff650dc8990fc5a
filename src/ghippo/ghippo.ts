/**
 * Identity and access, put together: everything a program needs to know who calls and what they may do.
 *
 *     const ghippo = await startGhippo({ client, database, signal });
 *     const caller = await ghippo.authenticate({ bearer, session, address });
 *     const verdict = ghippo.snapshot.decide({ user: caller.user, operation: 'Apps_CreateDeployment', scope });
 *
 * Any number of processes may do this on one global cluster and one database: decisions are made from what each of them
 * watches. {@link ghippoControllers} is for the one that is elected.
 */
import { type Clock, sleep, systemClock } from '#base/clock.ts';
import { type Ids, randomIds } from '#base/ids.ts';
import { type Log, silentLog } from '#base/log.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { type Informers, informers as newInformers } from '#kube/runtime/informer.ts';
import { type Guard, guard } from './access/guard.ts';
import { installGhippo } from './apis/install.ts';
import { type GhippoClients, ghippoClients } from './apis/resources.ts';
import { type AuditLog, auditLog } from './audit/audit-log.ts';
import type { Database } from './database/database.ts';
import { type LiveSnapshot, liveSnapshot } from './decision/live-snapshot.ts';
import {
  type Attempts,
  attempts,
  type Authenticator,
  authenticator,
  type GroupsService,
  groupsService,
  passwordStore,
  type ScryptCost,
  type SignInService,
  signInService,
  type UsersService,
  usersService,
} from './identity/index.ts';
import { externalUsers, oidcClient, type OidcService, oidcService } from './oidc/index.ts';
import { type BindingsService, bindingsService, type RolesService, rolesService } from './role/index.ts';
import { type Once, once, type Sessions, sessions } from './session/index.ts';
import { tokenAuthenticator, type TokensService, tokensService } from './token/index.ts';
import { type WorkspacesService, workspacesService } from './workspace/index.ts';

export interface GhippoOptions {
  /** Of the global cluster. */
  readonly client: KubeClient;
  readonly database: Database;
  readonly signal: AbortSignal;
  readonly informers?: Informers;
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly log?: Log;
  readonly passwordCost?: ScryptCost;
}

export interface Ghippo extends Authenticator {
  readonly clients: GhippoClients;
  readonly guard: Guard;
  readonly snapshot: LiveSnapshot;
  readonly audit: AuditLog;
  readonly sessions: Sessions;
  readonly once: Once;
  readonly users: UsersService;
  readonly groups: GroupsService;
  readonly roles: RolesService;
  readonly bindings: BindingsService;
  readonly workspaces: WorkspacesService;
  readonly tokens: TokensService;
  readonly signIns: SignInService;
  readonly oidc: OidcService;
  /** Resolves when every question can be answered. */
  readonly ready: Promise<void>;
  /** Forgets what has ended: sessions, codes, attempts, old records. */
  purge(): Promise<void>;
}

const PURGE_EVERY_MS = 10 * 60_000;

export async function startGhippo(options: GhippoOptions): Promise<Ghippo> {
  const { client, database, signal, clock = systemClock, ids = randomIds, log = silentLog } = options;
  await installGhippo(client, { signal });
  const informers = options.informers ?? newInformers(client, { signal, clock, ids, log });
  const clients = ghippoClients(client);
  const cost = options.passwordCost ? { passwordCost: options.passwordCost } : {};

  const snapshot = liveSnapshot(informers);
  const audit = auditLog({ database, clock });
  const gate = guard({ authorizer: snapshot, audit });
  const kept = { sessions: sessions({ database, clock }), once: once({ database, clock }) };
  const tries: Attempts = attempts({ database, clock });
  const passwords = passwordStore(clients.secrets);
  const tokens = tokenAuthenticator({ informers, secrets: clients.secrets, database, clock });
  const people = externalUsers({ clients, guard: gate });
  const shared = { clients, guard: gate, database, clock, ids, snapshot };

  const signIns = signInService({ ...shared, ...kept, ...cost, passwords, attempts: tries, audit });

  const ghippo: Ghippo = {
    clients,
    guard: gate,
    snapshot,
    audit,
    ...kept,
    users: usersService({ ...shared, ...cost, passwords, sessions: kept.sessions, attempts: tries }),
    groups: groupsService(shared),
    roles: rolesService(shared),
    bindings: bindingsService(shared),
    workspaces: workspacesService(shared),
    tokens: tokensService(shared),
    signIns,
    oidc: oidcService({ ...shared, oidc: oidcClient({ clock }), once: kept.once, people, signIns }),
    ...authenticator({ sessions: kept.sessions, tokens, snapshot }),
    ready: Promise.all([snapshot.ready, tokens.ready]).then(() => undefined),
    async purge() {
      await Promise.all([kept.sessions.purge(), kept.once.purge(), tries.purge(), audit.forget()]);
    },
  };
  ghippo.ready.catch(() => undefined);
  void purgeNowAndThen(ghippo, { clock, log, signal });
  return ghippo;
}

async function purgeNowAndThen(
  ghippo: Ghippo,
  { clock, log, signal }: { readonly clock: Clock; readonly log: Log; readonly signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    try {
      await sleep(clock, PURGE_EVERY_MS, signal);
      await ghippo.purge();
    } catch (error) {
      if (!signal.aborted) log.error('what has ended could not be forgotten', { error });
    }
  }
}
