/** Namespaces of an instance, and by name those of its members. */
import { StatusError } from '#base/status-error.ts';
import type { CoreService } from '#gen/proto/kairship/api/core/v1alpha1/core_service_pb.ts';
import { ListNamespaceSummaryResponse_Scope as Scope } from '#gen/proto/kairship/api/core/v1alpha1/core_service_pb.ts';
import { NamespaceSchema } from '#gen/proto/kairship/api/core/v1alpha1/namespace_pb.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import type { ServiceImpl } from '@connectrpc/connect';
import { kairshipPermission } from '../../access/kairship-product.ts';
import { asMessage } from '../as-message.ts';
import { clientIn, type Context, reachIn, type ServiceDeps, writesIn } from '../deps.ts';
import { CRON_JOB, DAEMON_SET, DEPLOYMENT, JOB, NAMESPACE, STATEFUL_SET } from '../kinds.ts';
import { listed } from '../listing.ts';
import { manifestRpcs } from '../manifest-rpcs.ts';
import { requireMember } from '../membership.ts';

const LIST = kairshipPermission('namespace', 'list');
const WORKLOADS = [DEPLOYMENT, STATEFUL_SET, DAEMON_SET, JOB, CRON_JOB];

export function namespaceRpcs(deps: ServiceDeps) {
  const manifests = manifestRpcs(deps, NAMESPACE);

  /** Names of those the caller may see, in order. */
  async function names(context: Context, place: { readonly instance: string; readonly cluster?: string }) {
    const reach = reachIn(deps, context, LIST, place.instance);
    const found = await deps.reads.all({ place, resource: NAMESPACE, reach, sortBy: 'name', descending: false });
    return { reach, names: found.map(({ metadata }) => metadata.name) };
  }

  return {
    async listNamespaces(request, context) {
      const { objects, pagination } = await listed(deps, context, request, { resource: NAMESPACE, permission: LIST });
      return { items: objects.map(message), pagination };
    },
    getNamespace: async (request, context) => ({ namespace: message(await manifests.read(request, context)) }),
    getNamespaceJSON: manifests.json,
    async createNamespace({ instance, data }, context) {
      const { object } = await writesIn(deps, context, { instance }).create(NAMESPACE, {}, data);
      return { namespace: message(object) };
    },
    updateNamespace: manifests.update,
    patchNamespace: manifests.patch,
    async deleteNamespace(request, context) {
      await requireIdle(clientIn(deps, context, { instance: request.instance }), request.name);
      return manifests.remove(request, context);
    },
    async listNamespaceSummary({ instance }, context) {
      const { reach, names: found } = await names(context, { instance });
      const isWhole = reach.all || reach.instances.includes(instance);
      return {
        data: found.map((name) => ({ name, instance })),
        accessScope: isWhole ? Scope.Instance : Scope.Namespace,
      };
    },
    async listMemberClusterNamespaceSummary({ instance, cluster }, context) {
      await requireMember(deps, instance, cluster);
      const { names: found } = await names(context, { instance, cluster });
      return { data: found.map((name) => ({ name, instance, cluster })) };
    },
  } satisfies Partial<ServiceImpl<typeof CoreService>>;
}

/** Deleting a namespace deletes what runs in it, in every member: workloads have to be deleted by name first. */
async function requireIdle(client: KubeClient, namespace: string): Promise<void> {
  const found = await Promise.all(
    WORKLOADS.map(async (kind) => {
      const { items } = await client.list(kind, { namespace, limit: 1 });
      return items.map(({ metadata }) => `${kind.resource} "${metadata.name}"`);
    }),
  );
  const [first] = found.flat();
  if (first === undefined) return;
  throw new StatusError(
    'Conflict',
    `namespace "${namespace}" is in use: delete its workloads first, ${first} among them`,
  );
}

function message(object: KubeObject) {
  return asMessage(NamespaceSchema, object);
}
