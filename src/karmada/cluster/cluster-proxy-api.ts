/**
 * `clusters/{name}/proxy/…`: any request to a member, through the control plane, as whoever asks.
 *
 * The member is reached with the impersonator's token of the Cluster, or by its agent where it pulls (`tunnels.ts`), and
 * told to treat the request as the caller's; what the caller may do there is the member's own to decide. Bodies, watches, logs and upgraded connections pass through as
 * they are; nothing of the request's own credentials or impersonation does. The name `*` asks all of them
 * (`cluster-fan-out.ts`).
 */
import { StatusError } from '#base/status-error.ts';
import { type Cluster, CLUSTER } from '#karmada/apis/index.ts';
import type { ApiExtension, ExtensionRequest, RawExchange } from '#kube/apiserver/index.ts';
import { relay } from '#kube/client/relay.ts';
import { acrossClusters, ALL_CLUSTERS, answerHere, asksTheControlPlane, sendList } from './cluster-fan-out.ts';
import { type ClusterProxyDeps, headersFor, reach } from './proxied-request.ts';

const VERBS = ['get', 'create', 'update', 'patch', 'delete'];

export function clusterProxyApi(deps: ClusterProxyDeps): readonly ApiExtension[] {
  return [
    {
      group: CLUSTER.group,
      version: CLUSTER.version,
      resource: CLUSTER.resource,
      subresource: 'proxy',
      kind: { kind: 'ClusterProxyOptions' },
      namespaced: false,
      verbs: VERBS,
      async serve(request) {
        await forward(deps, request);
        return undefined;
      },
    },
  ];
}

async function forward(deps: ClusterProxyDeps, asked: ExtensionRequest): Promise<void> {
  const { raw, name = '' } = asked;
  if (!raw) throw new StatusError('NotImplemented', 'a proxy is reached over HTTP');
  if (name !== ALL_CLUSTERS) return forwardTo(deps, await deps.client().get<Cluster>(CLUSTER, { name }), asked, raw);
  if (asksTheControlPlane(asked)) return answerHere(raw, asked);
  const found = await acrossClusters(deps, asked, raw);
  if ('cluster' in found) return forwardTo(deps, found.cluster, asked, raw);
  sendList(raw, found.list);
}

/** The member's own answer, as it comes. */
async function forwardTo(
  deps: ClusterProxyDeps,
  cluster: Cluster,
  { rest = '', user, signal }: ExtensionRequest,
  raw: RawExchange,
): Promise<void> {
  const { client, token } = await reach(deps, cluster);
  const { request } = raw;
  const query = (request.url ?? '').split('?')[1];
  const path = `/${rest}${query ? `?${query}` : ''}`;
  await relay(client, raw, { path, headers: headersFor(request, user, token), signal });
}
