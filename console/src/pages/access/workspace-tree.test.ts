import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { treeOf } from './workspace-tree.ts';

const folder = (folderId: number, name: string, parentId = 0) => ({ folderId, name, parentId });
const workspace = (workspaceId: number, name: string, folderId = 0) => ({ workspaceId, name, folderId });
const told = (tree: ReturnType<typeof treeOf>) =>
  tree.map(
    (branch) => `${'  '.repeat(branch.depth)}${'folder' in branch ? `${branch.folder.name}/` : branch.workspace.name}`,
  );

describe('the tree of workspaces', () => {
  it('has folders before workspaces, each followed by what is in it', () => {
    const tree = treeOf(
      [folder(2, 'shops', 1), folder(1, 'europe')],
      [workspace(7, 'pay', 2), workspace(8, 'lab'), workspace(9, 'ads', 1)],
    );
    assert.deepEqual(told(tree), ['europe/', '  shops/', '    pay', '  ads', 'lab']);
  });

  it('shows at the top what is in a folder that cannot be seen', () => {
    assert.deepEqual(told(treeOf([folder(5, 'inner', 4)], [workspace(1, 'w', 4)])), ['inner/', 'w']);
  });
});
