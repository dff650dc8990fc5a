/** A folder or a workspace: what it is called, where it is, what belongs to it, and who has rights there. */
import { useQuery } from '@connectrpc/connect-query';
import { ActionIcon, Autocomplete, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AccessService } from '#gen/proto/ghippo/api/access/v1alpha1/access_service_pb.ts';
import { Scope_Type as Type, Subject_KindSchema } from '#gen/proto/ghippo/api/types/v1alpha1/types_pb.ts';
import {
  type BoundResource,
  type Folder,
  type Workspace,
  WorkspaceService,
} from '#gen/proto/ghippo/api/workspace/v1alpha1/workspace_service_pb.ts';
import { InstanceService } from '#gen/proto/kairship/api/instance/v1alpha1/instance_service_pb.ts';
import { WorkspaceService as BindingService } from '#gen/proto/kairship/api/workspace/v1alpha1/workspace_service_pb.ts';
import { curl } from '../../api/pairs.ts';
import { useMay } from '../../api/permissions.ts';
import { problemOf } from '../../api/problem.ts';
import { wordOf } from '../../api/words.ts';
import { CommandLine } from '../../parts/command.tsx';
import { FormDialog } from '../../parts/dialog.tsx';
import { GuardedButton } from '../../parts/guarded.tsx';
import { Panel } from '../../parts/page.tsx';
import { Answer, Empty } from '../../parts/problems.tsx';
import { Banner } from '../../parts/status.tsx';
import { FolderSelect } from './folder-select.tsx';
import { refOf } from './place.ts';
import { workspaces } from './shared.ts';

function useDone(onSuccess?: () => void) {
  const cache = useQueryClient();
  return {
    onSuccess: () => {
      onSuccess?.();
      return cache.invalidateQueries();
    },
  };
}

interface FolderProps {
  readonly folder: Folder;
  readonly folders: readonly Folder[];
  readonly onGone: () => void;
}

export function FolderDetail({ folder, folders, onGone }: FolderProps) {
  const { t } = useTranslation();
  const { folderId } = folder;
  const may = useMay('ghippo/folder/update');
  const mayDelete = useMay('ghippo/folder/delete');
  const [displayName, setDisplayName] = useState(folder.displayName);
  const [parent, setParent] = useState(String(folder.parentId));
  const save = useMutation({
    mutationFn: () => workspaces.updateFolder({ folderId, displayName, parentId: Number(parent) }),
    ...useDone(),
  });
  const [deleting, setDeleting] = useState(false);
  return (
    <Stack gap={14}>
      <Panel title={folder.name}>
        <Stack gap="sm">
          <TextInput
            label={t('access.displayName')}
            value={displayName}
            onChange={(event) => setDisplayName(event.currentTarget.value)}
          />
          <FolderSelect
            folders={folders.filter((one) => one.folderId !== folderId)}
            value={parent}
            onChange={setParent}
          />
          {save.error && <Banner state="blocked">{problemOf(save.error).message}</Banner>}
          <CommandLine
            line={curl('PUT', `/apis/ghippo.io/v1alpha1/folders/${folderId}`, {
              displayName,
              parentId: Number(parent),
            })}
          />
          <Group justify="flex-end">
            <GuardedButton may={mayDelete} variant="default" onClick={() => setDeleting(true)}>
              {t('access.deleteFolder')}
            </GuardedButton>
            <GuardedButton may={may} loading={save.isPending} onClick={() => save.mutate()}>
              {t('action.save')}
            </GuardedButton>
          </Group>
        </Stack>
      </Panel>
      <Rights of={{ type: Type.Folder, folder: folder.name }} />
      {deleting && (
        <FormDialog
          title={t('access.deleteFolderOf', { name: folder.name })}
          onClose={() => setDeleting(false)}
          danger
          submit={t('access.deleteFolder')}
          command={curl('DELETE', `/apis/ghippo.io/v1alpha1/folders/${folderId}`)}
          act={() => workspaces.deleteFolder({ folderId })}
          then={async () => onGone()}
        >
          <Text size="sm">{t('access.deleteFolderText')}</Text>
        </FormDialog>
      )}
    </Stack>
  );
}

