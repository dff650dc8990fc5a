/** Objects are only created in namespaces that exist and are not on their way out. */
import { notFound } from '#base/status-error.ts';
import type { Core } from '../core.ts';
import { forbidden } from '../failures.ts';
import type { Served } from '../served.ts';

export function checkNamespace(core: Core, served: Served, namespace: string, name: string): void {
  const namespaces = core.registry.find({ group: '', version: 'v1', resource: 'namespaces' });
  if (!namespaces) return;
  const found = namespaces.cache.get(namespace);
  if (!found) throw notFound('namespaces', namespace);
  if (!found.object.metadata.deletionTimestamp) return;
  throw forbidden(
    served.definition,
    name,
    `unable to create new content in namespace ${namespace} because it is being terminated`,
    [
      {
        reason: 'NamespaceTerminating',
        message: `namespace ${namespace} is being terminated`,
        field: 'metadata.namespace',
      },
    ],
  );
}
