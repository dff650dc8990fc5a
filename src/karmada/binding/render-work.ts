/**
 * The Work of one binding for one cluster: the template, with the replicas that cluster gets, changed as override
 * policies ask, marked with where it comes from. In this order; so an override of the replicas has the last word.
 */
import { type Draft, draftOf, isObject } from '#base/json.ts';
import { recordManaged } from '#karmada/admission/index.ts';
import {
  ANNOTATIONS,
  type AnyBinding,
  type BindingSpec,
  CONFLICT,
  FINALIZERS,
  isPurgedDirectly,
  LABELS,
  type TargetCluster,
  WORK,
  type Work,
} from '#karmada/apis/index.ts';
import { prune, type ResourceInterpreter } from '#karmada/interpreter/index.ts';
import { executionNamespace, workName } from '#karmada/names/index.ts';
import type { Overridden } from '#karmada/override/index.ts';
import { schedulingType } from '#karmada/scheduler/binding-spec.ts';
import { webster } from '#karmada/scheduler/webster.ts';
import { gvkOf } from '#kube/meta/gvk.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { isWorkload, targetClusters } from './binding-clusters.ts';

/** What override policies make of an object in a cluster; throws when one cannot be applied. */
export type Overrides = (object: KubeObject, cluster: string) => Overridden;

export interface RenderDeps {
  readonly interpreter: ResourceInterpreter;
  readonly overrides: Overrides;
  /** Feature gate StatefulFailoverInjection. */
  readonly statefulFailover?: boolean;
}

export interface Rendered {
  readonly work: Draft<Work>;
  /** The override rules that took part. */
  readonly rules: Overridden['applied']['rules'];
}

export async function renderWork(
  deps: RenderDeps,
  binding: AnyBinding,
  template: KubeObject,
  target: TargetCluster,
): Promise<Rendered> {
  const { spec } = binding;
  const revised = await withReplicas(deps.interpreter, spec, template, target);
  const { object, applied } = deps.overrides(withCompletions(spec, revised, target.name), target.name);
  const manifest = draftOf(object);
  const marks = bindingMarks(binding);
  const conflict = { [ANNOTATIONS.conflictResolution]: conflictResolution(manifest, spec) };
  manifest.metadata.labels = {
    ...manifest.metadata.labels,
    ...marks.labels,
    ...(deps.statefulFailover ? preservedLabels(spec, target.name) : {}),
  };
  manifest.metadata.annotations = {
    ...manifest.metadata.annotations,
    ...marks.annotations,
    ...generationMark(template),
  };
  const annotations = { ...marks.annotations, ...conflict, ...applied.annotations };
  const work = workFor(manifest, target.name, { labels: marks.labels, annotations });
  work.spec.suspendDispatching = isSuspended(spec, target.name);
  work.spec.preserveResourcesOnDeletion = spec.preserveResourcesOnDeletion ?? false;
  return { work, rules: applied.rules };
}

/** The Work that brings an object to a cluster, with all that members see of where it comes from. */
export function workFor(
  object: KubeObject,
  cluster: string,
  marks: { readonly labels?: Record<string, string>; readonly annotations?: Record<string, string> } = {},
): Draft<Work> {
  const { name, namespace, uid = '' } = object.metadata;
  const metadata = { name: workName(object.kind, name, namespace), namespace: executionNamespace(cluster) };
  const conflict = marks.annotations?.[ANNOTATIONS.conflictResolution];
  const manifest = prune(object);
  manifest.metadata.labels = { ...manifest.metadata.labels, [LABELS.managed]: 'true' };
  manifest.metadata.annotations = {
    ...manifest.metadata.annotations,
    [ANNOTATIONS.templateUid]: uid,
    [ANNOTATIONS.workName]: metadata.name,
    [ANNOTATIONS.workNamespace]: metadata.namespace,
    ...(conflict === undefined ? {} : { [ANNOTATIONS.conflictResolution]: conflict }),
  };
  return {
    apiVersion: WORK.apiVersion,
    kind: 'Work',
    metadata: { ...metadata, ...marks, finalizers: [FINALIZERS.execution] },
    spec: { workload: { manifests: [manifest] } },
  };
}