interface WorkspaceProps {
  readonly workspace: Workspace;
  readonly folders: readonly Folder[];
  readonly onGone: () => void;
}

export function WorkspaceDetail({ workspace, folders, onGone }: WorkspaceProps) {
  const { t } = useTranslation();
  const { workspaceId } = workspace;
  const may = useMay('ghippo/workspace/update');
  const mayDelete = useMay('ghippo/workspace/delete');
  const [displayName, setDisplayName] = useState(workspace.displayName);
  const [folder, setFolder] = useState(String(workspace.folderId));
  const save = useMutation({
    mutationFn: async () => {
      if (displayName !== workspace.displayName) await workspaces.updateWorkspace({ workspaceId, displayName });
      if (Number(folder) !== workspace.folderId)
        await workspaces.moveWorkspace({ workspaceId, folderId: Number(folder) });
    },
    ...useDone(),
  });
  const [deleting, setDeleting] = useState(false);
  return (
    <Stack gap={14}>
      <Panel title={workspace.name} aside={<span className="soft">{t('access.number', { id: workspaceId })}</span>}>
        <Stack gap="sm">
          <TextInput
            label={t('access.displayName')}
            value={displayName}
            onChange={(event) => setDisplayName(event.currentTarget.value)}
          />
          <FolderSelect folders={folders} value={folder} onChange={setFolder} />
          {save.error && <Banner state="blocked">{problemOf(save.error).message}</Banner>}
          <CommandLine line={curl('PUT', `/apis/ghippo.io/v1alpha1/workspaces/${workspaceId}`, { displayName })} />
          <Group justify="flex-end">
            <GuardedButton may={mayDelete} variant="default" onClick={() => setDeleting(true)}>
              {t('access.deleteWorkspace')}
            </GuardedButton>
            <GuardedButton may={may} loading={save.isPending} onClick={() => save.mutate()}>
              {t('action.save')}
            </GuardedButton>
          </Group>
        </Stack>
      </Panel>
      <Belongings workspaceId={workspaceId} />
      <Rights of={{ type: Type.Workspace, workspace: workspace.name }} />
      {deleting && (
        <FormDialog
          title={t('access.deleteWorkspaceOf', { name: workspace.name })}
          onClose={() => setDeleting(false)}
          danger
          submit={t('access.deleteWorkspace')}
          command={`kairship workspace delete ${workspaceId}`}
          act={() => workspaces.deleteWorkspace({ workspaceId })}
          then={async () => onGone()}
        >
          <Text size="sm">{t('access.deleteWorkspaceText')}</Text>
        </FormDialog>
      )}
    </Stack>
  );
}

const nameOf = ({ resource }: BoundResource) => [resource?.instance, resource?.namespace].filter(Boolean).join('/');

/** A namespace is known by its instance. */
function named(instance: string, namespace: string) {
  return namespace
    ? { resourceType: 'Kairship-Namespace', resourceName: namespace, resourceScope: instance }
    : { resourceType: 'Kairship', resourceName: instance };
}

