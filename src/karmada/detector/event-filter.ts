/**
 * Which changes of which objects the detector looks at.
 *
 * Pure predicates, asked for every event of every propagatable resource, so they compare in place and copy nothing.
 */
import { isObject, jsonEqual } from '#base/json.ts';
import type { Gvr } from '#kube/meta/gvk.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { LABELS } from '#karmada/apis/well-known.ts';
import { isReservedNamespace } from '#karmada/names/index.ts';

/** API groups whose objects are bookkeeping of this API server and are never templates; as karmada v1.18 pkg/util/apigroup.go. */
const SKIPPED_GROUPS: ReadonlySet<string> = new Set([
  'cluster.karmada.io',
  'policy.karmada.io',
  'work.karmada.io',
  'config.karmada.io',
  'networking.karmada.io',
  'autoscaling.karmada.io',
  'remedy.karmada.io',
  'apps.karmada.io',
  'placement.kairship.io',
  'events.k8s.io',
  'coordination.k8s.io',
]);

/** What `--skipped-propagating-namespaces` is by default. */
export const DEFAULT_SKIPPED_NAMESPACES: readonly RegExp[] = [/^kube-.*$/];

/** Whether objects of a resource may be templates at all. */
export function isPropagatable(resource: Gvr & { readonly verbs: readonly string[] }): boolean {
  if (SKIPPED_GROUPS.has(resource.group)) return false;
  if (resource.group === '' && resource.resource === 'events') return false;
  return ['list', 'watch', 'delete'].every((verb) => resource.verbs.includes(verb));
}

/** Whether an object lies where templates may lie. */
export function isTemplateNamespace(
  namespace: string | undefined,
  skipped: readonly RegExp[] = DEFAULT_SKIPPED_NAMESPACES,
): boolean {
  if (namespace === undefined) return true;
  return !isReservedNamespace(namespace) && !skipped.some((pattern) => pattern.test(namespace));
}

/** False when only status, managedFields or resourceVersion differ: nothing that could be propagated. */
export function specificationChanged(old: KubeObject, object: KubeObject): boolean {
  return !equalBut(old, object, { status: true, metadata: { managedFields: true, resourceVersion: true } });
}

/** True when the change is only what Karmada itself writes on templates: its labels, its annotations, the generation. */
export function changedByKarmada(old: KubeObject, object: KubeObject): boolean {
  return (
    equalBut(old, object, { status: true, metadata: WRITTEN_BY_KARMADA }) &&
    jsonEqual(usersOwn(old.metadata.labels), usersOwn(object.metadata.labels)) &&
    jsonEqual(usersOwn(old.metadata.annotations), usersOwn(object.metadata.annotations))
  );
}

const WRITTEN_BY_KARMADA: Ignored = {
  managedFields: true,
  resourceVersion: true,
  generation: true,
  labels: true,
  annotations: true,
};

/** A label of Karmada's that only users set. */
const USERS_LABELS: ReadonlySet<string> = new Set([LABELS.skipAutoPropagation]);

function usersOwn(entries: Readonly<Record<string, string>> = {}): Record<string, string> {
  const own = Object.entries(entries).filter(([key]) => !key.includes('.karmada.io') || USERS_LABELS.has(key));
  return Object.fromEntries(own);
}

interface Ignored {
  readonly [field: string]: true | Ignored;
}

function equalBut(a: unknown, b: unknown, ignored: Ignored): boolean {
  if (!isObject(a) || !isObject(b)) return jsonEqual(a, b);
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const rule = ignored[key];
    if (rule === true) continue;
    if (!(rule ? equalBut(a[key], b[key], rule) : jsonEqual(a[key], b[key]))) return false;
  }
  return true;
}
