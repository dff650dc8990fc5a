/**
 * Where a right holds: on the whole platform, in a folder, in a workspace, in an instance, in one of its namespaces.
 *
 * A right holds in everything its scope contains. What contains what is partly written in the scope itself (an instance
 * contains its namespaces) and partly in objects (folders, workspaces, and what is bound to them): see
 * `decision/containment.ts`.
 */
export type Scope =
  | { readonly type: 'Platform' }
  | { readonly type: 'Folder'; readonly folder: string }
  | { readonly type: 'Workspace'; readonly workspace: string }
  | InstanceScope
  | NamespaceScope;

export interface InstanceScope {
  readonly type: 'Instance';
  readonly instance: string;
}

/** A multi-cloud namespace: a namespace of an instance. */
export interface NamespaceScope {
  readonly type: 'Namespace';
  readonly instance: string;
  readonly namespace: string;
}

export type ScopeType = Scope['type'];

/** From the widest to the narrowest. */
export const SCOPE_TYPES = ['Platform', 'Folder', 'Workspace', 'Instance', 'Namespace'] as const;

export const PLATFORM: Scope = { type: 'Platform' };

export function folderScope(folder: string): Scope {
  return { type: 'Folder', folder };
}

export function workspaceScope(workspace: string): Scope {
  return { type: 'Workspace', workspace };
}

export function instanceScope(instance: string): InstanceScope {
  return { type: 'Instance', instance };
}

export function namespaceScope(instance: string, namespace: string): NamespaceScope {
  return { type: 'Namespace', instance, namespace };
}

/** One text for each scope, different for different scopes: `instance/prod`, `namespace/prod/shop`. */
export function scopeKey(scope: Scope): string {
  switch (scope.type) {
    case 'Platform':
      return 'platform';
    case 'Folder':
      return `folder/${scope.folder}`;
    case 'Workspace':
      return `workspace/${scope.workspace}`;
    case 'Instance':
      return `instance/${scope.instance}`;
    case 'Namespace':
      return `namespace/${scope.instance}/${scope.namespace}`;
  }
}

/** How a sentence names a scope. */
export function scopeText(scope: Scope): string {
  switch (scope.type) {
    case 'Platform':
      return 'the platform';
    case 'Folder':
      return `folder "${scope.folder}"`;
    case 'Workspace':
      return `workspace "${scope.workspace}"`;
    case 'Instance':
      return `instance "${scope.instance}"`;
    case 'Namespace':
      return `namespace "${scope.namespace}" of instance "${scope.instance}"`;
  }
}

export function sameScope(a: Scope, b: Scope): boolean {
  return scopeKey(a) === scopeKey(b);
}

/** The scope a {@link scopeKey} stands for; undefined for any other text. */
export function parseScopeKey(key: string): Scope | undefined {
  const [type, first, second, ...more] = key.split('/');
  if (more.length > 0) return undefined;
  if (type === 'platform') return first === undefined ? PLATFORM : undefined;
  if (first === undefined || first === '') return undefined;
  if (type === 'namespace') return second ? namespaceScope(first, second) : undefined;
  if (second !== undefined) return undefined;
  if (type === 'folder') return folderScope(first);
  if (type === 'workspace') return workspaceScope(first);
  return type === 'instance' ? instanceScope(first) : undefined;
}
