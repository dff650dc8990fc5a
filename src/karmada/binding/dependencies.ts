/**
 * How a template's dependencies follow it: bindings of their own that say who requires them, and where. Pure.
 *
 * A dependency may be required by several bindings, and may have a policy of its own besides; it runs wherever any of
 * them says. As karmada v1.18 pkg/dependenciesdistributor.
 */
import { type Draft, draftOf } from '#base/json.ts';
import { StatusError } from '#base/status-error.ts';
import {
  ANNOTATIONS,
  type BindingSnapshot,
  FINALIZERS,
  LABELS,
  RESOURCE_BINDING,
  type ResourceBinding,
} from '#karmada/apis/index.ts';
import type { DependentObject } from '#karmada/interpreter/index.ts';
import { bindingName, dependedByLabel } from '#karmada/names/index.ts';
import { labelsMatch } from '#karmada/selector/index.ts';
import type { KubeObject } from '#kube/meta/object.ts';

/** The value of the annotation that lists a binding's dependencies: Go's JSON, field by field, with its word for none. */
export function dependenciesText(dependencies: readonly DependentObject[]): string {
  if (dependencies.length === 0) return 'null';
  return JSON.stringify(
    dependencies.map(({ apiVersion, kind, namespace, name, labelSelector }) => ({
      apiVersion,
      kind,
      ...(namespace ? { namespace } : {}),
      ...(name ? { name } : {}),
      ...(labelSelector ? { labelSelector } : {}),
    })),
  );
}

export function dependenciesOf({ metadata }: ResourceBinding): readonly DependentObject[] {
  const text = metadata.annotations?.[ANNOTATIONS.dependencies];
  if (text === undefined) return [];
  try {
    const listed: unknown = JSON.parse(text);
    return Array.isArray(listed) ? (listed as readonly DependentObject[]) : [];
  } catch {
    return [];
  }
}

export function isDependency(object: KubeObject, dependency: DependentObject): boolean {
  const { apiVersion, kind, metadata } = object;
  if (apiVersion !== dependency.apiVersion || kind !== dependency.kind) return false;
  if ((metadata.namespace ?? '') !== (dependency.namespace ?? '')) return false;
  if (dependency.name) return metadata.name === dependency.name;
  return dependency.labelSelector !== undefined && labelsMatch(dependency.labelSelector, metadata.labels);
}

/** The label by which an attached binding names the binding that requires it. */
export function requirementLabel({ metadata }: ResourceBinding): { readonly key: string; readonly value: string } {
  const key = dependedByLabel(metadata.name, metadata.namespace);
  return { key, value: metadata.labels?.[LABELS.bindingId] ?? '' };
}

/** The binding of a dependency, as one that requires it alone would want it. */
export function attachedBinding(required: ResourceBinding, object: KubeObject): Draft<ResourceBinding> {
  const { apiVersion, kind, metadata } = object;
  const { name, namespace, uid = '', resourceVersion } = metadata;
  const { key, value } = requirementLabel(required);
  const { conflictResolution, preserveResourcesOnDeletion } = required.spec;
  return draftOf<ResourceBinding>({
    apiVersion: RESOURCE_BINDING.apiVersion,
    kind: 'ResourceBinding',
    metadata: {
      name: bindingName(kind, name),
      ...(required.metadata.namespace === undefined ? {} : { namespace: required.metadata.namespace }),
      labels: { [key]: value },
      finalizers: [FINALIZERS.binding],
      ownerReferences: [{ apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true }],
    },
    spec: {
      resource: {
        apiVersion,
        kind,
        name,
        uid,
        ...(namespace === undefined ? {} : { namespace }),
        ...(resourceVersion === undefined ? {} : { resourceVersion }),
      },
      requiredBy: [snapshotOf(required)],
      ...(conflictResolution === undefined ? {} : { conflictResolution }),
      preserveResourcesOnDeletion: preserveResourcesOnDeletion ?? false,
    },
  });
}

