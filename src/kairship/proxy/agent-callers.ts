/**
 * Agents at the entrance: the one kind of caller that the instance knows and the identity module does not.
 *
 * A token is an agent's when it says so; whether that is true, the instance is asked. What an agent may do is the
 * instance's own to decide, as for everybody.
 */
import { createHash } from 'node:crypto';
import type { Clock } from '#base/clock.ts';
import { StatusError } from '#base/status-error.ts';
import { agentAccountName, NAMESPACES } from '#karmada/apis/index.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import type { PlatformClients } from './instance-client.ts';
import type { Caller } from './instance-proxy.ts';

/** Undefined when the token is not an agent's at all; throws `Unauthorized` when it is one that does not count. */
export type AgentCallers = (instance: string, bearer: string) => Promise<Caller | undefined>;

const TOKEN_REVIEW = { group: 'authentication.k8s.io', version: 'v1', resource: 'tokenreviews' };
const AGENTS = `system:serviceaccount:${NAMESPACES.cluster}:${agentAccountName('')}`;
/** An agent asks several times a second, and what was true is true for a moment. */
const REMEMBERED_MS = 5_000;
const MOST_REMEMBERED = 1_000;

interface TokenReview extends KubeObject {
  readonly status?: {
    readonly authenticated?: boolean;
    readonly user?: { readonly username?: string; readonly groups?: readonly string[] };
  };
}

export function agentCallers({ instances, clock }: { instances: PlatformClients; clock: Clock }): AgentCallers {
  const known = new Map<string, { readonly caller: Caller; readonly until: number }>();

  return async (instance, bearer) => {
    if (!saysItIsAnAgent(bearer)) return undefined;
    const key = createHash('sha256').update(`${instance}/${bearer}`).digest('base64');
    const remembered = known.get(key);
    if (remembered && clock.now() < remembered.until) return remembered.caller;
    known.delete(key);
    const caller = await reviewed(instances, instance, bearer);
    if (known.size >= MOST_REMEMBERED) known.clear();
    known.set(key, { caller, until: clock.now() + REMEMBERED_MS });
    return caller;
  };
}

async function reviewed(instances: PlatformClients, instance: string, token: string): Promise<Caller> {
  const asked = {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenReview',
    metadata: { name: '' },
    spec: { token },
  };
  const { status } = await instances(instance).create<TokenReview>(TOKEN_REVIEW, asked);
  const { username = '', groups = [] } = status?.user ?? {};
  if (!status?.authenticated || !username.startsWith(AGENTS))
    throw new StatusError('Unauthorized', `instance "${instance}" does not know this agent, or knows it no more`);
  return { user: username, groups };
}

/** By what a token tells of itself, which proves nothing. */
function saysItIsAnAgent(bearer: string): boolean {
  const [, payload = ''] = bearer.split('.');
  try {
    const { sub } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { readonly sub?: unknown };
    return typeof sub === 'string' && sub.startsWith(AGENTS);
  } catch {
    return false;
  }
}
