/**
 * Lets members' own autoscalers have the say about replicas: marks what a propagated HorizontalPodAutoscaler scales with
 * the label `retain-replicas`, so that the engine does not write the template's number over theirs. Off by default.
 *
 * The mark is taken off again when the last such autoscaler of the workload goes or turns to another.
 */
import type { AutoscalingV2HorizontalPodAutoscaler as Hpa } from '#gen/kube/types.ts';
import { LABELS } from '#karmada/apis/index.ts';
import type { Templates } from '#karmada/detector/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { Gvr } from '#kube/meta/gvk.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { type Controller, done, type Informers, type Outcome, type Reconcile } from '#kube/runtime/index.ts';

export interface HpaScaleTargetMarkerDeps {
  readonly client: KubeClient;
  readonly informers: Informers;
  readonly templates: Pick<Templates, 'find' | 'resource' | 'synced'>;
}

const HPA: Gvr = { group: 'autoscaling', version: 'v2', resource: 'horizontalpodautoscalers' };
const TARGET = 'scale-target';

export function hpaScaleTargetMarkerController(deps: HpaScaleTargetMarkerDeps): Controller {
  const { client, informers, templates } = deps;
  const autoscalers = informers(HPA);
  autoscalers.index(TARGET, (hpa) => [targetOf(hpa)]);

  /** The key is the workload, not its autoscaler. */
  async function reconcile({ key }: Reconcile): Promise<Outcome> {
    const reference = JSON.parse(key) as Reference;
    const template = await templates.find(reference);
    const resource = templates.resource(reference);
    if (!template || !resource) return done;
    const marked = template.metadata.labels?.[LABELS.retainReplicas] === 'true';
    const wanted = autoscalers.byIndex(TARGET, key).some(isPropagated);
    if (marked === wanted) return done;
    const body = { metadata: { labels: { [LABELS.retainReplicas]: wanted ? 'true' : null } } };
    const { namespace, name } = reference;
    await client.patch(resource, { namespace, name }, { type: 'merge', body });
    return done;
  }

  return {
    name: 'hpa-scale-target-marker',
    watches: [{ gvr: HPA, wakes: wokenByAutoscaler }],
    source: () => templates.synced,
    reconcile,
  };
}

interface Reference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

function targetOf(hpa: KubeObject): string {
  const { apiVersion = '', kind = '', name = '' } = (hpa as unknown as Hpa).spec?.scaleTargetRef ?? {};
  return JSON.stringify({ apiVersion, kind, namespace: hpa.metadata.namespace ?? '', name } satisfies Reference);
}

function isPropagated({ metadata: { labels = {} } }: KubeObject): boolean {
  return Boolean(labels[LABELS.propagationPolicyId] ?? labels[LABELS.clusterPropagationPolicyId]);
}

/** One that nobody propagates marks nothing, and so has nothing to take off while it is there. */
function wokenByAutoscaler(hpa: KubeObject, old: KubeObject | undefined, change: string): readonly string[] {
  const target = targetOf(hpa);
  const left = old && targetOf(old) !== target ? [targetOf(old)] : [];
  return change === 'deleted' || isPropagated(hpa) ? [target, ...left] : left;
}
