/** A folder or a workspace: what it is called, where it is, what belongs to it, and who has rights there. */
import { useQuery } from '@connectrpc/connect-query';
import { ActionIcon, Group, Select, Stack, TextInput } from '@mantine/core';
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
import { curl } from '../../api/pairs.ts';
import { useMay } from '../../api/permissions.ts';
import { problemOf } from '../../api/problem.ts';
import { wordOf } from '../../api/words.ts';
import { CommandLine } from '../../parts/command.tsx';
import { GuardedButton } from '../../parts/guarded.tsx';
import { Panel } from '../../parts/page.tsx';
import { Answer, Empty } from '../../parts/problems.tsx';
import { Banner } from '../../parts/status.tsx';
import { FolderSelect } from './folder-select.tsx';
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
  const drop = useMutation({ mutationFn: () => workspaces.deleteFolder({ folderId }), ...useDone(onGone) });
  const failed = save.error ?? drop.error;
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
          {failed && <Banner state="blocked">{problemOf(failed).message}</Banner>}
          <CommandLine
            line={curl('PUT', `/apis/ghippo.io/v1alpha1/folders/${folderId}`, {
              displayName,
              parentId: Number(parent),
            })}
          />
          <Group justify="flex-end">
            <GuardedButton may={mayDelete} variant="default" loading={drop.isPending} onClick={() => drop.mutate()}>
              {t('access.deleteFolder')}
            </GuardedButton>
            <GuardedButton may={may} loading={save.isPending} onClick={() => save.mutate()}>
              {t('action.save')}
            </GuardedButton>
          </Group>
        </Stack>
      </Panel>
      <Rights of={{ type: Type.Folder, folder: folder.name }} />
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
  const drop = useMutation({ mutationFn: () => workspaces.deleteWorkspace({ workspaceId }), ...useDone(onGone) });
  const failed = save.error ?? drop.error;
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
          {failed && <Banner state="blocked">{problemOf(failed).message}</Banner>}
          <CommandLine line={`kairship workspace delete ${workspaceId}`} />
          <Group justify="flex-end">
            <GuardedButton may={mayDelete} variant="default" loading={drop.isPending} onClick={() => drop.mutate()}>
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
  const mayBind = useMay('ghippo/workspace/bind');
  const mayUnbind = useMay('ghippo/workspace/unbind');
  const [instance, setInstance] = useState<string | null>(null);
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
  const unbind = useMutation({
    mutationFn: (resource: BoundResource) =>
      workspaces.unbindResourceFromWorkspace({
        workspaceId,
        gproduct: resource.gproduct,
        ...named(resource.resource?.instance ?? '', resource.resource?.namespace ?? ''),
      }),
    ...done,
  });
  const failed = bind.error ?? unbind.error;
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
          <TextInput
            label={t('field.namespace')}
            placeholder={t('field.allNamespaces')}
            value={namespace}
            onChange={(event) => setNamespace(event.currentTarget.value)}
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
          <CommandLine
            line={`kairship workspace bind ${workspaceId} ${namespace ? `namespace/${instance}/${namespace}` : `instance/${instance}`}`}
          />
        )}
        {failed && <Banner state="blocked">{problemOf(failed).message}</Banner>}
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
                        onClick={() => unbind.mutate(resource)}
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
