/**
 * Messages of objects whose status tells where they have gone: a page of them with one look at the bindings, or one.
 *
 * Objects of a member carry the cluster they were read from instead.
 */
import type { Message } from '@bufbuild/protobuf';
import type { GenMessage } from '@bufbuild/protobuf/codegenv2';
import { isObject } from '#base/json.ts';
import type { ClusterProviderSummary } from '#gen/proto/kairship/api/cluster/v1alpha1/cluster_pb.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { asMessage } from './as-message.ts';
import type { Context, ServiceDeps } from './deps.ts';
import { distributionOf } from './distribution.ts';
import { listed, type ListedRequest, type Listing } from './listing.ts';

type Placed = Message & { status?: { clusters: ClusterProviderSummary[] } | undefined };

export interface Distributed<T extends KubeObject, M> {
  list(
    context: Context,
    request: ListedRequest,
    listing: Listing<T>,
  ): Promise<{ items: M[]; pagination: Awaited<ReturnType<typeof listed>>['pagination'] }>;
  one(instance: string, object: T): Promise<M>;
}

/** `complete` adds what the object does not say under the message's own names. */
export function distributed<M extends Placed, T extends KubeObject = KubeObject>(
  deps: ServiceDeps,
  desc: GenMessage<M>,
  complete?: (message: M, object: T) => void,
): Distributed<T, M> {
  function told(object: T, clusters: ClusterProviderSummary[]): M {
    const status = isObject(object['status']) ? object['status'] : {};
    const message = asMessage<GenMessage<M>>(desc, { ...object, status: { ...status, clusters: [] } });
    if (message.status) message.status.clusters = clusters;
    complete?.(message, object);
    return message;
  }

  return {
    async list(context, request, listing) {
      const { objects, pagination } = await listed<T>(deps, context, request, listing);
      const { cluster } = request;
      if (cluster) return { items: objects.map((object) => told(within(cluster, object), [])), pagination };
      const where = await distributionOf(deps.reads, request.instance, objects);
      return { items: objects.map((object) => told(object, where(object))), pagination };
    },
    one: async (instance, object) => told(object, (await distributionOf(deps.reads, instance, [object]))(object)),
  };
}

/** The published metadata names the cluster. */
export function within<T extends KubeObject>(cluster: string, object: T): T {
  return { ...object, metadata: { ...object.metadata, cluster } };
}
