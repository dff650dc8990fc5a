/** Workspaces in folders: what belongs to them, and who has which rights there. */
import { useQuery } from '@connectrpc/connect-query';
import { Anchor, Group, TextInput } from '@mantine/core';
import { Folder as FolderIcon, FolderPlus, LayoutGrid, Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  type Folder,
  type Workspace,
  WorkspaceService,
} from '#gen/proto/ghippo/api/workspace/v1alpha1/workspace_service_pb.ts';
import { curl } from '../../api/pairs.ts';
import { useMay } from '../../api/permissions.ts';
import { FormDialog } from '../../parts/dialog.tsx';
import { GuardedButton } from '../../parts/guarded.tsx';
import { Panel } from '../../parts/page.tsx';
import { Answer, Empty } from '../../parts/problems.tsx';
import { FolderSelect } from './folder-select.tsx';
import { useOpened, workspaces } from './shared.ts';
import { FolderDetail, WorkspaceDetail } from './workspace-detail.tsx';
import { treeOf } from './workspace-tree.ts';

type Creating = 'folder' | 'workspace' | undefined;

export function Workspaces() {
  const { t } = useTranslation();
  const [opened, open] = useOpened();
  const [creating, setCreating] = useState<Creating>();
  const mayFolder = useMay('ghippo/folder/create');
  const mayWorkspace = useMay('ghippo/workspace/create');
  const folders = useQuery(WorkspaceService.method.listFolders, {});
  const asked = useQuery(WorkspaceService.method.listWorkspaces, { pageSize: 500 });
  const known = folders.data?.items ?? [];
  return (
    <div className="two">
      <Panel
        title={t('access.tab.workspaces')}
        flush
        aside={
          <Group gap={6}>
            <GuardedButton
              may={mayFolder}
              variant="default"
              leftSection={<FolderPlus size={14} aria-hidden />}
              onClick={() => setCreating('folder')}
            >
              {t('access.createFolder')}
            </GuardedButton>
            <GuardedButton
              may={mayWorkspace}
              leftSection={<Plus size={14} aria-hidden />}
              onClick={() => setCreating('workspace')}
            >
              {t('access.createWorkspace')}
            </GuardedButton>
          </Group>
        }
      >
        <Answer of={asked}>
          {({ items }) => <Tree folders={known} workspaces={items} opened={opened} onOpen={open} />}
        </Answer>
      </Panel>
      <Opened opened={opened} folders={known} workspaces={asked.data?.items ?? []} onGone={() => open('')} />
      {creating && <CreateOne what={creating} folders={known} onClose={() => setCreating(undefined)} />}
    </div>
  );
}

interface TreeProps {
  readonly folders: readonly Folder[];
  readonly workspaces: readonly Workspace[];
  readonly opened: string;
  readonly onOpen: (what: string) => void;
}

function Tree({ folders, workspaces: known, opened, onOpen }: TreeProps) {
  const { t } = useTranslation();
  const tree = treeOf(folders, known);
  if (tree.length === 0) return <Empty title={t('access.noWorkspaces')}>{t('access.noWorkspacesHint')}</Empty>;
  return (
    <ul style={{ listStyle: 'none', margin: 0, padding: 8 }}>
      {tree.map((branch) => {
        const isFolder = 'folder' in branch;
        const { name, displayName } = isFolder ? branch.folder : branch.workspace;
        const key = isFolder ? `f${branch.folder.folderId}` : `w${branch.workspace.workspaceId}`;
        const Icon = isFolder ? FolderIcon : LayoutGrid;
        return (
          <li key={key} style={{ paddingLeft: branch.depth * 20 }}>
            <Anchor
              component="button"
              type="button"
              size="sm"
              className="nav"
              data-status={opened === key ? 'active' : ''}
              aria-current={opened === key}
              style={{ width: '100%' }}
              onClick={() => onOpen(key)}
            >
              <Icon size={14} aria-hidden />
              {name} <span className="soft">{displayName}</span>
            </Anchor>
          </li>
        );
      })}
    </ul>
  );
}

interface OpenedProps {
  readonly opened: string;
  readonly folders: readonly Folder[];
  readonly workspaces: readonly Workspace[];
  readonly onGone: () => void;
}

function Opened({ opened, folders, workspaces: known, onGone }: OpenedProps) {
  const { t } = useTranslation();
  const id = Number(opened.slice(1));
  const folder = opened.startsWith('f') ? folders.find(({ folderId }) => folderId === id) : undefined;
  const workspace = opened.startsWith('w') ? known.find(({ workspaceId }) => workspaceId === id) : undefined;
  if (folder) return <FolderDetail key={opened} folder={folder} folders={folders} onGone={onGone} />;
  if (workspace) return <WorkspaceDetail key={opened} workspace={workspace} folders={folders} onGone={onGone} />;
  return (
    <div className="panel">
      <Empty title={t('access.chooseWorkspace')}>{t('access.noWorkspacesHint')}</Empty>
    </div>
  );
}

interface CreateProps {
  readonly what: 'folder' | 'workspace';
  readonly folders: readonly Folder[];
  readonly onClose: () => void;
}

function CreateOne({ what, folders, onClose }: CreateProps) {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const [displayName, setDisplayName] = useState('');
  const [parent, setParent] = useState('0');
  const isFolder = what === 'folder';
  const title = t(isFolder ? 'access.createFolder' : 'access.createWorkspace');
  const command = isFolder
    ? curl('POST', '/apis/ghippo.io/v1alpha1/folders', { name, displayName, parentId: Number(parent) })
    : [
        `kairship workspace create ${name || 'NAME'}`,
        displayName && `--display-name ${JSON.stringify(displayName)}`,
        parent !== '0' && `--folder ${parent}`,
      ]
        .filter(Boolean)
        .join(' ');
  return (
    <FormDialog
      title={title}
      onClose={onClose}
      submit={title}
      disabled={name === ''}
      command={command}
      act={() =>
        isFolder
          ? workspaces.createFolder({ name, displayName, parentId: Number(parent) })
          : workspaces.createWorkspace({ name, displayName, folderId: Number(parent) })
      }
    >
      <TextInput
        label={t('field.name')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        required
        data-autofocus
      />
      <TextInput
        label={t('access.displayName')}
        value={displayName}
        onChange={(event) => setDisplayName(event.currentTarget.value)}
      />
      <FolderSelect folders={folders} value={parent} onChange={setParent} />
    </FormDialog>
  );
}
