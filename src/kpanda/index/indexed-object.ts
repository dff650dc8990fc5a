/**
 * What the index keeps of an object: the object itself without what nobody looks up, and what it is found by.
 *
 * Values of Secrets are never kept, wherever they are: in a Secret, or in one that another object carries (a Work's
 * manifests). Their keys are, so that people see what a Secret has. Managed fields and last-applied configurations,
 * which repeat the object, are left out.
 */
import { isObject } from '#base/json.ts';
import type { KubeObject, ObjectMeta } from '#kube/meta/object.ts';

export interface IndexedObject {
  readonly namespace: string;
  readonly name: string;
  /** The namespace in which rights on the object are looked up. */
  readonly scope: string;
  readonly uid: string;
  /** The source's resourceVersion; 0 when it is no number. */
  readonly rv: number;
  readonly created: number;
  readonly phase: string;
  readonly node: string;
  /** The uid of what an Event is about. */
  readonly subject: string;
  readonly search: string;
  readonly labels: readonly (readonly [name: string, value: string])[];
  readonly owners: readonly string[];
  readonly images: readonly string[];
  readonly body: string;
}

/** Says of an object where it was found, as Clusterpedia does. */
export const CLUSTER_ANNOTATION = 'shadow.clusterpedia.io/cluster-name';
/** Says of a Secret that its values were left out. */
export const VALUES_OMITTED_ANNOTATION = 'index.kpanda.io/values-omitted';
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

export function indexedObject(cluster: string, object: KubeObject): IndexedObject {
  const { metadata } = object;
  const namespace = metadata.namespace ?? '';
  const labels = Object.entries(metadata.labels ?? {});
  const images = imagesOf(object);
  return {
    namespace,
    name: metadata.name,
    scope: object.kind === 'Namespace' && object.apiVersion === 'v1' ? metadata.name : namespace,
    uid: metadata.uid ?? '',
    rv: revisionNumber(metadata.resourceVersion),
    created: timeOf(metadata.creationTimestamp),
    phase: textAt(object, 'status', 'phase'),
    node: textAt(object, 'spec', 'nodeName'),
    subject: object.kind === 'Event' ? textAt(object, 'involvedObject', 'uid') : '',
    search: [metadata.name, ...labels.map(([key, value]) => `${key}=${value}`), ...images].join('\n').toLowerCase(),
    labels,
    owners: [...new Set((metadata.ownerReferences ?? []).map(({ uid }) => uid))],
    images,
    body: bodyOf(cluster, object),
  };
}

/** Kubernetes promises that revisions of one server can be compared as numbers; others are never older or newer. */
export function revisionNumber(resourceVersion: string | undefined): number {
  const value = Number(resourceVersion ?? '');
  return Number.isSafeInteger(value) && value >= 0 ? value : 0;
}

function bodyOf(cluster: string, object: KubeObject): string {
  const { apiVersion, kind, metadata, ...rest } = object;
  const text = JSON.stringify({ apiVersion, kind, metadata: keptMetadata(metadata, cluster), ...rest });
  // Looking into every object would cost more than keeping it; most can be seen at once not to carry a Secret.
  const kept = text.includes('"kind":"Secret"') ? JSON.stringify(withoutSecrets(JSON.parse(text))) : text;
  return kept.replaceAll('\\u0000', '\\ufffd'); // PostgreSQL cannot keep it
}

function keptMetadata(metadata: ObjectMeta, cluster: string): unknown {
  const { managedFields: _, annotations = {}, ...kept } = metadata;
  const { [LAST_APPLIED]: __, ...others } = annotations;
  return { ...kept, annotations: { ...others, [CLUSTER_ANNOTATION]: cluster } };
}

function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isObject(value)) return value;
  const within = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withoutSecrets(member)]));
  return within['kind'] === 'Secret' && within['apiVersion'] === 'v1' ? withoutValues(within) : within;
}

function withoutValues(secret: Record<string, unknown>): Record<string, unknown> {
  const { data, stringData, metadata, ...rest } = secret;
  const names = [data, stringData].flatMap((values) => (isObject(values) ? Object.keys(values) : []));
  const meta = isObject(metadata) ? metadata : {};
  const { [LAST_APPLIED]: _, ...annotations } = isObject(meta['annotations']) ? meta['annotations'] : {};
  return {
    ...rest,
    metadata: { ...meta, annotations: { ...annotations, [VALUES_OMITTED_ANNOTATION]: 'true' } },
    ...(names.length === 0 ? {} : { data: Object.fromEntries(names.map((name) => [name, ''])) }),
  };
}

/** Images of a pod, of a workload's template, or of a CronJob's. */
function imagesOf(object: KubeObject): readonly string[] {
  const spec = isObject(object['spec']) ? object['spec'] : {};
  const job = at(spec, 'jobTemplate', 'spec');
  const pods = [spec, at(spec, 'template', 'spec'), at(job, 'template', 'spec')];
  const images = pods.flatMap((pod) =>
    ['initContainers', 'containers', 'ephemeralContainers'].flatMap((list) => {
      const containers = isObject(pod) ? pod[list] : undefined;
      return Array.isArray(containers) ? containers.map((one) => textAt(one, 'image')) : [];
    }),
  );
  return [...new Set(images.filter((image) => image !== ''))];
}

function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((found, key) => (isObject(found) ? found[key] : undefined), value);
}

function textAt(value: unknown, ...path: readonly string[]): string {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : '';
}

function timeOf(timestamp: string | undefined): number {
  const ms = Date.parse(timestamp ?? '');
  return Number.isNaN(ms) ? 0 : ms;
}
