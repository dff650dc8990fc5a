/** The services that lead to a workload, in every cluster it runs in. */
import { useQuery } from '@connectrpc/connect-query';
import { keepPreviousData } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  CoreService,
  ListServicesForMemberClusterRequest_Kind as Kind,
} from '#gen/proto/kairship/api/core/v1alpha1/core_service_pb.ts';
import { ServiceTypeSchema } from '#gen/proto/kairship/api/core/v1alpha1/service_pb.ts';
import type { ObjectRef } from '../../api/objects.ts';
import { wordOf } from '../../api/words.ts';
import { Fresh } from '../../parts/fresh.tsx';
import { Answer } from '../../parts/problems.tsx';
import { When } from '../../parts/when.tsx';
import { ClusterGroup, GroupTable, LOOK_AGAIN_MS, PerCluster, ROWS } from './cluster-group.tsx';

export function ServicesTab({ of }: { readonly of: ObjectRef }) {
  return <PerCluster of={of}>{(cluster) => <ServicesIn key={cluster} of={of} cluster={cluster} />}</PerCluster>;
}

function ServicesIn({ of, cluster }: { readonly of: ObjectRef; readonly cluster: string }) {
  const { t } = useTranslation();
  const [page, setPage] = useState(1);
  const { instance, namespace, name } = of;
  const kind = Kind[of.kind.kind as keyof typeof Kind] ?? Kind.KIND_UNSPECIFIED;
  const asked = useQuery(
    CoreService.method.listServicesForMemberCluster,
    { instance, cluster, namespace, kind, kindName: name, page, pageSize: ROWS },
    { placeholderData: keepPreviousData, refetchInterval: LOOK_AGAIN_MS },
  );
  const total = asked.data?.pagination?.total ?? asked.data?.items.length ?? 0;
  return (
    <ClusterGroup
      instance={instance}
      name={cluster}
      count={t('workload.services', { count: total })}
      aside={<Fresh at={asked.dataUpdatedAt} everyMs={LOOK_AGAIN_MS} />}
      page={{ number: page, pages: asked.data?.pagination?.pages ?? 1, onChange: setPage }}
    >
      <Answer of={asked}>
        {({ items }) => (
          <GroupTable
            rows={items}
            rowId={({ metadata }) => metadata?.uid ?? ''}
            empty={t('workload.noServices')}
            columns={[
              {
                header: t('field.name'),
                width: 28,
                cell: ({ metadata }) => (
                  <Link
                    to="/i/$instance/resources/$kind/$namespace/$name/{-$tab}"
                    params={{ instance, kind: 'Service', namespace, name: metadata?.name ?? '' }}
                  >
                    {metadata?.name}
                  </Link>
                ),
              },
              {
                header: t('resource.column.type'),
                width: 16,
                cell: ({ spec }) => wordOf(ServiceTypeSchema, spec?.type ?? 0),
              },
              {
                header: t('pod.ip'),
                width: 18,
                cell: ({ spec }) => <span className="mono">{spec?.clusterIp || '–'}</span>,
              },
              {
                header: t('resource.column.ports'),
                width: 26,
                cell: ({ spec }) => (
                  <span className="mono">
                    {spec?.ports
                      .map(({ port, protocol, targetPort }) => `${port}/${protocol || 'TCP'} → ${targetPort || port}`)
                      .join(', ')}
                  </span>
                ),
              },
              {
                header: t('field.created'),
                width: 12,
                cell: ({ metadata }) => <When at={Number(metadata?.creationTimestamp ?? 0)} />,
              },
            ]}
          />
        )}
      </Answer>
    </ClusterGroup>
  );
}
