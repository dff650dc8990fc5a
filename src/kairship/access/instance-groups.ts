/**
 * Who a caller is inside an instance: groups that stand for what they may do there.
 *
 * Roles in the instance are bound to these groups and to nobody else, so a right that is taken away is gone with the
 * next request, and no user is ever written down in an instance.
 */
import { instanceScope, namespaceScope } from '#ghippo/apis/scope.ts';
import { type Access, type PlatformCaller, reachOf } from './authorize.ts';
import { kairshipPermission } from './kairship-product.ts';

/** From the least to the most; who may do the last may do all before it. */
export const LEVELS = [
  { level: 'viewer', permission: kairshipPermission('workload', 'list') },
  { level: 'editor', permission: kairshipPermission('workload', 'update') },
] as const;
const MANAGE = kairshipPermission('instance', 'update');

export const instanceGroup = (level: 'viewer' | 'editor' | 'admin'): string => `kairship:instance-${level}`;
export const namespaceGroup = (level: 'viewer' | 'editor', namespace: string): string =>
  `kairship:namespace-${level}:${namespace}`;

export function instanceGroups(access: Access, caller: PlatformCaller, instance: string): readonly string[] {
  const { user, groups, token } = caller;
  const may = (permission: string, scope: ReturnType<typeof instanceScope> | ReturnType<typeof namespaceScope>) =>
    access.decide({ user, groups, permission, scope, ...(token ? { token } : {}) }).allowed;
  const found = may(MANAGE, instanceScope(instance)) ? [instanceGroup('admin')] : [];
  for (const { level, permission } of LEVELS) {
    if (may(permission, instanceScope(instance))) found.push(instanceGroup(level));
    else
      for (const { namespace } of reachOf(access, caller, permission, instance).namespaces)
        found.push(namespaceGroup(level, namespace));
  }
  return found;
}
