/**
 * What an agent is started with, in one word that can be pasted: where the control plane is, whom to trust there, which
 * cluster it answers for, and a token that may do that and nothing else. Pure.
 */
import { isObject } from '#base/json.ts';
import { badRequest } from '#base/status-error.ts';

export interface AgentToken {
  /** The control plane's API. */
  readonly server: string;
  /** The authority that signed its certificate, as PEM; without it, those the system trusts. */
  readonly ca?: string;
  readonly cluster: string;
  /** A token of the agent's service account in the control plane. */
  readonly token: string;
}

const PREFIX = 'kairship-agent.';

/** The service account of a cluster's agent, in the namespace of clusters of its control plane. */
export const agentAccountName = (cluster: string): string => `karmada-agent-${cluster}`;

export function encodeAgentToken({ server, ca, cluster, token }: AgentToken): string {
  return PREFIX + Buffer.from(JSON.stringify({ server, ca, cluster, token })).toString('base64url');
}

/** Throws `BadRequest` for what is no such token, or only a part of one. */
export function decodeAgentToken(text: string): AgentToken {
  const unusable = (why: string) => badRequest(`this is no token for an agent: ${why}`);
  const word = text.trim();
  if (!word.startsWith(PREFIX)) throw unusable(`one begins with "${PREFIX}"`);
  let read: unknown;
  try {
    read = JSON.parse(Buffer.from(word.slice(PREFIX.length), 'base64url').toString());
  } catch {
    throw unusable('it is not complete');
  }
  if (!isObject(read)) throw unusable('it is not complete');
  const { server, ca, cluster, token } = read;
  if (typeof server !== 'string' || typeof cluster !== 'string' || typeof token !== 'string')
    throw unusable('it names no server, no cluster or no token');
  return { server, cluster, token, ...(typeof ca === 'string' ? { ca } : {}) };
}
