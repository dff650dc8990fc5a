/**
 * The engine beside an API server of others: a Kubernetes that holds Karmada's kinds, or a whole Karmada.
 *
 * Of several such engines one leads, agreed on by the Lease of Karmada's own controller-manager: so it never works beside
 * a real one either, and its writes are fenced. What it knows about placement it serves on a port of its own, and nothing
 * else. To explain only is to read only.
 */
import { hostname } from 'node:os';
import { systemClock } from '#base/clock.ts';
import { randomIds } from '#base/ids.ts';
import type { Log } from '#base/log.ts';
import { hasReason } from '#base/status-error.ts';
import { karmadaAdmission } from '#karmada/admission/index.ts';
import { CLUSTER, NAMESPACES, PROPAGATION_POLICY, RESOURCE_BINDING, WORK } from '#karmada/apis/index.ts';
import { type Engine, placementServer, startRemoteEngine } from '#karmada/engine/index.ts';
import { livePlacement } from '#karmada/engine/live-placement.ts';
import { type ApiServer, apiServer } from '#kube/apiserver/index.ts';
import { httpClient, type HttpClient } from '#kube/client/http-client.ts';
import { loadKubeconfig } from '#kube/client/load-config.ts';
import { groupResource } from '#kube/meta/gvk.ts';
import { leaseElection } from '#kube/runtime/index.ts';
import { CommandFailure } from './cli/failure.ts';
import type { EngineSettings } from './karmada-flags.ts';
import type { Parts } from './kube-program.ts';

export interface RemoteParts extends Omit<Parts, 'dataDir'> {
  readonly server: string;
  readonly settings: EngineSettings;
}

const LEASE = 'karmada-controller-manager';
const NAMESPACE = { group: '', version: 'v1', resource: 'namespaces' };

export async function remoteEngine({
  server,
  settings,
  options,
  ...parts
}: RemoteParts & {
  readonly options: { readonly leaderElect?: boolean; readonly leaderElectResourceNamespace?: string };
}): Promise<ApiServer> {
  const { log, signal } = parts;
  const client = await connect(server, 'karmada-controller-manager');
  const namespace = options.leaderElectResourceNamespace ?? NAMESPACES.system;
  await ensureNamespace(client, namespace);
  let engine: Engine | undefined;
  const admission = karmadaAdmission({ ids: randomIds, clock: systemClock });
  const start = (leadership?: Parameters<Parameters<ReturnType<typeof leaseElection>['run']>[0]>[0]) => {
    const over = leadership?.signal ?? signal;
    engine = startRemoteEngine({
      ...settings,
      client,
      admission,
      log,
      signal: over,
      ...(leadership ? { leadership } : {}),
    });
    return engine.ended;
  };
  const election = leaseElection({ client, namespace, name: LEASE, identity: `${hostname()}_${randomIds.uid()}`, log });
  const ended = options.leaderElect === false ? start() : election.run(start, signal);
  const leading = () => engine ?? standby(election.leader());
  const api = await apiServer({
    ...parts,
    ...placementServer({
      explanations: () => leading().decisions,
      traces: () => leading().traces,
      simulate: () => leading().simulate,
    }),
  });
  if (options.leaderElect === false) await engine?.ready;
  return closing(api, client, ended, log);
}

export async function explainOnly({ server, settings, ...parts }: RemoteParts): Promise<ApiServer> {
  const client = await connect(server, 'kairship-explain');
  const placement = livePlacement({ ...settings, client, signal: parts.signal, log: parts.log });
  const api = await apiServer({
    ...parts,
    ...placementServer({ explanations: () => placement.explanations, simulate: () => placement.simulate }),
  });
  await placement.ready;
  return closing(api, client, Promise.resolve(), parts.log);
}

/** A client for a server that has all it takes; otherwise it says what is missing. */
async function connect(kubeconfig: string, agent: string): Promise<HttpClient> {
  const client = httpClient({ ...(await loadKubeconfig(kubeconfig)), userAgent: `${agent}/kairship` });
  const served = new Set((await client.discover()).map(groupResource));
  const missing = [PROPAGATION_POLICY, RESOURCE_BINDING, WORK, CLUSTER]
    .map(groupResource)
    .filter((id) => !served.has(id));
  if (missing.length === 0) return client;
  client.close();
  throw new CommandFailure(`the server of ${kubeconfig} does not have Karmada's kinds`, {
    why: `it serves no ${missing.join(', ')}`,
    next: 'kairship karmada --print-crds | kubectl apply --server-side -f -',
  });
}

async function ensureNamespace(client: HttpClient, name: string): Promise<void> {
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
  await client.create(NAMESPACE, namespace).catch((error: unknown) => {
    if (!hasReason(error, 'AlreadyExists')) throw error;
  });
}

function standby(leader: string | undefined): never {
  throw new CommandFailure('this engine does not lead', {
    why: leader === undefined ? 'nobody does yet' : `${leader} does`,
    next: 'ask the leader',
  });
}

function closing(api: ApiServer, client: HttpClient, ended: Promise<void>, log: Log): ApiServer {
  ended.catch((error: unknown) => log.error('the engine failed', { error }));
  return {
    ...api,
    async close() {
      await ended.catch(() => undefined);
      await api.close();
      client.close();
    },
  };
}
