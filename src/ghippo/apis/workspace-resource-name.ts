import type { BindableResource } from './kinds.ts';

/**
 * The name of the object that binds a resource to its workspace: one for each resource, so that the API server itself
 * refuses a second. No two resources share one, because a namespace's name has no dot.
 */
export function workspaceResourceName(resource: BindableResource): string {
  return resource.type === 'Instance'
    ? `instance-${resource.instance}`
    : `namespace-${resource.instance}.${resource.namespace}`;
}
