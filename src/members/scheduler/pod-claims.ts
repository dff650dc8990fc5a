import type { Pod } from '#gen/kube/types.ts';
import type { ClusterView } from '../cluster-view.ts';
import { namespaceOf } from '../owners.ts';

/** What a pod's volumes still lack, as the Kubernetes scheduler words it; undefined when they lack nothing. */
export function missingClaim(pod: Pod, view: Pick<ClusterView, 'claims' | 'nodes'>): string | undefined {
  const none = `0/${view.nodes.list().length} nodes are available:`;
  for (const volume of pod.spec?.volumes ?? []) {
    const name = claimName(pod, volume);
    if (name === undefined) continue;
    const claim = view.claims.get(`${namespaceOf(pod)}/${name}`);
    if (!claim) return `${none} persistentvolumeclaim "${name}" not found.`;
    if (claim.metadata.deletionTimestamp !== undefined)
      return `${none} persistentvolumeclaim "${name}" is being deleted.`;
    if (claim.status?.phase !== 'Bound') return `${none} pod has unbound immediate PersistentVolumeClaims.`;
  }
  return undefined;
}

/** The claim of a volume; one that lives and dies with its pod is named after both. */
export function claimName(
  pod: Pod,
  volume: NonNullable<NonNullable<Pod['spec']>['volumes']>[number],
): string | undefined {
  if (volume.persistentVolumeClaim) return volume.persistentVolumeClaim.claimName;
  return volume.ephemeral ? `${pod.metadata.name}-${volume.name}` : undefined;
}
