/** Where a right holds: on the platform, in a folder, a workspace, an instance, or in one of its namespaces. */
import type { MessageInitShape } from '@bufbuild/protobuf';
import { useQuery } from '@connectrpc/connect-query';
import { Select, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type Scope, Scope_Type as Type, type ScopeSchema } from '#gen/proto/ghippo/api/types/v1alpha1/types_pb.ts';
import { WorkspaceService } from '#gen/proto/ghippo/api/workspace/v1alpha1/workspace_service_pb.ts';
import { InstanceService } from '#gen/proto/kairship/api/instance/v1alpha1/instance_service_pb.ts';
import { KINDS, type Place, type PlaceKind } from './place.ts';

export function scopeOf({ kind, id, namespace }: Place): MessageInitShape<typeof ScopeSchema> {
  if (kind === 'Folder') return { type: Type.Folder, folder: id };
  if (kind === 'Workspace') return { type: Type.Workspace, workspace: id };
  if (kind === 'Instance')
    return namespace ? { type: Type.Namespace, instance: id, namespace } : { type: Type.Instance, instance: id };
  return { type: Type.Platform };
}

/** As people speak of it. */
export function useScopeText(): (scope: Scope | undefined) => string {
  const { t } = useTranslation();
  return (scope) => {
    if (!scope || scope.type === Type.Platform) return t('access.platform');
    if (scope.type === Type.Folder) return t('access.inFolder', { name: scope.folder });
    if (scope.type === Type.Workspace) return t('access.inWorkspace', { name: scope.workspace });
    return [scope.instance, scope.namespace].filter(Boolean).join(' / ');
  };
}

export function ScopeFields({ place, onChange }: { readonly place: Place; readonly onChange: (place: Place) => void }) {
  const { t } = useTranslation();
  const choices = useChoices(place.kind);
  return (
    <>
      <Select
        label={t('access.where')}
        allowDeselect={false}
        data={KINDS.map((value) => ({ value, label: t(`access.scope.${value}`) }))}
        value={place.kind}
        onChange={(kind) => onChange({ kind: kind ?? 'Platform', id: '', namespace: '' })}
        w={140}
      />
      {place.kind !== 'Platform' && (
        <Select
          label={t(`access.scope.${place.kind}`)}
          searchable
          data={choices}
          value={place.id || null}
          onChange={(id) => onChange({ ...place, id: id ?? '' })}
          w={170}
        />
      )}
      {place.kind === 'Instance' && (
        <TextInput
          label={t('field.namespace')}
          placeholder={t('field.allNamespaces')}
          value={place.namespace}
          onChange={(event) => onChange({ ...place, namespace: event.currentTarget.value })}
          w={150}
        />
      )}
    </>
  );
}

function useChoices(kind: PlaceKind): string[] {
  const instances = useQuery(InstanceService.method.listInstances, { pageSize: 100 }, { enabled: kind === 'Instance' });
  const folders = useQuery(WorkspaceService.method.listFolders, {}, { enabled: kind === 'Folder' });
  const workspaces = useQuery(
    WorkspaceService.method.listWorkspaces,
    { pageSize: 500 },
    { enabled: kind === 'Workspace' },
  );
  if (kind === 'Folder') return folders.data?.items.map(({ name }) => name) ?? [];
  if (kind === 'Workspace') return workspaces.data?.items.map(({ name }) => name) ?? [];
  return instances.data?.items.map(({ metadata }) => metadata?.name ?? '') ?? [];
}
