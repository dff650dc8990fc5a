/** What every cluster has from its first moment. */
import { hasReason } from '#base/status-error.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { Gvr } from '#kube/meta/gvk.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import type { Registry } from './registry.ts';

const NAMESPACES = { group: '', version: 'v1', resource: 'namespaces' } as const;
const PRIORITY_CLASSES = { group: 'scheduling.k8s.io', version: 'v1', resource: 'priorityclasses' } as const;

/** Creates what is missing, as far as its kind is served. */
export async function ensureSystemObjects(client: KubeClient, registry: Registry): Promise<void> {
  await Promise.all(
    SYSTEM_OBJECTS.map(async ([gvr, object]) => {
      const served = registry.find(gvr);
      if (!served || served.cache.get(object.metadata.name)) return;
      await client.create(gvr, object).catch((error: unknown) => {
        if (!hasReason(error, 'AlreadyExists')) throw error;
      });
    }),
  );
}

const SYSTEM_OBJECTS: readonly (readonly [Gvr, KubeObject])[] = [
  ...['default', 'kube-node-lease', 'kube-public', 'kube-system'].map(
    (name) => [NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }] as const,
  ),
  priorityClass('system-cluster-critical', 2_000_000_000, 'for pods the cluster cannot do without, wherever they run'),
  priorityClass('system-node-critical', 2_000_001_000, 'for pods their node cannot do without'),
];

function priorityClass(name: string, value: number, description: string): readonly [Gvr, KubeObject] {
  const apiVersion = 'scheduling.k8s.io/v1';
  return [PRIORITY_CLASSES, { apiVersion, kind: 'PriorityClass', metadata: { name }, value, description }];
}
