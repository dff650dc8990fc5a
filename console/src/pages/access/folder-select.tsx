/** A folder, or the top of the tree. */
import { Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Folder } from '#gen/proto/ghippo/api/workspace/v1alpha1/workspace_service_pb.ts';

interface FolderSelectProps {
  readonly folders: readonly Folder[];
  readonly value: string;
  readonly onChange: (id: string) => void;
}

export function FolderSelect({ folders, value, onChange }: FolderSelectProps) {
  const { t } = useTranslation();
  return (
    <Select
      label={t('access.scope.Folder')}
      allowDeselect={false}
      data={[
        { value: '0', label: t('access.top') },
        ...folders.map(({ folderId, name }) => ({ value: String(folderId), label: name })),
      ]}
      value={value}
      onChange={(next) => onChange(next ?? '0')}
    />
  );
}
