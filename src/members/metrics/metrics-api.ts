/** `metrics.k8s.io/v1beta1`: what `kubectl top` and autoscalers ask. */
import type { Node, Pod } from '#gen/kube/types.ts';
import { type Clock, rfc3339 } from '#base/clock.ts';
import { notFound } from '#base/status-error.ts';
import type { ApiExtension, ExtensionRequest } from '#kube/apiserver/extension.ts';
import { parseLabelSelector } from '#kube/meta/label-selector.ts';
import type { ClusterView } from '../cluster-view.ts';
import { requestedHealth } from '../requests.ts';
import type { PodMeter } from './pod-meter.ts';
import type { Usage } from './usage.ts';

const GROUP = { group: 'metrics.k8s.io', version: 'v1beta1' } as const;
const API = 'metrics.k8s.io/v1beta1';
const WINDOW = '15s';

export function metricsApi({
  view,
  meter,
  clock,
}: {
  readonly view: () => ClusterView;
  readonly meter: () => PodMeter;
  readonly clock: Clock;
}): readonly ApiExtension[] {
  const now = () => ({ timestamp: rfc3339(clock.now()), window: WINDOW });

  function podMetrics(pod: Pod): object | undefined {
    const usage = meter().pod(pod);
    if (!usage) return undefined;
    const { name, namespace, labels, creationTimestamp } = pod.metadata;
    const containers = [...usage].map(([container, used]) => ({ name: container, usage: quantities(used) }));
    return {
      kind: 'PodMetrics',
      apiVersion: API,
      metadata: { name, namespace, creationTimestamp, labels },
      ...now(),
      containers,
    };
  }

  function nodeMetrics(node: Node): object | undefined {
    // Nothing is heard of a node that is gone.
    if (requestedHealth(node) === 'gone') return undefined;
    const { name, labels, creationTimestamp } = node.metadata;
    const usage = quantities(meter().node(name));
    return { kind: 'NodeMetrics', apiVersion: API, metadata: { name, creationTimestamp, labels }, ...now(), usage };
  }

  function serve<T extends Pod | Node>(
    kind: string,
    find: (request: ExtensionRequest) => readonly T[],
    measure: (object: T) => object | undefined,
  ): ApiExtension['serve'] {
    return async (request) => {
      const { name, namespace, query } = request;
      if (name !== undefined) {
        const object = find(request).find(({ metadata }) => metadata.name === name);
        const measured = object && measure(object);
        if (!measured) throw notFound(kind, namespace === undefined ? name : `${namespace}/${name}`, GROUP.group);
        return { object: measured };
      }
      const selector = parseLabelSelector(query.get('labelSelector') ?? '');
      const items = find(request)
        .filter(({ metadata }) => selector.matches(metadata.labels))
        .flatMap((object) => measure(object) ?? []);
      return { object: { kind: `${kind}List`, apiVersion: API, metadata: {}, items } };
    };
  }

  const verbs = ['get', 'list'];
  return [
    {
      ...GROUP,
      resource: 'nodes',
      kind: { kind: 'NodeMetrics' },
      namespaced: false,
      verbs,
      serve: serve('NodeMetrics', () => view().nodes.list(), nodeMetrics),
    },
    {
      ...GROUP,
      resource: 'pods',
      kind: { kind: 'PodMetrics' },
      namespaced: true,
      verbs,
      serve: serve(
        'PodMetrics',
        ({ namespace }) => (namespace === undefined ? view().pods.list() : view().pods.inNamespace(namespace)),
        podMetrics,
      ),
    },
  ];
}

/** As a metrics server writes them: CPU in billionths, memory in Ki. */
function quantities({ cpu, memory }: Usage): { readonly cpu: string; readonly memory: string } {
  return { cpu: `${Math.round(cpu * 1_000_000)}n`, memory: `${Math.round(memory / 1024)}Ki` };
}