function snapshotOf({ metadata, spec }: ResourceBinding): BindingSnapshot {
  const { name, namespace } = metadata;
  return {
    ...(namespace === undefined ? {} : { namespace }),
    name,
    ...(spec.clusters ? { clusters: spec.clusters } : {}),
  };
}

/** The existing binding of a dependency with one more requirement; `referrers` finds bindings by their snapshots. */
export function attach(
  existing: ResourceBinding,
  wanted: Draft<ResourceBinding>,
  referrers: (snapshot: BindingSnapshot) => ResourceBinding | undefined,
): Draft<ResourceBinding> {
  const owner = existing.metadata.ownerReferences?.find(({ controller }) => controller);
  if (owner && owner.uid !== wanted.metadata.ownerReferences?.[0]?.uid) {
    const key = `${existing.metadata.namespace}/${existing.metadata.name}`;
    throw new StatusError(
      'Conflict',
      `failed to update resourceBinding(${key}) due to different owner reference UID, will try again later after ` +
        'binding is garbage collected, see https://github.com/karmada-io/karmada/issues/6034',
    );
  }
  const merged = draftOf(existing);
  const added = wanted.spec.requiredBy ?? [];
  const kept = (merged.spec.requiredBy ?? []).map((old) => added.find((each) => isSame(each, old)) ?? old);
  const fresh = added.filter((each) => !kept.some((old) => isSame(each, old)));
  merged.spec.requiredBy = [...kept, ...fresh];
  merged.spec.resource = draftOf(wanted.spec.resource);
  merged.metadata.labels = { ...merged.metadata.labels, ...wanted.metadata.labels };
  settleStrategy(merged, referrers);
  return merged;
}

/** The binding of a dependency without one requirement. */
export function detach(
  existing: ResourceBinding,
  required: ResourceBinding,
  referrers: (snapshot: BindingSnapshot) => ResourceBinding | undefined,
): Draft<ResourceBinding> {
  const merged = draftOf(existing);
  const { namespace, name } = required.metadata;
  delete merged.metadata.labels?.[requirementLabel(required).key];
  const rest = (merged.spec.requiredBy ?? []).filter(
    (each) => !(each.name === name && (each.namespace ?? '') === (namespace ?? '')),
  );
  if (rest.length > 0) merged.spec.requiredBy = rest;
  else delete merged.spec.requiredBy;
  settleStrategy(merged, referrers);
  return merged;
}

function isSame(a: BindingSnapshot, b: BindingSnapshot): boolean {
  return a.name === b.name && (a.namespace ?? '') === (b.namespace ?? '');
}

/** Without a policy of its own it does what those that require it do; where they differ, the bolder one counts. */
function settleStrategy(
  binding: Draft<ResourceBinding>,
  referrers: (snapshot: BindingSnapshot) => ResourceBinding | undefined,
): void {
  if (binding.spec.placement) return;
  const requiredBy = binding.spec.requiredBy ?? [];
  if (requiredBy.length === 0) {
    delete binding.spec.conflictResolution;
    delete binding.spec.preserveResourcesOnDeletion;
    return;
  }
  const specs = requiredBy.flatMap((snapshot) => referrers(snapshot)?.spec ?? []);
  binding.spec.conflictResolution = specs.some((spec) => spec.conflictResolution === 'Overwrite')
    ? 'Overwrite'
    : 'Abort';
  binding.spec.preserveResourcesOnDeletion = specs.some((spec) => spec.preserveResourcesOnDeletion === true);
}

/** What those that require a binding do not agree on; empty when they agree. */
export function strategyConflicts(referrers: readonly ResourceBinding[]): readonly string[] {
  const overwrite = referrers.map(({ spec }) => spec.conflictResolution === 'Overwrite');
  const preserve = referrers.map(({ spec }) => spec.preserveResourcesOnDeletion === true);
  const differ = (answers: readonly boolean[]) => answers.includes(true) && answers.includes(false);
  return [
    ...(differ(overwrite) ? ['ConflictResolution conflicted (Overwrite vs Abort)'] : []),
    ...(differ(preserve) ? ['PreserveResourcesOnDeletion conflicted (true vs false)'] : []),
  ];
}