/** The existing Work with the desired one laid over it: marks are added and never taken off, the spec is replaced. */
export function mergedWork(existing: Work, desired: Draft<Work>): Draft<Work> {
  const merged = draftOf(existing);
  merged.metadata.labels = { ...merged.metadata.labels, ...desired.metadata.labels };
  merged.metadata.annotations = { ...merged.metadata.annotations, ...desired.metadata.annotations };
  const finalizers = [...(merged.metadata.finalizers ?? []), ...(desired.metadata.finalizers ?? [])];
  merged.metadata.finalizers = [...new Set(finalizers)];
  merged.spec = draftOf(desired.spec);
  // As admission will do: what is unchanged must look unchanged before it is sent.
  for (const manifest of merged.spec.workload?.manifests ?? []) {
    recordManaged(manifest, merged.metadata.labels[LABELS.workId]);
  }
  return merged;
}

async function withReplicas(
  interpreter: ResourceInterpreter,
  spec: BindingSpec,
  template: KubeObject,
  { replicas = 0 }: TargetCluster,
): Promise<KubeObject> {
  if (!isWorkload(spec) || !interpreter.handles(gvkOf(template), 'ReviseReplica')) return template;
  return interpreter.reviseReplica(template, replicas);
}

/** A divided Job that counts completions divides those too, by the same shares. */
function withCompletions(spec: BindingSpec, template: KubeObject, cluster: string): KubeObject {
  const job = template['spec'];
  const divided = spec.placement !== undefined && schedulingType(spec.placement) === 'Divided';
  if (template.kind !== 'Job' || !divided || !spec.replicas || !isObject(job)) return template;
  const { completions } = job;
  if (typeof completions !== 'number') return template;
  const parties = targetClusters(spec).map(({ name, replicas = 0 }) => ({ name, votes: replicas }));
  const share = webster(completions, parties, template.metadata.uid).seats.get(cluster);
  return { ...template, spec: { ...job, completions: share ?? 0 } };
}

function bindingMarks({ kind, metadata }: AnyBinding) {
  const { namespace = '', name, labels = {} } = metadata;
  if (kind === 'ResourceBinding') {
    return {
      labels: { [LABELS.bindingId]: labels[LABELS.bindingId] ?? '' },
      annotations: { [ANNOTATIONS.bindingNamespace]: namespace, [ANNOTATIONS.bindingName]: name },
    };
  }
  return {
    labels: { [LABELS.clusterBindingId]: labels[LABELS.clusterBindingId] ?? '' },
    annotations: { [ANNOTATIONS.clusterBindingName]: name },
  };
}

function generationMark({ metadata: { generation } }: KubeObject): Record<string, string> {
  return generation ? { [ANNOTATIONS.templateGeneration]: String(generation) } : {};
}

/** The template's own word first, then the policy's. */
function conflictResolution({ metadata }: KubeObject, spec: BindingSpec): string {
  const own = metadata.annotations?.[ANNOTATIONS.conflictResolution];
  if (own === CONFLICT.overwrite || own === CONFLICT.abort) return own;
  return spec.conflictResolution === 'Overwrite' ? CONFLICT.overwrite : CONFLICT.abort;
}

function isSuspended({ suspension }: BindingSpec, cluster: string): boolean {
  return !!suspension?.dispatching || !!suspension?.dispatchingOnClusters?.clusterNames?.includes(cluster);
}

/** What an application that moved away left for its next place: only when it moved from one cluster to one other. */
function preservedLabels(spec: BindingSpec, cluster: string): Readonly<Record<string, string>> {
  const last = spec.gracefulEvictionTasks?.at(-1);
  if (!last || targetClusters(spec).length > 1 || !isPurgedDirectly(last.purgeMode)) return {};
  return last.clustersBeforeFailover?.includes(cluster) ? {} : (last.preservedLabelState ?? {});
}
