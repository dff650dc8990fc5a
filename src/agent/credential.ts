/**
 * The token an agent speaks with: the one it was given first, then ones it asks for itself.
 *
 * What it was given may end within hours, so it is exchanged at once for one that lasts, renewed at half its life, and
 * kept in the member. An agent that starts again with a token that has ended finds the last one there.
 */
import { type Clock, sleep } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { hasReason } from '#base/status-error.ts';
import { agentAccountName, type AgentToken, NAMESPACES } from '#karmada/apis/index.ts';
import type { ClusterConfig } from '#kube/client/cluster-config.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { KubeObject } from '#kube/meta/object.ts';

export interface CredentialDeps {
  readonly given: AgentToken;
  readonly member: KubeClient;
  readonly clock: Clock;
  readonly log: Log;
}

export interface Credential {
  /** The control plane, always with the newest token. */
  readonly config: ClusterConfig;
  /** Renews it in time, until the signal aborts. */
  keep(control: KubeClient, signal: AbortSignal): Promise<void>;
}

const CORE = { group: '', version: 'v1' } as const;
const SECRET = { ...CORE, resource: 'secrets' };
const NAMESPACE = { ...CORE, resource: 'namespaces' };
const SERVICE_ACCOUNT = { ...CORE, resource: 'serviceaccounts' };
const KEPT = { namespace: NAMESPACES.system, name: 'kairship-agent' };
const LIFE_SECONDS = 30 * 24 * 3600;
const RETRY_MS = 60_000;

interface TokenRequest extends KubeObject {
  readonly status?: { readonly token: string; readonly expirationTimestamp: string };
}

interface SecretObject extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

export async function agentCredential({ given, member, clock, log }: CredentialDeps): Promise<Credential> {
  let current = given.token;
  const keyOfToken = `${given.cluster}.token`;

  async function kept(): Promise<string | undefined> {
    const secret = await member.get<SecretObject>(SECRET, KEPT).catch(orNothing);
    const token = secret?.data?.[keyOfToken];
    return token === undefined ? undefined : Buffer.from(token, 'base64').toString();
  }

  async function keepSafe(token: string): Promise<void> {
    const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: KEPT.namespace } };
    await member.create(NAMESPACE, object).catch(unless('AlreadyExists'));
    const data = { [keyOfToken]: Buffer.from(token).toString('base64') };
    const secret = { apiVersion: 'v1', kind: 'Secret', type: 'Opaque', metadata: KEPT, data };
    await member.apply(SECRET, secret, { fieldManager: 'kairship-agent', force: true });
  }

  /** Asks for the next token. Resolves with when the one after is due. */
  async function renew(control: KubeClient, signal: AbortSignal): Promise<number> {
    const metadata = { namespace: NAMESPACES.cluster, name: agentAccountName(given.cluster) };
    const spec = { expirationSeconds: LIFE_SECONDS };
    const asked = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', metadata, spec };
    const { status } = await control.create<TokenRequest>(SERVICE_ACCOUNT, asked, { subresource: 'token', signal });
    if (!status) return clock.now() + RETRY_MS;
    current = status.token;
    await keepSafe(current);
    return clock.now() + (Date.parse(status.expirationTimestamp) - clock.now()) / 2;
  }

  return {
    config: {
      server: given.server,
      ...(given.ca === undefined ? {} : { ca: given.ca }),
      userAgent: 'karmada-agent/kairship',
      clock,
      async token(rejected) {
        if (rejected === current) current = (await kept()) ?? current;
        return current;
      },
    },
    async keep(control, signal) {
      while (!signal.aborted) {
        const due = await renew(control, signal).catch((error: unknown) => {
          if (!signal.aborted) log.warn('the token could not be renewed', { error });
          return clock.now() + RETRY_MS;
        });
        // A timer holds no more than some weeks.
        while (!signal.aborted && clock.now() < due)
          await sleep(clock, Math.min(due - clock.now(), LOOK_AGAIN_MS), signal).catch(() => undefined);
      }
    },
  };
}

const LOOK_AGAIN_MS = 3_600_000;

function orNothing(error: unknown): undefined {
  if (!hasReason(error, 'NotFound')) throw error;
  return undefined;
}

const unless = (reason: 'AlreadyExists') => (error: unknown) => {
  if (!hasReason(error, reason)) throw error;
};
