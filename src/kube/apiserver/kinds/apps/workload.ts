/** What Deployments, ReplicaSets, StatefulSets and DaemonSets have in common. */
import type { Column, Scale } from '#kube/apiserver/resource.ts';
import { formatLabelSelector, type LabelSelectorSpec, selectorOf } from '#kube/meta/label-selector.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { wideColumn } from '../columns.ts';
import type { Given } from '../kind.ts';

interface Selecting {
  readonly spec?: { readonly selector?: LabelSelectorSpec };
}

/** `spec.replicas`, `status.replicas` and the label selector as text. */
export const workloadScale: Scale = {
  specReplicas: ['spec', 'replicas'],
  statusReplicas: ['status', 'replicas'],
  selector: (object: KubeObject) => selectorOf((object as unknown as Selecting).spec?.selector).toString(),
};

export function selectorColumn(): Column {
  return wideColumn<Selecting>('Selector', 'Which pods are its own.', ({ spec }) =>
    formatLabelSelector(spec?.selector as LabelSelectorSpec | undefined),
  );
}

/** A selector as a rule or a column may use it: the types only say that parts may be missing. */
export function selectorGiven(selector: Given<LabelSelectorSpec> | undefined): LabelSelectorSpec | undefined {
  return selector as LabelSelectorSpec | undefined;
}
