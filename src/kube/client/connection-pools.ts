/**
 * The connections to one server: a bounded pool for requests that end soon, as many as needed for streams.
 *
 * A renewed client certificate gets fresh connections; those made with the old one are not used again and closed as soon
 * as nothing is under way on them.
 */
import { createHash } from 'node:crypto';
import type * as http from 'node:http';
import * as https from 'node:https';
import { Duplex } from 'node:stream';
import { createSecureContext, type SecureContext } from 'node:tls';
import { Agent } from '#base/node-http.ts';
import { badRequest } from '#base/status-error.ts';
import type { KeyPair } from '#kube/pki/ca.ts';
import type { ClusterConfig } from './cluster-config.ts';

export type Pool = 'short' | 'stream';

const DEFAULT_SOCKETS = 64;

export interface ConnectionPools {
  agent(pool: Pool, pair: KeyPair | undefined): http.Agent;
  /** Ends every connection. */
  destroy(): void;
}

export function connectionPools(config: ClusterConfig): ConnectionPools {
  const current = new Map<Pool, { readonly print: string; readonly agent: http.Agent }>();
  const retired = new Set<http.Agent>();

  function create(pool: Pool, pair: KeyPair | undefined): http.Agent {
    const { proxyUrl, dial } = config;
    if (dial) return dialling(dial, pool === 'short' ? config.maxSockets : undefined);
    const common = {
      keepAlive: true,
      noDelay: true,
      // Probes on idle connections, so that a watch notices within half a minute that its server has vanished.
      keepAliveMsecs: 15_000,
      maxSockets: pool === 'short' ? (config.maxSockets ?? DEFAULT_SOCKETS) : Number.POSITIVE_INFINITY,
      ...(proxyUrl === undefined ? {} : { proxyEnv: { HTTP_PROXY: proxyUrl, HTTPS_PROXY: proxyUrl } }),
    };
    if (!config.server.startsWith('https:')) return new Agent(common);
    return new https.Agent({
      ...common,
      secureContext: secureContext(config, pair),
      rejectUnauthorized: config.insecureSkipTlsVerify !== true,
      ...(config.tlsServerName ? { servername: config.tlsServerName } : {}),
    });
  }

  return {
    agent(pool, pair) {
      const print = pair ? fingerprint(pair) : '';
      const known = current.get(pool);
      if (known?.print === print) return known.agent;
      if (known) retired.add(retire(known.agent));
      const agent = create(pool, pair);
      current.set(pool, { print, agent });
      return agent;
    },
    destroy() {
      for (const { agent } of current.values()) agent.destroy();
      for (const agent of retired) agent.destroy();
    },
  };
}

/** Connections that something else opens, one for each request: what is dialled costs little to open and less to end. */
function dialling(dial: () => Promise<Duplex>, maxSockets = Number.POSITIVE_INFINITY): http.Agent {
  const agent = new Agent({ keepAlive: false, maxSockets });
  agent.createConnection = (_options, callback) => {
    dial().then(
      (connection) => callback?.(null, connection),
      (error: Error) => callback?.(error, new Duplex()),
    );
    return undefined;
  };
  return agent;
}

function retire(agent: http.Agent): http.Agent {
  agent.maxFreeSockets = 0;
  for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
  return agent;
}

/** Parsed once, instead of for each connection. */
function secureContext({ ca, server }: ClusterConfig, pair: KeyPair | undefined): SecureContext {
  try {
    return createSecureContext({ ...(ca ? { ca } : {}), ...pair });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw badRequest(`the certificates for ${server} cannot be read: ${why}`);
  }
}

const fingerprints = new WeakMap<KeyPair, string>();

function fingerprint(pair: KeyPair): string {
  let print = fingerprints.get(pair);
  if (!print) fingerprints.set(pair, (print = createHash('sha256').update(pair.cert).update(pair.key).digest('hex')));
  return print;
}
