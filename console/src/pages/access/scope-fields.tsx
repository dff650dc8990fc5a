/** Where a right holds: on the platform, in an instance, or in one of its namespaces. */
import type { MessageInitShape } from '@bufbuild/protobuf';
import { useQuery } from '@connectrpc/connect-query';
import { Select, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type Scope, Scope_Type as Type, type ScopeSchema } from '#gen/proto/ghippo/api/types/v1alpha1/types_pb.ts';
import { InstanceService } from '#gen/proto/kairship/api/instance/v1alpha1/instance_service_pb.ts';

export interface Place {
  readonly instance: string;
  readonly namespace: string;
}

export const PLATFORM: Place = { instance: '', namespace: '' };

export function scopeOf({ instance, namespace }: Place): MessageInitShape<typeof ScopeSchema> {
  if (!instance) return { type: Type.Platform };
  return namespace ? { type: Type.Namespace, instance, namespace } : { type: Type.Instance, instance };
}

export function scopeText(scope: Scope | undefined, platform: string): string {
  if (!scope || scope.type === Type.Platform) return platform;
  return [scope.folder, scope.workspace, scope.instance, scope.namespace].filter(Boolean).join(' / ');
}

export function ScopeFields({ place, onChange }: { readonly place: Place; readonly onChange: (place: Place) => void }) {
  const { t } = useTranslation();
  const { data } = useQuery(InstanceService.method.listInstances, { pageSize: 100 });
  return (
    <>
      <Select
        label={t('access.where')}
        placeholder={t('access.platform')}
        clearable
        data={data?.items.map(({ metadata }) => metadata?.name ?? '') ?? []}
        value={place.instance || null}
        onChange={(instance) => onChange({ instance: instance ?? '', namespace: '' })}
      />
      <TextInput
        label={t('field.namespace')}
        placeholder={t('field.allNamespaces')}
        disabled={!place.instance}
        value={place.namespace}
        onChange={(event) => onChange({ ...place, namespace: event.currentTarget.value })}
      />
    </>
  );
}
