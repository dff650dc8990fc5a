/** Who the pods of a StatefulSet are: names, labels and volumes that outlive them. Pure. */
import type { PersistentVolumeClaim, Pod, PodTemplateSpec, StatefulSet } from '#gen/kube/types.ts';
import type { Unnamed } from '#kube/client/kube-client.ts';
import { defined } from '../defined.ts';
import { namespaceOf } from '../owners.ts';
import { podFromTemplate } from '../workload/pod-template.ts';

export const REVISION_LABEL = 'controller-revision-hash';

export const firstOrdinal = ({ spec }: StatefulSet) => spec?.ordinals?.start ?? 0;
export const podName = ({ metadata }: StatefulSet, ordinal: number) => `${metadata.name}-${ordinal}`;
export const revisionOf = ({ metadata }: Pod) => metadata.labels?.[REVISION_LABEL];

/** The ordinal in a pod's name; undefined for a pod whose name is not one of the set's. */
export function ordinalOf({ metadata: set }: StatefulSet, { metadata }: Pod): number | undefined {
  const rest = metadata.name.startsWith(`${set.name}-`) ? metadata.name.slice(set.name.length + 1) : '';
  return /^\d+$/.test(rest) ? Number(rest) : undefined;
}

export function newPod(
  set: StatefulSet,
  ordinal: number,
  { template, revision }: { readonly template: PodTemplateSpec; readonly revision: string },
): Unnamed<Pod> {
  const name = podName(set, ordinal);
  const claims = claimsOf(set, ordinal);
  const own = new Set(claims.map(({ template: claim }) => claim));
  const volumes = [
    ...claims.map(({ template: claim, name: claimName }) => ({ name: claim, persistentVolumeClaim: { claimName } })),
    ...(template.spec?.volumes ?? []).filter((volume) => !own.has(volume.name)),
  ];
  return podFromTemplate(set, template, {
    name,
    labels: {
      'statefulset.kubernetes.io/pod-name': name,
      'apps.kubernetes.io/pod-index': String(ordinal),
      [REVISION_LABEL]: revision,
    },
    spec: {
      containers: [],
      ...template.spec,
      hostname: name,
      ...(set.spec?.serviceName ? { subdomain: set.spec.serviceName } : {}),
      ...(volumes.length > 0 ? { volumes } : {}),
    },
  });
}

interface ClaimName {
  readonly template: string;
  readonly name: string;
}

export function claimsOf(set: StatefulSet, ordinal: number): readonly ClaimName[] {
  return (set.spec?.volumeClaimTemplates ?? []).map(({ metadata }) => ({
    template: metadata?.name ?? '',
    name: `${metadata?.name ?? ''}-${podName(set, ordinal)}`,
  }));
}

/** The claims of a pod, which stay when it goes unless the set says otherwise. */
export function newClaims(set: StatefulSet, ordinal: number): readonly PersistentVolumeClaim[] {
  const names = claimsOf(set, ordinal);
  const { whenDeleted } = set.spec?.persistentVolumeClaimRetentionPolicy ?? {};
  const { apiVersion, kind, metadata } = set;
  const owner = { apiVersion, kind, name: metadata.name, uid: metadata.uid ?? '', blockOwnerDeletion: true };
  return (set.spec?.volumeClaimTemplates ?? []).map((template, index) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name: names[index]?.name ?? '',
      namespace: namespaceOf(set),
      labels: { ...template.metadata?.labels, ...set.spec?.selector.matchLabels },
      ...defined({ annotations: template.metadata?.annotations }),
      ...(whenDeleted === 'Delete' ? { ownerReferences: [owner] } : {}),
    },
    ...defined({ spec: template.spec }),
  }));
}
