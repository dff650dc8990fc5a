/** What every kind of workload has in common: lists with how and where each is, and its manifest. */
import type { Message } from '@bufbuild/protobuf';
import type { GenMessage } from '@bufbuild/protobuf/codegenv2';
import type { ClusterProviderSummary } from '#gen/proto/kairship/api/cluster/v1alpha1/cluster_pb.ts';
import { type WorkloadState, WorkloadStateSchema } from '#gen/proto/kairship/api/types/v1alpha1/types_pb.ts';
import type { KindNames } from '#kube/crds/kind-names.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { kairshipPermission } from '../../access/kairship-product.ts';
import type { Context, ServiceDeps } from '../deps.ts';
import { distributed } from '../distributed.ts';
import { inPhase } from '../in-phase.ts';
import type { ListedRequest } from '../listing.ts';
import { type ManifestRpcs, manifestRpcs, type Named } from '../manifest-rpcs.ts';

const LIST = kairshipPermission('workload', 'list');

type WorkloadMessage = Message & {
  status?: { state: WorkloadState; clusters: ClusterProviderSummary[] } | undefined;
};

export interface WorkloadRpcs<M> extends Omit<ManifestRpcs, 'read'> {
  readonly list: (
    request: ListedRequest & { readonly phase?: string },
    context: Context,
  ) => Promise<{ items: M[]; pagination: Awaited<ReturnType<ReturnType<typeof distributed>['list']>>['pagination'] }>;
  readonly get: (request: Named, context: Context) => Promise<M>;
}

/** `stateOf` says how one is, in one word. */
export function workloadRpcs<M extends WorkloadMessage>(
  deps: ServiceDeps,
  kind: KindNames,
  desc: GenMessage<M>,
  stateOf: (object: KubeObject) => WorkloadState,
): WorkloadRpcs<M> {
  const placed = distributed<M>(deps, desc, (message, object) => {
    if (message.status) message.status.state = stateOf(object);
  });
  const { read, ...manifests } = manifestRpcs(deps, kind);
  return {
    ...manifests,
    list: (request, context) =>
      placed.list(context, request, {
        resource: kind,
        permission: LIST,
        only: inPhase<KubeObject>(WorkloadStateSchema, request.phase, stateOf),
      }),
    get: async (request, context) => placed.one(request.instance, await read(request, context)),
  };
}
