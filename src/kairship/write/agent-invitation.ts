/**
 * A cluster that nobody reaches from outside as a member of an instance: its Karmada `Cluster` in pull mode, what its agent
 * may do there, and a token by which an agent is known. Each step can be repeated; the agent itself does the rest.
 */
import { hasReason, StatusError } from '#base/status-error.ts';
import { agentAccess, agentAccountName, CLUSTER, type Cluster, NAMESPACES } from '#karmada/apis/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { KubeObject } from '#kube/meta/object.ts';

const SERVICE_ACCOUNT = { group: '', version: 'v1', resource: 'serviceaccounts' };
const MANAGER = { fieldManager: 'kairship-agent-access', force: true } as const;

export const AGENT_TOKEN_SECONDS = { least: 600, usual: 24 * 3600, most: 30 * 24 * 3600 } as const;

export interface Invitation {
  /** Of the agent's service account in the instance. */
  readonly token: string;
  readonly expiresAt: Date;
}

interface TokenRequest extends KubeObject {
  readonly status?: { readonly token: string; readonly expirationTimestamp: string };
}

export async function inviteAgent(
  control: KubeClient,
  name: string,
  { seconds, held }: { readonly seconds: number; readonly held: boolean },
): Promise<Invitation> {
  const cluster = await pullingCluster(control, name);
  for (const { gvr, object } of agentAccess(cluster, { held })) await control.apply(gvr, object, MANAGER);
  const metadata = { namespace: NAMESPACES.cluster, name: agentAccountName(name) };
  const spec = { expirationSeconds: seconds };
  const asked = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', metadata, spec };
  const { status } = await control.create<TokenRequest>(SERVICE_ACCOUNT, asked, { subresource: 'token' });
  if (!status) throw new StatusError('InternalError', `the instance gave the agent of "${name}" no token`);
  return { token: status.token, expiresAt: new Date(status.expirationTimestamp) };
}

async function pullingCluster(control: KubeClient, name: string): Promise<Cluster> {
  const wanted = { apiVersion: CLUSTER.apiVersion, kind: 'Cluster', metadata: { name }, spec: { syncMode: 'Pull' } };
  const cluster = await control.create<Cluster>(CLUSTER, wanted as Cluster).catch((error: unknown) => {
    if (!hasReason(error, 'AlreadyExists')) throw error;
    return control.get<Cluster>(CLUSTER, { name });
  });
  if (cluster.metadata.deletionTimestamp !== undefined)
    throw new StatusError('Conflict', `cluster "${name}" is leaving the instance: try again when it has`);
  if (cluster.spec.syncMode === 'Pull') return cluster;
  throw new StatusError(
    'Conflict',
    `cluster "${name}" is pushed to: it needs no agent, and must leave before it has one`,
  );
}
