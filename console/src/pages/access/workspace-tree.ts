/** Folders and workspaces, as one list that reads as a tree. Pure. */
export interface FolderLike {
  readonly folderId: number;
  readonly parentId: number;
  readonly name: string;
}

export interface WorkspaceLike {
  readonly workspaceId: number;
  readonly folderId: number;
  readonly name: string;
}

export type Branch<F, W> =
  | { readonly depth: number; readonly folder: F }
  | { readonly depth: number; readonly workspace: W };

/** Folders first, each followed by what is in it. What is in a folder that cannot be seen stands at the top. */
export function treeOf<F extends FolderLike, W extends WorkspaceLike>(
  folders: readonly F[],
  workspaces: readonly W[],
): readonly Branch<F, W>[] {
  const known = new Set(folders.map(({ folderId }) => folderId));
  const parent = (id: number) => (known.has(id) ? id : 0);
  const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name);
  const seen = new Set<number>();
  const below = (id: number, depth: number): Branch<F, W>[] => [
    ...folders
      .filter((folder) => parent(folder.parentId) === id && !seen.has(folder.folderId))
      .toSorted(byName)
      .flatMap((folder) => {
        seen.add(folder.folderId);
        return [{ depth, folder }, ...below(folder.folderId, depth + 1)];
      }),
    ...workspaces
      .filter((workspace) => parent(workspace.folderId) === id)
      .toSorted(byName)
      .map((workspace) => ({ depth, workspace })),
  ];
  return below(0, 0);
}
