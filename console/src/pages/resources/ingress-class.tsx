/** The class of an ingress, chosen from those that clusters serve. */
import { createClient } from '@connectrpc/connect';
import { Select } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { NetworkingService } from '#gen/proto/kairship/api/networking/v1alpha1/networking_service_pb.ts';
import { transport } from '../../api/transport.ts';
import type { Bound } from '../../parts/fields.tsx';
import { textAt } from '../policy/policy-text.ts';
import { useClusterNames } from '../policy/target-fields.tsx';
import { servedBy } from './served.ts';

const networking = createClient(NetworkingService, transport);
const AT = ['spec', 'ingressClassName'];

export function IngressClass({ of: { object, set }, disabled }: { readonly of: Bound; readonly disabled: boolean }) {
  const { t } = useTranslation();
  const { instance = '' } = useParams({ strict: false });
  const clusters = useClusterNames(instance);
  const answers = useQueries({
    queries: clusters.map((cluster) => ({
      queryKey: ['ingress-classes', instance, cluster],
      queryFn: () => networking.listIngressClassForMemberCluster({ instance, cluster }),
      staleTime: 60_000,
    })),
  });
  const served = servedBy(clusters.map((cluster, index) => [cluster, answers[index]?.data?.items ?? []]));
  const value = textAt(object, AT);
  const known = [...served].map(([name, where]) => ({
    value: name,
    label: t('resourceUse.servedBy', { name, clusters: where.join(', ') }),
  }));
  return (
    <Select
      label={t('resource.column.class')}
      description={known.length === 0 ? t('resourceUse.noClass') : undefined}
      placeholder={t('resourceUse.defaultClass')}
      data={value === '' || served.has(value) ? known : [...known, { value, label: value }]}
      value={value || null}
      clearable
      searchable
      disabled={disabled}
      onChange={(next) => set(AT, next ?? undefined)}
    />
  );
}
