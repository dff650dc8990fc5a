/**
 * Where may this user do this? For lists, which show what the caller may see instead of being refused.
 *
 * The answer agrees with {@link decide}: an instance or a namespace is in it exactly if asking about it alone would be
 * allowed. Resources are known from bindings and workspaces, not from instances: what nobody was given by name is only
 * reached through `all`.
 */
import type { Permission } from '#ghippo/apis/permission.ts';
import { type InstanceScope, type NamespaceScope, PLATFORM, type Scope, scopeKey } from '#ghippo/apis/scope.ts';
import { decide, subjectsOf } from './decide.ts';
import type { AccessSnapshot } from './snapshot.ts';
import type { AccessRequest } from './verdict.ts';

export interface Reach {
  /** Everywhere within the scope asked about; the lists are then empty. */
  readonly all: boolean;
  readonly instances: readonly string[];
  /** Those not in an instance of the list. */
  readonly namespaces: readonly NamespaceScope[];
}

const NOWHERE: Reach = { all: false, instances: [], namespaces: [] };

export function reach(
  snapshot: AccessSnapshot,
  request: Omit<AccessRequest, 'scope' | 'operation' | 'permission'> & {
    readonly permission: Permission;
    /** Only within an instance; the whole platform when absent. */
    readonly within?: InstanceScope;
  },
): Reach {
  const within = request.within ?? PLATFORM;
  const allows = (scope: Scope) => decide(snapshot, { ...request, scope }).allowed;
  if (allows(within)) return { ...NOWHERE, all: true };

  const candidates = candidateScopes(snapshot, request).filter((scope) => isWithin(scope, within));
  const instances = candidates.filter((scope) => scope.type === 'Instance').filter(allows);
  const covered = new Set(instances.map(({ instance }) => instance));
  const namespaces = candidates
    .filter((scope) => scope.type === 'Namespace')
    .filter((scope) => !covered.has(scope.instance) && canBeNarrow(snapshot, request.permission) && allows(scope));
  return { all: false, instances: instances.map(({ instance }) => instance), namespaces };
}

/** A point of whole instances is not reached by a namespace: decide() would ask about its instance. */
function canBeNarrow(snapshot: AccessSnapshot, permission: Permission): boolean {
  return snapshot.point(permission)?.scope === 'Namespace';
}

/** Every instance and namespace that a right of the user may come from by name, each once. */
function candidateScopes(snapshot: AccessSnapshot, request: Pick<AccessRequest, 'user' | 'groups' | 'token'>) {
  const found = new Map<string, InstanceScope | NamespaceScope>();
  const add = (scope: Scope) => {
    if (scope.type === 'Instance' || scope.type === 'Namespace') found.set(scopeKey(scope), scope);
  };
  for (const { spec } of snapshot.workspaceResources) add(spec.resource);
  const subjects = subjectsOf(snapshot, request);
  const direct = subjects.flatMap((subject) => snapshot.bindingsOf(subject));
  const byRole = direct.flatMap(({ spec }) => snapshot.bindingsOf({ kind: 'Role', name: spec.role }));
  for (const { spec } of [...direct, ...byRole]) add(spec.scope);
  // A token may name places its owner reaches from above.
  for (const scope of request.token?.scopes ?? []) add(scope);
  return [...found.values()];
}

function isWithin(scope: InstanceScope | NamespaceScope, within: Scope): boolean {
  return within.type === 'Platform' || (within.type === 'Instance' && scope.instance === within.instance);
}
