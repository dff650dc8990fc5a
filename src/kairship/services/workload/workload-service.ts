/** What is done with workloads of every kind alike, and what their pods say, over all clusters. */
import type { JsonObject } from '@bufbuild/protobuf';
import { rfc3339 } from '#base/clock.ts';
import { badRequest } from '#base/status-error.ts';
import { WorkloadService } from '#gen/proto/kairship/api/workload/v1alpha1/workload_service_pb.ts';
import type { KindNames } from '#kube/crds/kind-names.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { type ServedService, service } from '#rpc/index.ts';
import { EVERYWHERE } from '../../read/reads.ts';
import { callerIn, clientIn, type Context, type ServiceDeps, writesIn } from '../deps.ts';
import { distributionOf } from '../distribution.ts';
import { POD } from '../kinds.ts';
import { requireMember } from '../membership.ts';
import { podsOf } from '../workload-parts.ts';
import { logLines, type PodInCluster } from './logs.ts';
import { imagesOf, type Revision, revisionsIn } from './revisions.ts';
import { templateToGoBackTo, wantedRevision } from './rollback.ts';
import { runCommand } from './run-command.ts';
import { loggedKind, pausedKind, scaledKind, workloadKind } from './workload-kind.ts';

interface Named {
  readonly instance: string;
  readonly namespace: string;
  readonly kind: string;
  readonly name: string;
}

/** What `kubectl rollout restart` writes, so that both are the same to whoever looks. */
const RESTARTED_AT = 'kubectl.kubernetes.io/restartedAt';

export function workloadService(deps: ServiceDeps): ServedService {
  const { reads } = deps;
  const at = ({ namespace, name }: Named) => ({ namespace, name });

  async function change(request: Named, context: Context, kind: KindNames, spec: object): Promise<{ data: string }> {
    const write = writesIn(deps, context, { instance: request.instance });
    const { data } = await write.patch(kind, at(request), { type: 'merge', body: { spec } });
    return { data };
  }

  /** Where a workload has gone; only the clusters that are named, if any are. */
  async function clustersOf(
    instance: string,
    workload: KubeObject,
    named: readonly string[],
  ): Promise<readonly string[]> {
    for (const cluster of named) await requireMember(deps, instance, cluster);
    const all = (await distributionOf(reads, instance, [workload]))(workload).map(({ name }) => name);
    return all.filter((name) => named.length === 0 || named.includes(name));
  }

  async function revisionsOf(request: Named & { readonly cluster: string }, context: Context) {
    const { instance, cluster } = request;
    const kind = workloadKind(request.kind);
    const workload = await clientIn(deps, context, { instance }).get(kind, at(request));
    const clusters = await clustersOf(instance, workload, cluster === '' ? [] : [cluster]);
    const found = await Promise.all(
      clusters.map((name) => revisionsIn(reads, { instance, cluster: name }, kind, at(request))),
    );
    return { kind, workload, clusters, revisions: found.flat() };
  }

  async function podsIn(
    request: Named & { readonly clusters: readonly string[] },
    context: Context,
  ): Promise<readonly PodInCluster[]> {
    const { instance, namespace, name, clusters: named } = request;
    const isPod = /^pods?$/i.test(request.kind);
    if (isPod && named.length === 0) throw badRequest('clusters: say where the pod is');
    const kind = isPod ? POD : loggedKind(request.kind);
    const clusters = isPod
      ? await Promise.all(named.map(async (cluster) => (await requireMember(deps, instance, cluster), cluster)))
      : await clustersOf(instance, await clientIn(deps, context, { instance }).get(kind, at(request)), named);
    const found = await Promise.all(
      clusters.map(async (cluster) => {
        const place = { instance, cluster };
        const isPart = isPod ? undefined : await podsOf(reads, { place, namespace, kind: kind.kind, name });
        const asked = { place, resource: POD, reach: EVERYWHERE, namespace, ...(isPod ? { name } : {}) };
        const pods = await reads.all(asked);
        return pods.filter((pod) => isPart?.(pod) !== false).map((pod) => ({ cluster, pod }));
      }),
    );
    return found.flat();
  }

  return service(WorkloadService, {
    async scaleWorkload(request, context) {
      const { replicas } = request;
      if (replicas < 0) throw badRequest(`replicas: 0 or more, found ${replicas}`);
      return change(request, context, scaledKind(request.kind), { replicas });
    },
    async restartWorkload(request, context) {
      const annotations = { [RESTARTED_AT]: rfc3339(deps.clock.now()) };
      return change(request, context, workloadKind(request.kind), { template: { metadata: { annotations } } });
    },
    pauseWorkload: async (request, context) => change(request, context, pausedKind(request.kind), { paused: true }),
    resumeWorkload: async (request, context) => change(request, context, pausedKind(request.kind), { paused: false }),

    async listWorkloadRevisions(request, context) {
      const { revisions } = await revisionsOf(request, context);
      return { items: revisions.toSorted((a, b) => b.createdAt - a.createdAt).map(told) };
    },

    async rollbackWorkload(request, context) {
      const { instance } = request;
      const { kind, workload, clusters, revisions } = await revisionsOf(request, context);
      const there = new Map<string, KubeObject | undefined>();
      for (const cluster of clusters) there.set(cluster, await reads.get({ instance, cluster }, kind, at(request)));
      const wanted = { cluster: request.cluster, revision: wantedRevision(request.revision) };
      const template = templateToGoBackTo(workload, revisions, wanted, (cluster) => there.get(cluster));
      const body = [{ op: 'replace', path: '/spec/template', value: template }] as const;
      const write = writesIn(deps, context, { instance });
      const { data } = await write.patch(kind, at(request), { type: 'json', body });
      return { data };
    },

    async *watchLogs(request, context) {
      const { instance } = request;
      const sources = {
        pods: () => podsIn(request, context),
        client: (cluster: string) => deps.clients({ instance, cluster }, callerIn(context)),
      };
      yield* logLines(sources, request, context.signal);
    },

    async runCommand(request, context) {
      const { instance, cluster } = request;
      await requireMember(deps, instance, cluster);
      return runCommand(deps.clients({ instance, cluster }, callerIn(context)), request, context.signal);
    },
  });
}

function told({ cluster, revision, createdAt, current, template }: Revision) {
  return {
    cluster,
    revision: BigInt(revision),
    createdAt: BigInt(createdAt),
    current,
    images: imagesOf(template),
    template: template as JsonObject,
  };
}
