/** The namespaces every cluster has from its first moment. */
import { hasReason } from '#base/status-error.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { Registry } from './registry.ts';

export const SYSTEM_NAMESPACES = ['default', 'kube-node-lease', 'kube-public', 'kube-system'] as const;
const NAMESPACES = { group: '', version: 'v1', resource: 'namespaces' } as const;

export async function ensureNamespaces(client: KubeClient, registry: Registry): Promise<void> {
  const served = registry.find(NAMESPACES);
  if (!served) return;
  for (const name of SYSTEM_NAMESPACES) {
    if (served.cache.get(name)) continue;
    await client
      .create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
      .catch((error: unknown) => {
        if (!hasReason(error, 'AlreadyExists')) throw error;
      });
  }
}
