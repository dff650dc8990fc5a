/**
 * Who calls Kpanda's API and what they may, when nobody else decides: the global cluster is asked.
 *
 * Every RPC is a verb on `clusters` of `kpanda.io`, or on a part of one (`clusters/kubeconfig`), so that rights are given
 * with the roles of that cluster. It is asked before anything else happens.
 */
import type { Interceptor } from '@connectrpc/connect';
import { StatusError } from '#base/status-error.ts';
import { type Authenticate, authorizing, type Call } from '#rpc/index.ts';
import { bearerOf, type ReviewedAction, type Reviews } from '../reviews.ts';
import { sameText } from '#base/same-text.ts';

export interface ReviewedCalls {
  readonly authenticate: Authenticate;
  readonly interceptors: readonly Interceptor[];
  readonly sees: () => boolean;
}

const MASTERS = 'system:masters';

const ACTIONS: Readonly<Record<string, Omit<ReviewedAction, 'name'>>> = {
  ListClusters: { verb: 'list' },
  ListClusterSummary: { verb: 'list' },
  GetCluster: { verb: 'get' },
  CreateCluster: { verb: 'create' },
  ValidateKubeConfig: { verb: 'create' },
  ValidateCluster: { verb: 'update', subresource: 'credential' },
  UpdateClusters: { verb: 'update' },
  EditClusterLabels: { verb: 'update' },
  RotateCredential: { verb: 'update', subresource: 'credential' },
  DeleteCluster: { verb: 'delete' },
  GetClusterKubeConfig: { verb: 'get', subresource: 'kubeconfig' },
  ListClusterPreferredResources: { verb: 'get' },
  GetClusterUsage: { verb: 'get', subresource: 'usage' },
};

export function reviewedCalls(deps: { readonly reviews: Reviews; readonly adminToken?: string }): ReviewedCalls {
  const { reviews, adminToken } = deps;

  async function decide({ rpc, caller, message }: Call): Promise<void> {
    if (!caller) throw new StatusError('Unauthorized', 'this call carries no token');
    if (caller.groups.includes(MASTERS)) return;
    const action = ACTIONS[rpc.name];
    const { name = '', cluster = '' } = (message ?? {}) as { readonly name?: string; readonly cluster?: string };
    const named = action?.verb === 'list' || action?.verb === 'create' ? '' : name || cluster;
    if (action && (await reviews.allows(caller, { ...action, name: named }))) return;
    const what = ['clusters', action?.subresource].filter(Boolean).join('/');
    throw new StatusError(
      'Forbidden',
      `user "${caller.user}" may not ${action?.verb ?? rpc.name} ${what} of kpanda.io`,
    );
  }

  return {
    authenticate({ header }) {
      const token = bearerOf(header.get('authorization'));
      if (token === undefined) return undefined;
      if (adminToken !== undefined && sameText(token, adminToken)) return { user: 'admin', groups: [MASTERS] };
      return reviews.callerOf(token);
    },
    interceptors: [authorizing(decide)],
    // A list that may not be seen is refused before.
    sees: () => true,
  };
}