/** Instances, and namespaces of them: rights in the workspace hold in all of them. */
function Belongings({ workspaceId }: { readonly workspaceId: number }) {
  const { t } = useTranslation();
  const asked = useQuery(WorkspaceService.method.listExclusiveResourcesByWorkspace, { workspaceId, pageSize: 200 });
  const instances = useQuery(InstanceService.method.listInstances, { pageSize: 100 });
  const [instance, setInstance] = useState<string | null>(null);
  const namespaces = useQuery(
    BindingService.method.listNamespaceInstances,
    { instance: instance ?? '', pageSize: 500 },
    { enabled: instance !== null },
  );
  const mayBind = useMay('ghippo/workspace/bind');
  const mayUnbind = useMay('ghippo/workspace/unbind');
  const [namespace, setNamespace] = useState('');
  const done = useDone();
  const bind = useMutation({
    mutationFn: () =>
      workspaces.bindExclusiveResourceToWorkspace({
        workspaceId,
        gproduct: 'kairship',
        ...named(instance ?? '', namespace),
      }),
    ...done,
  });
  const [leaving, setLeaving] = useState<BoundResource>();
  return (
    <Panel title={t('access.belongs')} flush>
      <Stack gap="sm" p="sm">
        <Group gap={8} align="flex-end">
          <Select
            label={t('access.scope.Instance')}
            data={instances.data?.items.map(({ metadata }) => metadata?.name ?? '') ?? []}
            value={instance}
            onChange={setInstance}
            w={170}
          />
          <Autocomplete
            label={t('field.namespace')}
            placeholder={t('field.allNamespaces')}
            data={namespaces.data?.items.map((one) => one.namespace) ?? []}
            value={namespace}
            onChange={setNamespace}
            w={150}
          />
          <GuardedButton
            may={mayBind}
            disabled={instance === null}
            loading={bind.isPending}
            onClick={() => bind.mutate()}
          >
            {t('access.bind')}
          </GuardedButton>
        </Group>
        {instance !== null && (
          <CommandLine line={`kairship workspace bind ${workspaceId} ${refOf(instance, namespace)}`} />
        )}
        {bind.error && <Banner state="blocked">{problemOf(bind.error).message}</Banner>}
      </Stack>
      <Answer of={asked}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title={t('access.belongsNothing')} />
          ) : (
            <table className="grid">
              <tbody>
                {items.map((resource) => (
                  <tr key={nameOf(resource)}>
                    <td>{t(resource.resource?.namespace ? 'field.namespace' : 'access.scope.Instance')}</td>
                    <td>
                      <Link to="/i/$instance" params={{ instance: resource.resource?.instance ?? '' }}>
                        {nameOf(resource)}
                      </Link>
                    </td>
                    <td style={{ textAlign: 'right' }}>
                      <ActionIcon
                        aria-label={t('access.unbindOf', { name: nameOf(resource) })}
                        disabled={!mayUnbind.allowed}
                        onClick={() => setLeaving(resource)}
                      >
                        <Trash2 size={14} />
                      </ActionIcon>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Answer>
      {leaving && (
        <FormDialog
          title={t('access.unbindOf', { name: nameOf(leaving) })}
          onClose={() => setLeaving(undefined)}
          danger
          submit={t('access.unbind')}
          command={`kairship workspace unbind ${workspaceId} ${refOf(leaving.resource?.instance ?? '', leaving.resource?.namespace)}`}
          act={() =>
            workspaces.unbindResourceFromWorkspace({
              workspaceId,
              gproduct: leaving.gproduct,
              ...named(leaving.resource?.instance ?? '', leaving.resource?.namespace ?? ''),
            })
          }
        >
          <Text size="sm">{t('access.unbindText', { workspace: t('access.thisWorkspace') })}</Text>
        </FormDialog>
      )}
    </Panel>
  );
}

interface RightsProps {
  readonly of: { readonly type: Type; readonly folder?: string; readonly workspace?: string };
}

function Rights({ of }: RightsProps) {
  const { t } = useTranslation();
  const asked = useQuery(AccessService.method.listBindings, { scope: of, pageSize: 200 });
  const place = of.workspace ? `workspace/${of.workspace}` : `folder/${of.folder}`;
  return (
    <Panel
      title={t('access.tab.bindings')}
      flush
      aside={
        <Link to="/access" search={{ tab: 'bindings', place }}>
          {t('access.grant')}
        </Link>
      }
    >
      <Answer of={asked}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title={t('access.noRights')} />
          ) : (
            <table className="grid">
              <tbody>
                {items.map(({ name, role, subjects }) => (
                  <tr key={name}>
                    <td className="mono">{role}</td>
                    <td>{subjects.map((one) => `${wordOf(Subject_KindSchema, one.kind)} ${one.name}`).join(', ')}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Answer>
    </Panel>
  );
}
