/** How far a change has come: the instance's traces, read once or followed. */
import { create } from '@bufbuild/protobuf';
import { badRequest, notFound } from '#base/status-error.ts';
import { isObject } from '#base/json.ts';
import { RunState, type Trace, TraceSchema } from '#gen/proto/kairship/api/trace/v1alpha1/trace_pb.ts';
import { TraceService, WatchTraceResponseSchema } from '#gen/proto/kairship/api/trace/v1alpha1/trace_service_pb.ts';
import type { ObjectReference } from '#gen/proto/kairship/api/types/v1alpha1/reference_pb.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { kindNames } from '#kube/crds/kind-names.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { type ServedService, service } from '#rpc/index.ts';
import { asMessage } from '../as-message.ts';
import { clientIn, type ServiceDeps } from '../deps.ts';
import { pagination, slice } from '../paging.ts';

const names = (kind: string, resource: string) => kindNames('placement.kairship.io', 'v1alpha1', kind, resource);
const TRACE = names('Trace', 'traces');
const CLUSTER_TRACE = names('ClusterTrace', 'clustertraces');

interface Wanted {
  readonly uid: string;
  readonly resource?: ObjectReference | undefined;
}

export function traceService(deps: ServiceDeps): ServedService {
  return service(TraceService, {
    async listTraces(request, context) {
      const client = clientIn(deps, context, { instance: request.instance });
      const { namespace, kind, name } = request;
      const all = (await tracesOf(client, namespace))
        .map(traceMessage)
        .filter(
          ({ template, runs }) =>
            isWanted(template?.kind, kind) && isWanted(template?.name, name) && isIn(runs, request.state),
        )
        .toSorted((a, b) => Number(b.revision) - Number(a.revision));
      return { items: slice(request, all), pagination: pagination(request, all.length) };
    },

    async getTrace(request, context) {
      const found = (await tracesOf(clientIn(deps, context, { instance: request.instance }), '')).find(
        matching(request),
      );
      if (!found) throw notFound('traces', request.uid || (request.resource?.name ?? ''), TRACE.group);
      return traceMessage(found);
    },

    async *watchTrace(request, context) {
      const client = clientIn(deps, context, { instance: request.instance });
      const isIt = matching(request);
      const kind = request.resource && request.resource.namespace === '' && request.uid === '' ? CLUSTER_TRACE : TRACE;
      const options = {
        signal: context.signal,
        sendInitialEvents: true,
        resourceVersionMatch: 'NotOlderThan',
        allowWatchBookmarks: true,
      } as const;
      for await (const { type, object } of client.watch(kind, options)) {
        if (type === 'BOOKMARK' || type === 'DELETED' || !isIt(object)) continue;
        const trace = traceMessage(object);
        yield create(WatchTraceResponseSchema, { trace });
        if (request.until !== RunState.RUN_STATE_UNSPECIFIED && isIn(trace.runs, request.until)) return;
      }
    },
  });
}

async function tracesOf(client: KubeClient, namespace: string): Promise<readonly KubeObject[]> {
  if (namespace !== '') return (await client.list(TRACE, { namespace })).items;
  const [some, others] = await Promise.all([client.list(TRACE), client.list(CLUSTER_TRACE)]);
  return [...some.items, ...others.items];
}

/** The newest run stands in the object itself, those before it in its history. */
export function traceMessage(object: KubeObject): Trace {
  const { apiVersion: _, kind: __, metadata, template, history, ...newest } = object;
  const older = Array.isArray(history) ? (history as readonly unknown[]) : [];
  return asMessage(TraceSchema, { template, runs: [newest, ...older], revision: metadata.resourceVersion });
}

function matching({ uid, resource }: Wanted): (object: KubeObject) => boolean {
  if (uid !== '') return ({ metadata }) => metadata.name === uid;
  if (!resource || resource.name === '') throw badRequest('name a trace: uid, or resource.kind and resource.name');
  return ({ template }) => {
    const of = isObject(template) ? template : {};
    return (
      isWanted(typeof of['kind'] === 'string' ? of['kind'] : '', resource.kind) &&
      of['name'] === resource.name &&
      (of['namespace'] ?? '') === resource.namespace
    );
  };
}

function isWanted(found: string | undefined, wanted: string): boolean {
  return wanted === '' || found?.toLowerCase() === wanted.toLowerCase();
}

function isIn([newest]: Trace['runs'], state: RunState): boolean {
  return state === RunState.RUN_STATE_UNSPECIFIED || newest?.state === state;
}
