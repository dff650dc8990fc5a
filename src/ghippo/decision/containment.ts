/**
 * What contains what: the scopes a right may come from.
 *
 *     namespace → its instance → the instance's workspace → its folder → the folder's parents → the platform
 *              ↘ the namespace's own workspace → …
 *
 * A workspace or folder that no longer exists contains nothing, whatever still names it.
 */
import { PLATFORM, type Scope, folderScope, instanceScope, scopeKey, workspaceScope } from '#ghippo/apis/scope.ts';

export interface ScopeTree {
  /** The workspace an instance or a namespace belongs to. */
  workspaceOf(resource: Scope): string | undefined;
  hasWorkspace(workspace: string): boolean;
  folderOf(workspace: string): string | undefined;
  hasFolder(folder: string): boolean;
  parentOf(folder: string): string | undefined;
}

/** A scope, and the way to it from the one asked for: both ends included. */
export interface Containment {
  readonly scope: Scope;
  readonly path: readonly Scope[];
}

/** The scope itself and everything that contains it, nearest first, by {@link scopeKey}. */
export function containers(tree: ScopeTree, scope: Scope): ReadonlyMap<string, Containment> {
  const found = new Map<string, Containment>();
  const next: Containment[] = [{ scope, path: [scope] }];
  for (let at = next.shift(); at; at = next.shift()) {
    const key = scopeKey(at.scope);
    if (found.has(key)) continue;
    found.set(key, at);
    for (const outer of directlyAbove(tree, at.scope)) next.push({ scope: outer, path: [...at.path, outer] });
  }
  // Last, whatever the distance, because it is the one place where everything is.
  if (!found.has(scopeKey(PLATFORM))) found.set(scopeKey(PLATFORM), { scope: PLATFORM, path: [scope, PLATFORM] });
  return found;
}

function directlyAbove(tree: ScopeTree, scope: Scope): readonly Scope[] {
  switch (scope.type) {
    case 'Namespace':
      return [instanceScope(scope.instance), ...workspaceAbove(tree, scope)];
    case 'Instance':
      return workspaceAbove(tree, scope);
    case 'Workspace':
      return folderAbove(tree, tree.folderOf(scope.workspace));
    case 'Folder':
      return folderAbove(tree, tree.parentOf(scope.folder));
    case 'Platform':
      return [];
  }
}

function workspaceAbove(tree: ScopeTree, resource: Scope): readonly Scope[] {
  const workspace = tree.workspaceOf(resource);
  return workspace !== undefined && tree.hasWorkspace(workspace) ? [workspaceScope(workspace)] : [];
}

function folderAbove(tree: ScopeTree, folder: string | undefined): readonly Scope[] {
  return folder !== undefined && tree.hasFolder(folder) ? [folderScope(folder)] : [];
}
