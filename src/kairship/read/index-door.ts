/**
 * The index itself behind the entrance, for kubectl: `/apis/clusterpedia.io/v1beta1/resources/…`.
 *
 * Everybody reads what is in the instances they have rights in; everything in all clusters needs a right of its own.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { StatusError } from '#base/status-error.ts';
import { PLATFORM } from '#ghippo/apis/scope.ts';
import type { Access as IndexAccess } from '#kpanda/index/index.ts';
import type { Kpanda } from '#kpanda/kpanda.ts';
import type { NodeRequest, NodeResponse } from '#rpc/index.ts';
import { type Access, reachOf, rightsOf } from '../access/authorize.ts';
import type { Identify } from '../access/identify.ts';
import { kairshipPermission } from '../access/kairship-product.ts';
import { kpandaPermission } from '../access/kpanda-product.ts';
import { virtualCluster } from '../instances/virtual-cluster.ts';

export interface IndexDoor {
  /** Answers requests of its own and says true, or leaves a request alone. */
  handle(request: NodeRequest, response: NodeResponse): boolean;
}

const READ_ALL = kpandaPermission('index', 'read');
const READ_SOME = kairshipPermission('object', 'search');

export function indexDoor(deps: {
  readonly kpanda: Pick<Kpanda, 'handler'>;
  readonly identify: Identify;
  readonly access: Access;
}): IndexDoor {
  const { identify, access } = deps;

  async function readable({ method = 'GET', headers, socket }: IncomingMessage): Promise<IndexAccess> {
    const caller = await identify({ method, headers, address: socket.remoteAddress });
    if (!caller) throw new StatusError('Unauthorized', 'Unauthorized');
    if (access.decide({ ...rightsOf(caller), permission: READ_ALL, scope: PLATFORM }).allowed) return 'everything';
    const { instances, namespaces } = reachOf(access, caller, READ_SOME);
    return [
      ...instances.map((instance) => ({ cluster: virtualCluster(instance) })),
      ...namespaces.map(({ instance, namespace }) => ({ cluster: virtualCluster(instance), namespace })),
    ];
  }

  const index = deps.kpanda.handler(readable);
  return {
    handle(request, response) {
      // It speaks HTTP/1.1, as every client of Kubernetes does when it is offered.
      if (request.httpVersionMajor !== 1 || !index.serves(request.url?.split('?')[0] ?? '/')) return false;
      void index.handle(request as IncomingMessage, response as ServerResponse);
      return true;
    },
  };
}
