/** Finds the Works of a binding, and the binding of a Work. */
import { ANNOTATIONS, type AnyBinding, LABELS, type Work } from '#karmada/apis/index.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import type { Informer } from '#kube/runtime/index.ts';

const BINDING_ID = 'binding-id';

export function worksOfBindings(works: Informer<Work>): (binding: AnyBinding) => readonly Work[] {
  works.index(BINDING_ID, ({ metadata: { labels = {} } }) => {
    const ids = [labels[LABELS.bindingId], labels[LABELS.clusterBindingId]];
    return ids.filter((id) => id !== undefined);
  });
  return (binding) => works.byIndex(BINDING_ID, bindingId(binding));
}

export function bindingId({ kind, metadata }: AnyBinding): string {
  return metadata.labels?.[bindingIdLabel(kind)] ?? '';
}

export function bindingIdLabel(kind: AnyBinding['kind']): string {
  return kind === 'ResourceBinding' ? LABELS.bindingId : LABELS.clusterBindingId;
}

/** `namespace/name` of a ResourceBinding, the bare name of a ClusterResourceBinding; undefined for other Works. */
export function bindingKeyOf({ metadata: { annotations = {} } }: KubeObject): string | undefined {
  const name = annotations[ANNOTATIONS.bindingName];
  const namespace = annotations[ANNOTATIONS.bindingNamespace];
  if (name && namespace) return `${namespace}/${name}`;
  return annotations[ANNOTATIONS.clusterBindingName];
}
